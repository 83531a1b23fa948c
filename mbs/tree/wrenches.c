/* What goes through joints on the tree, as wrenches on their bodies by six numbers (factors.c), and what
 * multipliers of natural coordinates these are. A joint's six rows J_i, those of its coordinates among them,
 * solve
 *     (J_i T)^T lam = -f,      f = T^T F + sum of B^T f of what hangs on it,
 * with F what loads the bodies, joints of the tree left out; f goes on to the parent. Where bodies turn
 * freely rows are fewer, and unit turns stand for the others, tau: that much torque is what schemes leave of
 * the equations along the coordinates, and f + (tau; 0) goes on. So these are functions of any state, and the
 * same as those of reactions.c. */
#include "mbs/passes/joints.h"
#include "mbs/tree/reactions.h"
#include "mbs/tree/readings.h"
#include "mbs/tree/sight.h"
#include "mbs/tree/choose.h"

#include <math.h>
#include <string.h>

/* --- lists ------------------------------------------------------------------------------------------ */

/* Whether a row is the joint's or that of one of its coordinates; others tie base vectors to each other. */
static bool is_of_joint(const tree *c, const tree_link *link, int row)
{
  const mbs_joint *j = &c->mbs->parts.joint[link->joint];
  int own;
  for (int k = 0; k < link->k; k++)
    if (tree_coordinate_of(j, k, &own) >= 0 && own == row)
      return true;
  return row >= j->first && row < j->first + j->rows;
}

gradyn_status tree_list_wrench(tree *c, int i)
{
  tree_readings *r = c->left.readings;
  const tree_link *link = &c->link[i];
  const tree_reactions *all = &c->reaction[i];
  tree_wrench *to = &r->of[r->joints];
  if (r->of_link[i] >= 0)
    return GRADYN_OK;
  to->link = i;
  for (int k = 0; k < all->rows && to->rows < 6; k++)
    if (is_of_joint(c, link, all->row[k])) {
      memcpy(to->own[to->rows], all->own[k], sizeof *to->own);
      to->row[to->rows++] = all->row[k];
    }
  r->of_link[i] = r->joints++;
  return to->rows == (link->bent ? 3 : 6)
             ? GRADYN_OK
             : gradyn_fail(c->natural->message, GRADYN_UNSUPPORTED,
                           "joint coordinates: %s is tied by %d constraints: take natural "
                           "coordinates",
                           tree_link_name(c, i), to->rows);
}

/* --- the place -------------------------------------------------------------------------------------- */

static void swap(double *a, double *b)
{
  const double keep = *a;
  *a = *b;
  *b = keep;
}

/* Takes row p out of all others of A, in place of which its inverse comes into being. */
GRADYN_KERNEL void take_out(double A[6][6], int p)
{
  const double top = A[p][p];
  A[p][p] = 1;
  for (int j = 0; j < 6; j++)
    A[p][j] /= top;
  for (int i = 0; i < 6; i++) {
    const double part = A[i][p];
    if (i == p || part == 0)
      continue;
    A[i][p] = 0;
    for (int j = 0; j < 6; j++)
      A[i][j] -= part * A[p][j];
  }
}

/* A [6][6] by its inverse in place, by Gauss and Jordan with pivots by size; false: it has none. */
static GRADYN_WIDE bool invert_wrench(double A[6][6])
{
  int pivot[6];
  for (int p = 0; p < 6; p++) {
    pivot[p] = p;
    for (int i = p + 1; i < 6; i++)
      if (fabs(A[i][p]) > fabs(A[pivot[p]][p]))
        pivot[p] = i;
    for (int j = 0; j < 6 && pivot[p] != p; j++)
      swap(&A[p][j], &A[pivot[p]][j]);
    if (A[p][p] == 0 || !isfinite(A[p][p]))
      return false;
    take_out(A, p);
  }
  for (int p = 5; p >= 0; p--) /* rows were exchanged: columns go back */
    for (int i = 0; i < 6 && pivot[p] != p; i++)
      swap(&A[i][p], &A[i][pivot[p]]);
  return true;
}

/* -(J_i T)^T, inverted. */
static gradyn_status find_wrench(const tree *c, tree_wrench *joint, const double *J)
{
  const tree_link *link = &c->link[joint->link];
  double(*K)[6] = joint->by_load;
  memset(K, 0, sizeof joint->by_load);
  for (int row = 0; row < joint->rows; row++) {
    const int *own = joint->own[row];
    for (int k = 0; k < 3; k++)
      if (own[k] >= 0)
        K[3 + k][row] = -J[own[k]];
    for (int i = 1; i < TREE_VECTORS; i++) {
      const double *axis = c->X[0] + link->own[i];
      for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        if (own[3 * i + k] < 0)
          continue;
        const double slope = J[own[3 * i + k]]; /* axis x slope */
        K[next][row] -= axis[last] * slope;
        K[last][row] += axis[next] * slope;
      }
    }
  }
  for (int row = joint->rows; row < 6; row++)
    K[row - joint->rows][row] = -1;
  return invert_wrench(K)
             ? GRADYN_OK
             : gradyn_fail(c->natural->message, GRADYN_SINGULAR,
                           "the forces of joint %s are not determined: its directions are "
                           "degenerate",
                           tree_link_name(c, joint->link));
}

