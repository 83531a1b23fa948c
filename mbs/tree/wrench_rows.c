/* Constraints of a joint in the tree, written as sums of terms share (p.q). p and q are vectors of its two
 * frames, each linear in its body's vectors, or axes of the ground. Shares are constants, or cosines and
 * sines of the joint's angles. With origins relative to the link's body, a term loads the body of p with
 *     g = share (p x q; q, if p is an origin)
 * in six numbers, and similarly the body of q. Loads of multipliers have the derivatives of these products;
 * elements of natural coordinates are not needed. */
#include "mbs/tree/wrenches.h"

#include "mbs/joints/coordinate.h"
#include "mbs/passes/joints.h"
#include "mbs/passes/vectors.h"
#include "mbs/tree/choose.h"

#include <math.h>
#include <string.h>

enum { A, B, GROUND, FORCES = 3 };

/* --- lists ------------------------------------------------------------------------------------ */

/* A vector of a frame of the joint: the frame and the index of the vector. */
typedef struct vector_at {
  int of, vector;
} vector_at;

static vector_at find_vector(const gradyn_mbs *m, const mbs_joint *j, int point)
{
  for (int of = A; of <= B; of++) {
    const mbs_frame *f = &m->parts.frame[of == A ? j->a : j->b];
    if (f->origin == point)
      return (vector_at){of, 0};
    for (int i = 0; i < 3; i++)
      if (f->direction[i] == point)
        return (vector_at){of, 1 + i};
  }
  return (vector_at){-1, 0};
}

/* The frame, A or B, that belongs to the link's body. */
static int own_of(const tree_link *link)
{
  return link->turned ? A : B;
}

/* Adds the terms of p.q that load the body to a constraint. Returns false if p or q is no vector of the
 * joint. pair.angle: the share is the sine or cosine of the angle of this frame; -1: the share is constant.
 */
static bool add_pair(const tree *c, tree_wrench *to, tree_pair_of pair, vector_at p, vector_at q)
{
  const int own = own_of(&c->link[to->link]);
  if (p.of < 0 || q.of < 0)
    return false;
  pair.row = to->rows;
  for (int side = 0; side < 2; side++) {
    const vector_at mine = side ? q : p, other = side ? p : q;
    if (mine.of != own)
      continue;
    if (to->pairs == TREE_PAIRS)
      return false;
    pair.p = mine.vector;
    pair.of = other.of;
    pair.q = other.vector;
    to->pair[to->pairs++] = pair;
  }
  return true;
}

/* u.(b - a) */
static bool add_guide(const tree *c, tree_wrench *to, vector_at u, vector_at a, vector_at b)
{
  return add_pair(c, to, (tree_pair_of){.angle = -1, .sign = 1}, u, b) &&
         add_pair(c, to, (tree_pair_of){.angle = -1, .sign = -1}, u, a);
}

/* Adds the terms of (y cos c - x sin c).w, with the angle c of the frame of x and y. */
static bool add_turn(const tree *c, tree_wrench *to, const mbs_element *e, const vector_at p[3])
{
  const int of = p[0].of;
  if (of < 0 || of == GROUND)
    return false;
  to->angle[of] = e->at[0];
  return add_pair(c, to, (tree_pair_of){.angle = of, .sign = 1}, p[1], p[2]) &&
         add_pair(c, to, (tree_pair_of){.angle = of, .sine = true, .sign = -1}, p[0], p[2]);
}

/* Adds the terms of an element; false: it is of another kind. */
static bool add_row(const tree *c, tree_wrench *to, const mbs_joint *j, const mbs_element *e)
{
  vector_at p[4];
  for (int i = 0; i < e->points && i < 4; i++)
    p[i] = find_vector(c->mbs, j, e->point[i]);
  if (e->ops == &mbs_pin_ops)
    return add_guide(c, to, (vector_at){GROUND, 1 + (int)e->axis}, p[0], p[1]);
  if (e->ops == &mbs_along_ops)
    return add_guide(c, to, p[0], p[1], p[2]);
  if (e->ops == &mbs_slide_ops)
    return add_guide(c, to, p[1], p[2], p[3]);
  if (e->ops == &mbs_dot_ops)
    return add_pair(c, to, (tree_pair_of){.angle = -1, .sign = 1}, p[0], p[1]);
  return e->ops == &mbs_turn_ops && add_turn(c, to, e, p + 1);
}

/* Whether a constraint belongs to the joint or to its coordinates. Other constraints tie base vectors to
 * each other. */
