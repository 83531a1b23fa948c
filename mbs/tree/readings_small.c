/* Multipliers of joints in the tree as functions of accelerations and remaining multipliers, at a fixed
 * position. In six numbers of each body about its origin, with its own inertia I:
 *   tangent     out  a = B a_p + b y
 *               in   f = I a + T^T J_X^T lam,   f_p += B^T f,   lam_i = -(J_i T)^-T f_i
 *   transposed  out  c = B c_p - (J_i T)^-1 bar_i
 *               in   f = I c,   f_p += B^T f,   y = b^T f,   lam = J_X T c
 * with wrenches as in wrenches.c. */
#include "mbs/elements/look.h"
#include "mbs/tree/readings.h"
#include "mbs/tree/sight.h"

#include <string.h>

/* --- position --------------------------------------------------------------------------------- */

/* Begins an evaluation at a position. The state of elements remains valid for load(), which does not copy
 * it again. */
static gradyn_status begin(gradyn_mech *mech, const gradyn_mech_state *at, double *r, double *w)
{
  tree *c = (tree *)mech;
  tree_readings *own = c->left.readings;
  gradyn_mech_state natural;
  own->rubbed = false;
  tree_hide_replaced(c);
  tree_to_natural(c, at, &(tree_sight){0, true, !r}, &natural);
  if (!r)
    return tree_restore_lists(c, tree_find_wrenches(c, &natural));
  gradyn_status status = tree_read(c, &natural);
  const mbs_point_state view = mbs_eval_up_to(c->mbs, &natural, 1, GRADYN_FORCE);
  tree_pull(c, r);
  if (status == GRADYN_OK)
    status = tree_rub_states(c, &view, r);
  for (int k = 0; k < own->numbers; k++)
    w[k] = own->joint[k] < 0 ? 0 : own->lam[own->row[k]];
  return tree_restore_lists(c, status);
}

/* The function load of the small system: tau and slope for the arguments w of forces that depend on
 * multipliers. */
static gradyn_status load(gradyn_mech *mech, const gradyn_mech_state *at, const double *w,
                          double *tau, double *slope)
{
  tree *c = (tree *)mech;
  tree_readings *own = c->left.readings;
  const gradyn_mech_state natural = {.t = at->t, .read = own->lam};
  for (int k = 0; k < own->numbers; k++)
    own->lam[own->row[k]] = w[k];
  const mbs_point_state view = mbs_eval_up_to(c->mbs, &natural, -1, GRADYN_FORCE);
  const bool again = own->rubbed;
  own->rubbed = true;
  return tree_friction_loads(c, &view, again, tau, slope);
}

/* --- tangent and transposed ------------------------------------------------------------------- */

/* f += I a. */
GRADYN_KERNEL void weigh_body(const tree_share *S, const lane_six *a, lane_six *f)
{
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++) {
      f->e[k] += S->A[k][l] * a->e[l] + S->H[k][l] * a->e[3 + l];
      f->e[3 + k] += S->H[l][k] * a->e[l] + S->S[k][l] * a->e[3 + l];
    }
}

/* Computes the accelerations of bodies from those of coordinates, y, into six. */
static GRADYN_WIDE void accelerate_bodies(const tree *c, const double *f, const gradyn_lanes *y)
{
  static const lane_six rest = {{{0}}};
  lane_six *body = c->left.readings->six;
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    const double *arm = tree_arm_in(link, f), *b = arm + 3;
    hand_lanes_out(arm, link->parent >= 0 ? &body[link->parent] : &rest, &body[i]);
    for (int k = 0; k < link->k; k++)
      for (int r = 0; r < 6; r++)
        body[i].e[r] += b[6 * k + r] * y[link->z[k]];
  }
}

/* Computes the loads on bodies by their accelerations and by the loads F of remaining constraints (NULL:
 * none). */