gradyn_status tree_find_wrenches(tree *c, const gradyn_mech_state *natural)
{
  tree_readings *r = c->left.readings;
  if (c->looked.wrenches)
    return GRADYN_OK;
  (void)tree_put_back(c, GRADYN_OK); /* with the points that these joints are at */
  c->mbs->lists = r->lists;
  gradyn_status status = c->natural->ops->phi_q(c->natural, GRADYN_CONSTRAINT, 0, natural, r->J);
  c->mbs->lists = c->left.all.lists;
  tree_leave_out(c);
  for (int k = 0; k < r->joints && status == GRADYN_OK; k++)
    status = find_wrench(c, &r->of[k], r->J);
  memset(r->own, 0, (size_t)c->links * sizeof *r->own);
  for (int i = 0; i < c->links; i++)
    tree_add_body(c, &c->link[i], &r->own[i]);
  c->looked.wrenches = status == GRADYN_OK;
  return status;
}

/* --- values ----------------------------------------------------------------------------------------- */

/* f += T^T F of a body's own, F in c->F. */
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

/* lam of a joint; what of f is torque that no row bears is taken from it. */
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

void tree_add_wrenches(tree *c)
{
  const tree_readings *r = c->left.readings;
  const gradyn_pattern *jac = &c->natural->jac;
  for (int k = 0; k < r->joints; k++) {
    const tree_wrench *joint = &r->of[k];
    for (int row = 0; row < joint->rows; row++)
      for (int e = jac->start[joint->row[row]]; e < jac->start[joint->row[row] + 1]; e++)
        c->F[jac->col[e]] += r->J[e] * r->lam[joint->row[row]];
  }
}

/* --- changes ---------------------------------------------------------------------------------------- */

/* r - r_p by factors, or at the place looked at. */
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

static GRADYN_WIDE void hand_wrenches_in(tree *c, const double *f, gradyn_lanes *w)
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
    for (int row = joint ? joint->rows : 6; row < 6; row++)
      weigh_row(joint->by_load[row], &load[i], &through.e[row - joint->rows]);
    hand_lanes_in(arm_of(c, link, f, own), &through, &load[link->parent]);
  }
  for (int k = 0; k < r->numbers; k++) {
    const tree_wrench *joint = r->joint[k] >= 0 ? &r->of[r->joint[k]] : NULL;
    w[k] = (gradyn_lanes){0};
    if (joint)
      weigh_row(joint->by_load[r->joint_row[k]], &load[joint->link], &w[k]);
  }
}

void tree_hand_wrenches_in(tree *c, const double *f, gradyn_lanes *w)
{
  hand_wrenches_in(c, f, w);
}

/* c = B c_p + what bars of the joint's multipliers make of it, into six. */
static GRADYN_WIDE void test_wrenches(tree *c, const double *f, const gradyn_lanes *w)
{
  static const lane_six rest = {{{0}}};
  const tree_readings *r = c->left.readings;
  lane_six *body = r->six, *own = (lane_six *)c->own.six;
  double arm[3];
  memset(own, 0, (size_t)c->links * sizeof *own);
  for (int k = 0; k < r->numbers; k++)
    for (int i = 0; i < 6 && r->joint[k] >= 0; i++)
      own[r->of[r->joint[k]].link].e[i] += r->of[r->joint[k]].by_load[r->joint_row[k]][i] * w[k];
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    const tree_wrench *joint = r->of_link[i] >= 0 ? &r->of[r->of_link[i]] : NULL;
    hand_lanes_out(arm_of(c, link, f, arm), link->parent >= 0 ? &body[link->parent] : &rest,
                   &body[i]);
    for (int row = joint ? joint->rows : 6; row < 6; row++)
      for (int k = 0; k < 6; k++)
        own[i].e[k] += joint->by_load[row][k] * body[i].e[row - joint->rows];
    for (int k = 0; k < 6; k++)
      body[i].e[k] += own[i].e[k];
  }
}

void tree_test_wrenches(tree *c, const double *f, const gradyn_lanes *w)
{
  test_wrenches(c, f, w);
}