static bool is_of_joint(const tree *c, const tree_link *link, int row)
{
  const mbs_joint *j = &c->mbs->parts.joint[link->joint];
  int own;
  for (int k = 0; k < link->k; k++)
    if (tree_coordinate_of(j, k, &own) >= 0 && own == row)
      return true;
  return row >= j->first && row < j->first + j->rows;
}

/* Whether a constraint ties origins; other constraints tie directions only. */
static bool holds_origins(const mbs_element *e)
{
  return e->ops == &mbs_pin_ops || e->ops == &mbs_along_ops || e->ops == &mbs_slide_ops;
}

/* Lists the constraints of origins, or the constraints of directions; false: some are of an unknown kind. */
static bool list_rows_that(const tree *c, const tree_link *link, bool origins, tree_wrench *to)
{
  bool known = true;
  for (int row = 0; row < c->natural->m; row++) {
    const mbs_element *e = &c->mbs->constraints.item[row];
    if (c->left.replaced[row] != to->link || holds_origins(e) != origins ||
        !is_of_joint(c, link, row))
      continue;
    known = known && to->rows < 6 && add_row(c, to, &c->mbs->parts.joint[link->joint], e);
    if (known)
      to->row[to->rows++] = row;
  }
  return known;
}

gradyn_status tree_list_rows(const tree *c, int i, tree_wrench *to)
{
  const tree_link *link = &c->link[i];
  to->link = i;
  to->angle[A] = to->angle[B] = -1;
  const bool forces = list_rows_that(c, link, true, to) && to->rows == FORCES;
  if (forces && list_rows_that(c, link, false, to) && to->rows == (link->bent ? FORCES : 6))
    return GRADYN_OK;
  return gradyn_fail(c->natural->message, GRADYN_UNSUPPORTED,
                     "joint coordinates: the constraints of %s do not determine its reaction. Use "
                     "natural coordinates",
                     tree_link_name(c, i));
}

void tree_load_rows(const tree *c, tree_wrench *joint)
{
  const mbs_joint *j = &c->mbs->parts.joint[c->link[joint->link].joint];
  tree_take_vectors(c->mbs, j->a, joint->v[A]);
  tree_take_vectors(c->mbs, j->b, joint->v[B]);
}

/* --- position --------------------------------------------------------------------------------- */

/* Offsets in X of the vectors of a frame's body; NULL: the ground. */
static const int *body_of(const tree_link *link, int of)
{
  return of == own_of(link) ? link->own : link->from[0] >= 0 ? link->from : NULL;
}

/* Computes a frame's vectors in the ground's axes; the origin is relative to the link's body. */
GRADYN_KERNEL void place_frame(const tree *c, const tree_link *link, int of, tree_wrench *joint)
{
  const int *at = body_of(link, of);
  gradyn_lanes axes[3] = {{1}, {0, 1}, {0, 0, 1}}, position;
  for (int j = 0; j < 3 && at; j++)
    tree_take(c->X[0] + at[1 + j], &axes[j]);
  for (int i = 0; i < TREE_FRAME_VECTORS; i++) {
    const double *v = joint->v[of][i];
    position = v[0] * axes[0] + v[1] * axes[1] + v[2] * axes[2];
    memcpy(joint->at[of][i], &position, sizeof position);
  }
  for (int k = 0; k < 3; k++)
    joint->at[of][0][k] += (at ? c->X[0][at[0] + k] : 0) - c->X[0][link->own[0] + k];
}

GRADYN_KERNEL void place_shares(const tree *c, tree_wrench *joint)
{
  double cosine[2] = {0}, sine[2] = {0};
  for (int of = A; of <= B; of++)
    if (joint->angle[of] >= 0) {
      cosine[of] = cos(c->X[0][joint->angle[of]]);
      sine[of] = sin(c->X[0][joint->angle[of]]);
    }
  for (int k = 0; k < joint->pairs; k++) {
    const tree_pair_of *pair = &joint->pair[k];
    const int of = pair->angle;
    joint->share[k] = of < 0 ? pair->sign : pair->sign * (pair->sine ? sine[of] : cosine[of]);
    joint->slope[k] = of < 0 ? 0 : pair->sign * (pair->sine ? cosine[of] : -sine[of]);
  }
}

/* Inverts K [3][3], stored by columns; false: singular. */
GRADYN_KERNEL bool invert(double K[3][3])
{
  double rows[3][3];
  for (int i = 0; i < 3; i++)
    mbs_cross(K[(i + 1) % 3], K[(i + 2) % 3], rows[i]);
  const double det = K[0][0] * rows[0][0] + K[0][1] * rows[0][1] + K[0][2] * rows[0][2];
  const double scale = 1 / det;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      K[i][k] = scale * rows[i][k];
  return det != 0 && isfinite(det) && isfinite(scale);
}

