/* Loads transmitted by joints of the tree, as wrenches of six numbers on their bodies (factors.c), and the
 * corresponding natural multipliers. The six constraints J_i of a joint and its coordinates satisfy
 *      (J_i T)^T lam = -f,   f = T^T F + sum of B^T f of all links carried by the body,
 * where F are the loads on the bodies, except those by joints of the tree. f is passed on to the parent.
 * Freely rotating bodies have fewer constraints. Unit rotations with torques tau complete the six. Methods
 * leave tau as a residual in the equations along the coordinates, and f + (tau; 0) is passed on to the
 * parent. The multipliers are thus functions of any state, and the same as in reactions.c. */
#include "mbs/passes/joints.h"
#include "mbs/tree/reactions.h"
#include "mbs/tree/readings.h"
#include "mbs/tree/sight.h"
#include "mbs/tree/choose.h"

#include <math.h>
#include <string.h>

gradyn_status tree_list_wrench(tree *c, int i)
{
  tree_readings *r = c->left.readings;
  if (r->of_link[i] >= 0)
    return GRADYN_OK;
  r->of_link[i] = r->joints++;
  return tree_list_rows(c, i, &r->of[r->of_link[i]]);
}

/* --- position --------------------------------------------------------------------------------- */

/* Whether the results at the present position are valid: remaining constraints also depend on the mode and
 * on time. */
static bool stands(const tree *c, double t)
{
  const tree_readings *r = c->left.readings;
  const gradyn_discrete_state *was = &r->discrete, *now = &c->mbs->model->discrete;
  const bool arc = was->within == now->within || (isnan(was->within) && isnan(now->within));
  return c->looked.wrenches && r->t == t && was->mode == now->mode && arc;
}

gradyn_status tree_find_wrenches(tree *c, const gradyn_mech_state *natural)
{
  tree_readings *r = c->left.readings;
  if (stands(c, natural->t))
    return GRADYN_OK;
  c->looked.wrenches = false; /* invalid until all have been found */
  if (c->left.rows > 0)
    GRADYN_TRY(c->natural->ops->phi_q(c->natural, GRADYN_CONSTRAINT, 0, natural, r->J));
  for (int k = 0; k < r->joints; k++)
    GRADYN_TRY(tree_find_wrench(c, &r->of[k]));
  memset(r->own, 0, (size_t)c->links * sizeof *r->own);
  for (int i = 0; i < c->links; i++)
    tree_add_body(c, &c->link[i], &r->own[i]);
  r->t = natural->t;
  r->discrete = c->mbs->model->discrete;
  c->looked.wrenches = true;
  return GRADYN_OK;
}

/* --- values ----------------------------------------------------------------------------------- */

/* f += T^T F for the loads F of a body itself, in c->F. */
static void add_load(const tree *c, const tree_link *link, double f[6])
{
  for (int k = 0; k < 3; k++)
    f[3 + k] += c->F[link->own[0] + k];
  for (int i = 1; i < TREE_VECTORS; i++) {
    double turn[3];
    mbs_cross(c->X[0] + link->own[i], c->F + link->own[i], turn);
    for (int k = 0; k < 3; k++)
      f[k] += turn[k];
  }
}

/* Computes the multipliers lam of a joint, and removes the torque that no constraint bears from f. */
static void solve_wrench(const tree_wrench *joint, double f[6], double *lam)
{
  double value[6];
  for (int row = 0; row < 6; row++) {
    value[row] = 0;
    for (int k = 0; k < 6; k++)
      value[row] += joint->by_load[row][k] * f[k];
  }
  for (int row = 0; row < joint->rows; row++)
    lam[joint->row[row]] = value[row];
  for (int row = joint->rows; row < 6; row++)
    f[row - joint->rows] += value[row];
}