static GRADYN_WIDE void weigh_bodies(const tree *c, const gradyn_lanes *F)
{
  const tree_readings *r = c->left.readings;
  lane_six *load = (lane_six *)c->own.six;
  memset(load, 0, (size_t)c->links * sizeof *load);
  for (int i = 0; i < c->links; i++) {
    weigh_body(&r->own[i], &r->six[i], &load[i]);
    if (F)
      load_lanes(&c->link[i], c->X[0], 1, F, &load[i]);
  }
}

/* The function along of the small system: changes w of the arguments by y = (a, lam). */
static void along(gradyn_mech *mech, const double *f, const gradyn_lanes *y, gradyn_lanes *w)
{
  tree *c = (tree *)mech;
  const tree_readings *own = c->left.readings;
  const int N = c->natural->n, rows = c->left.rows;
  accelerate_bodies(c, f, y);
  if (rows > 0) {
    memset(c->rows, 0, (size_t)(N + c->natural->m) * sizeof *c->rows);
    for (int i = 0; i < rows; i++)
      c->rows[N + c->row[i]] = y[mech->n + i];
    gradyn_lanes_multiply_transposed(&c->natural->jac, c->natural->m, own->J, 1, c->rows + N,
                                     c->rows);
  }
  weigh_bodies(c, rows > 0 ? c->rows : NULL);
  tree_hand_wrenches_in(c, f, NULL, w);
  for (int k = 0; k < own->numbers; k++)
    for (int i = 0; i < rows && own->joint[k] < 0; i++)
      if (c->row[i] == own->row[k])
        w[k] = y[mech->n + i];
}

/* y = b^T f for all links, with f summed from the leaves. */
static GRADYN_WIDE void load_coordinates(const tree *c, const double *f, gradyn_lanes *y)
{
  lane_six *load = (lane_six *)c->own.six;
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    const double *arm = tree_arm_in(link, f), *b = arm + 3;
    if (link->parent >= 0)
      hand_lanes_in(arm, &load[i], &load[link->parent]);
    for (int k = 0; k < link->k; k++)
      for (int r = 0; r < 6; r++)
        y[link->z[k]] += b[6 * k + r] * load[i].e[r];
  }
}

/* Computes the motion of bodies in natural coordinates, which multiplies the remaining constraints. */
static GRADYN_WIDE void move_bodies(tree *c)
{
  memset(c->rows, 0, (size_t)(c->natural->n + c->natural->m) * sizeof *c->rows);
  for (int i = 0; i < c->links; i++)
    move_lanes(&c->link[i], c->X[0], &c->left.readings->six[i], c->rows);
}

/* The function against of the small system, transpose of along(). */
static void against(gradyn_mech *mech, const double *f, const gradyn_lanes *w, gradyn_lanes *y)
{
  tree *c = (tree *)mech;
  const tree_readings *own = c->left.readings;
  const int N = c->natural->n, n = mech->n, rows = c->left.rows;
  memset(y, 0, (size_t)(n + mech->m) * sizeof *y);
  tree_test_wrenches(c, f, w);
  weigh_bodies(c, NULL);
  load_coordinates(c, f, y);
  if (rows == 0)
    return;
  move_bodies(c);
  gradyn_lanes_multiply(&c->natural->jac, c->natural->m, own->J, 1, c->rows, c->rows + N);
  for (int i = 0; i < rows; i++) {
    y[n + i] = c->rows[N + c->row[i]];
    for (int k = 0; k < own->numbers; k++)
      if (own->row[k] == c->row[i])
        y[n + i] += w[k];
  }
}

void tree_find_small(tree *c)
{
  const tree_readings *r = c->left.readings;
  if (!r || c->plane || c->mech.factors.numbers == 0 || r->readers < c->mbs->lists.readers)
    return;
  c->mech.factors.readings = (gradyn_mech_readings){.loads = r->loads,
                                                    .at = r->at,
                                                    .numbers = r->numbers,
                                                    .by = r->by,
                                                    .begin = begin,
                                                    .along = along,
                                                    .against = against,
                                                    .load = load};
}