/* Computes the loads g of the constraints: torque [row] of all constraints, force [row] of constraints of
 * origins. The forces of other constraints are zero. */
GRADYN_KERNEL void load_rows(const tree_link *link, const tree_wrench *joint, double torque[6][3],
                             double force[3][3])
{
  memset(torque, 0, 18 * sizeof(double));
  memset(force, 0, 9 * sizeof(double));
  const double(*own)[GRADYN_LANES] = joint->at[own_of(link)];
  for (int k = 0; k < joint->pairs; k++) {
    const tree_pair_of *pair = &joint->pair[k];
    const double *q = joint->at[pair->of][pair->q];
    double turn[3];
    mbs_cross(own[pair->p], q, turn);
    for (int i = 0; i < 3; i++)
      torque[pair->row][i] += joint->share[k] * turn[i];
    for (int i = 0; i < 3 && pair->p == 0; i++)
      force[pair->row][i] += joint->share[k] * q[i];
  }
  for (int row = joint->rows; row < 6; row++)
    torque[row][row - joint->rows] = 1;
}

/* Inverts the loads of a joint's constraints. With forces P and torques T of the first three constraints,
 * and D of the others, all by columns,
 *     P lam_1 = -f_2,   D lam_2 = -f_1 - T lam_1 = -f_1 + T P^-1 f_2. */
static GRADYN_WIDE bool find_wrench(const tree *c, const tree_link *link, tree_wrench *joint)
{
  double torque[6][3], P[3][3];
  place_frame(c, link, A, joint);
  place_frame(c, link, B, joint);
  for (int k = 0; k < 3; k++)
    joint->at[GROUND][1 + k][k] = 1;
  place_shares(c, joint);
  load_rows(link, joint, torque, P);
  double(*D)[3] = torque + FORCES, (*by)[6] = joint->by_load;
  if (!invert(P) || !invert(D))
    return false;
  for (int row = 0; row < 3; row++) {
    double part[3]; /* D^-1 T */
    for (int i = 0; i < 3; i++)
      part[i] = D[row][0] * torque[i][0] + D[row][1] * torque[i][1] + D[row][2] * torque[i][2];
    for (int k = 0; k < 3; k++) {
      by[row][k] = 0;
      by[row][3 + k] = -P[row][k];
      by[FORCES + row][k] = -D[row][k];
      by[FORCES + row][3 + k] = part[0] * P[0][k] + part[1] * P[1][k] + part[2] * P[2][k];
    }
  }
  return true;
}

gradyn_status tree_find_wrench(const tree *c, tree_wrench *joint)
{
  const tree_link *link = &c->link[joint->link];
  return find_wrench(c, link, joint)
             ? GRADYN_OK
             : gradyn_fail(c->natural->message, GRADYN_SINGULAR,
                           "the forces of joint %s are not determined: its directions are "
                           "degenerate",
                           tree_link_name(c, joint->link));
}

/* --- changes ---------------------------------------------------------------------------------- */

typedef gradyn_lanes lane_frame[TREE_FRAME_VECTORS][3];

/* a x b, of numbers and lanes */
GRADYN_KERNEL void add_cross(const double *a, const gradyn_lanes *b, double share, gradyn_lanes *to)
{
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    to[k] += share * (a[next] * b[last] - a[last] * b[next]);
  }
}

static GRADYN_WIDE void change_frame(const tree *c, const tree_wrench *joint, int of,
                                     const tree_change *d, lane_frame dp)
{
  const tree_link *link = &c->link[joint->link];
  const int *at = body_of(link, of);
  const gradyn_lanes *dX = c->dX[0];
  lane_frame dv;
  (void)tree_change_frame(c, link, of == B, d, dv);
  for (int i = 0; i < TREE_FRAME_VECTORS; i++)
    for (int k = 0; k < 3; k++) {
      dp[i][k] = at ? (gradyn_lanes){0} : dv[i][k];
      for (int j = 0; j < 3 && at; j++)
        dp[i][k] += joint->v[of][i][j] * dX[at[1 + j] + k] + c->X[0][at[1 + j] + k] * dv[i][j];
      if (i > 0)
        continue;
      dp[0][k] -= dX[link->own[0] + k];
      if (at)
        dp[0][k] += dX[at[0] + k];
    }
}