void tree_sum_wrenches(tree *c, double *lam)
{
  tree_readings *r = c->left.readings;
  memset(r->through, 0, (size_t)c->links * sizeof *r->through);
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    double *f = r->through[i], arm[3], turn[3];
    add_load(c, link, f);
    if (r->of_link[i] >= 0)
      solve_wrench(&r->of[r->of_link[i]], f, lam);
    if (link->parent < 0)
      continue;
    double *to = r->through[link->parent];
    tree_arm_at(c, link, arm);
    mbs_cross(arm, f + 3, turn);
    for (int k = 0; k < 3; k++) {
      to[k] += f[k] + turn[k];
      to[3 + k] += f[3 + k];
    }
  }
}

/* --- changes ---------------------------------------------------------------------------------- */

/* The arm r - r_p of a link: from factors f or, if f is NULL, at the present position. */
static const double *arm_of(const tree *c, const tree_link *link, const double *f, double own[3])
{
  if (f)
    return tree_arm_in(link, f);
  tree_arm_at(c, link, own);
  return own;
}

/* sum += by . load */
GRADYN_KERNEL void weigh_row(const double *by, const lane_six *load, gradyn_lanes *sum)
{
  for (int k = 0; k < 6; k++)
    *sum += by[k] * load->e[k];
}

static GRADYN_WIDE void hand_wrenches_in(tree *c, const double *f, const lane_six *bend,
                                         gradyn_lanes *w)
{
  const tree_readings *r = c->left.readings;
  lane_six *load = (lane_six *)c->own.six;
  double own[3];
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    const tree_wrench *joint = r->of_link[i] >= 0 ? &r->of[r->of_link[i]] : NULL;
    lane_six through = load[i];
    if (link->parent < 0)
      continue;
    for (int row = joint ? joint->rows : 6; row < 6; row++) {
      weigh_row(joint->by_load[row], &load[i], &through.e[row - joint->rows]);
      if (bend)
        weigh_row(joint->by_load[row], &bend[r->of_link[i]], &through.e[row - joint->rows]);
    }
    hand_lanes_in(arm_of(c, link, f, own), &through, &load[link->parent]);
  }
  for (int k = 0; k < r->numbers; k++) {
    const tree_wrench *joint = r->joint[k] >= 0 ? &r->of[r->joint[k]] : NULL;
    w[k] = (gradyn_lanes){0};
    if (!joint)
      continue;
    weigh_row(joint->by_load[r->joint_row[k]], &load[joint->link], &w[k]);
    if (bend)
      weigh_row(joint->by_load[r->joint_row[k]], &bend[r->joint[k]], &w[k]);
  }
}

void tree_hand_wrenches_in(tree *c, const double *f, const lane_six *bend, gradyn_lanes *w)
{
  hand_wrenches_in(c, f, bend, w);
}

/* Computes c = B c_p + the effect of adjoints of the joint's multipliers, into six. This effect alone is
 * also stored in bend. */
static GRADYN_WIDE void test_wrenches(tree *c, const double *f, const gradyn_lanes *w)
{
  static const lane_six rest = {{{0}}};
  const tree_readings *r = c->left.readings;
  lane_six *body = r->six, *bend = r->bend;
  double arm[3];
  memset(bend, 0, (size_t)r->joints * sizeof *bend);
  for (int k = 0; k < r->numbers; k++)
    for (int i = 0; i < 6 && r->joint[k] >= 0; i++)
      bend[r->joint[k]].e[i] += r->of[r->joint[k]].by_load[r->joint_row[k]][i] * w[k];
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    hand_lanes_out(arm_of(c, link, f, arm), link->parent >= 0 ? &body[link->parent] : &rest,
                   &body[i]);
    if (r->of_link[i] < 0)
      continue;
    const tree_wrench *joint = &r->of[r->of_link[i]];
    lane_six *own = &bend[r->of_link[i]];
    for (int row = joint->rows; row < 6; row++)
      for (int k = 0; k < 6; k++)
        own->e[k] += joint->by_load[row][k] * body[i].e[row - joint->rows];
    for (int k = 0; k < 6; k++)
      body[i].e[k] += own->e[k];
  }
}

void tree_test_wrenches(tree *c, const double *f, const gradyn_lanes *w)
{
  test_wrenches(c, f, w);
}