static GRADYN_WIDE void bend_along(const tree *c, const tree_wrench *joint, const double *lam,
                                   const tree_change *d, lane_six *dg)
{
  static const lane_six none = {{{0}}};
  const int own = own_of(&c->link[joint->link]);
  lane_frame dp[TREE_FRAMES] = {{{{0}}}};
  change_frame(c, joint, A, d, dp[A]);
  change_frame(c, joint, B, d, dp[B]);
  *dg = none;
  for (int k = 0; k < joint->pairs; k++) {
    const tree_pair_of *pair = &joint->pair[k];
    const double *p = joint->at[own][pair->p], *q = joint->at[pair->of][pair->q];
    const gradyn_lanes *dq = dp[pair->of][pair->q];
    const double weight = lam[joint->row[pair->row]], share = weight * joint->share[k];
    gradyn_lanes bent = {0};
    double turn[3];
    if (pair->angle >= 0)
      bent = weight * joint->slope[k] * c->dX[0][joint->angle[pair->angle]];
    mbs_cross(p, q, turn);
    add_cross(p, dq, share, dg->e);
    add_cross(q, dp[own][pair->p], -share, dg->e);
    for (int i = 0; i < 3; i++)
      dg->e[i] += bent * turn[i];
    for (int i = 0; i < 3 && pair->p == 0; i++)
      dg->e[3 + i] += share * dq[i] + bent * q[i];
  }
}

void tree_bend_along(const tree *c, const tree_wrench *joint, const double *lam,
                     const tree_change *d, lane_six *dg)
{
  bend_along(c, joint, lam, d, dg);
}

/* Subtracts adjoints of a frame's vectors from the adjoints of its body's vectors. v_bar: adjoints in
 * components of the body. */
static GRADYN_WIDE void give_frame(tree *c, const tree_wrench *joint, int of, lane_frame bar,
                                   lane_frame v_bar)
{
  const tree_link *link = &c->link[joint->link];
  const int *at = body_of(link, of);
  gradyn_lanes *X_bar = c->bar[0];
  for (int k = 0; k < 3; k++) {
    X_bar[link->own[0] + k] += bar[0][k];
    if (at)
      X_bar[at[0] + k] -= bar[0][k];
    for (int i = 0; i < TREE_FRAME_VECTORS; i++)
      for (int j = 0; j < 3 && at; j++)
        X_bar[at[1 + j] + k] -= joint->v[of][i][j] * bar[i][k];
  }
  for (int i = 0; i < TREE_FRAME_VECTORS && v_bar; i++)
    for (int j = 0; j < 3; j++) {
      const double *axis = at ? c->X[0] + at[1 + j] : joint->at[GROUND][1 + j];
      v_bar[i][j] = -(axis[0] * bar[i][0] + axis[1] * bar[i][1] + axis[2] * bar[i][2]);
    }
}

/* Adjoints of the vectors in by.g = share by_1.(p x q) + by_2.q of each term, where p belongs to the body;
 * by_2 only if p is an origin. */
static GRADYN_WIDE void bend_against(tree *c, const tree_wrench *joint, const double *lam,
                                     const lane_six *by, lane_frame bar[GROUND])
{
  const int own = own_of(&c->link[joint->link]);
  memset(bar, 0, GROUND * sizeof *bar);
  for (int k = 0; k < joint->pairs; k++) {
    const tree_pair_of *pair = &joint->pair[k];
    const double *p = joint->at[own][pair->p], *q = joint->at[pair->of][pair->q];
    const double weight = lam[joint->row[pair->row]], share = weight * joint->share[k];
    gradyn_lanes moved[3] = {{0}}; /* by_1 x p + by_2 */
    add_cross(p, by->e, -1, moved);
    for (int i = 0; i < 3 && pair->p == 0; i++)
      moved[i] += by->e[3 + i];
    for (int i = 0; i < 3 && pair->of != GROUND; i++)
      bar[pair->of][pair->q][i] += share * moved[i];
    add_cross(q, by->e, share, bar[own][pair->p]);
    if (pair->angle >= 0)
      c->bar[0][joint->angle[pair->angle]] -= weight * joint->slope[k] *
                                              (moved[0] * q[0] + moved[1] * q[1] + moved[2] * q[2]);
  }
}

void tree_bend_against(tree *c, const tree_wrench *joint, const double *lam, const lane_six *by,
                       const tree_adjoints *b)
{
  const tree_link *link = &c->link[joint->link];
  const bool asked = link->active && b->data && (b->data->x || b->data->lanes);
  lane_frame bar[GROUND], v_bar[GROUND];
  bend_against(c, joint, lam, by, bar);
  for (int of = A; of <= B; of++)
    give_frame(c, joint, of, bar[of], asked ? v_bar[of] : NULL);
  if (asked)
    tree_give_data(c, link, v_bar, b);
}
