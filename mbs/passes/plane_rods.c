/* Trees of rods only in the plane. Each rod is at the end of another rod or on the ground. Only weight and
 * torques on rods load the trees. Vectors of natural coordinates are not computed.
 *
 * A rod has the length s, the direction U, and R = s U; i turns a vector by a right angle. m is the mass at
 * its end, h the mass shared with its parent's end, tau = torque - damping angle' the torque. A is the
 * acceleration of its end minus gravity g, A_p that of its parent's end (-g on the ground). T is the force
 * that masses of the rod and its descendants require, and r the residual of the rod's angle. An outward and
 * an inward pass compute r, with B = (i angle'' - angle'^2) R:
 *     out   A = A_p + B                   T = m A + h A_p
 *     in    r = i R . T - tau             T_p += T + h A
 * Products with the transposed derivatives need the adjoints of the power of r at rates mu of the angles:
 * mu . r = sum over the rods of D . (m A + h A_p) + D_p . h A - mu tau. D is the velocity of a rod's end,
 * and S is to D what T is to A:
 *     out   D = D_p + i R mu              S = m D + h D_p
 *     in    adjoint of the angle: S . i B - mu T . R; of its rate: -2 angle' S . R + mu damping;
 *           of s: (S . B + mu T . i R)/s; of m: D . A; of h: D . A_p + D_p . A;     S_p += S + h D
 * Adjoints of the five numbers of a rod, s, m, h, torque and damping, are summed over all stages of a sweep.
 * The derivatives of these numbers by data are constant, so that the sums are distributed to data once.
 * Tangent products and all other functions treat these rods as general links. */
#include "mbs/passes/plane_rods.h"

#include "mbs/elements/torque.h"
#include "mbs/passes/plane_products.h"

#include <string.h>

/* A rod that takes the place of a link. */
typedef struct plane_rod {
  int parent, z;
  double s, m, shared, torque, damping; /* tau = torque - damping angle' */
  plane_vector R, B, A, T;
} plane_rod;

/* Adjoints of a rod's numbers. */
typedef struct plane_rod_sums {
  gradyn_lanes s, m, shared, torque, damping;
} plane_rod_sums;

enum { SUMS = sizeof(plane_rod_sums) / sizeof(gradyn_lanes) };

/* D and S of a rod, in lanes. */
typedef struct plane_rod_lanes {
  plane_lanes D, S;
} plane_rod_lanes;

/* Where an inertia or a torque acts: its link, and whether the link's own end is the first of its points. */
typedef struct rod_at {
  int link;
  bool first;
} rod_at;

struct plane_rods {
  bool serve; /* the present structure is of this kind */
  plane_rod *rod;
  plane_rod_lanes *lanes;
  plane_rod_sums *sums; /* for callers that have no sums */
  rod_at *inertia, *torque;
};

/* --- trees of this kind ----------------------------------------------------------------------- */

/* The link that has the two points as own end and pivot, or one point as own end; -1: none. */
static rod_at link_of(const tree *c, const int *point, int points)
{
  for (int k = 0; k < points; k++) {
    const int i = tree_link_at(c, c->mbs->point[point[k]].offset);
    if (i >= 0 && (points == 1 || c->plane->link[i].pivot == point[1 - k]))
      return (rod_at){i, k == 0};
  }
  return (rod_at){-1, false};
}

/* Whether a rod is at the end of another rod, or on the ground. */
static bool is_rod(const tree *c, const plane_link *link)
{
  return link->plain && link->z >= 0 && (link->parent < 0) == (link->base < 0) &&
         (link->parent < 0 || c->plane->link[link->parent].own[0] == link->base);
}

static bool are_rods(const tree *c)
{
  const gradyn_mbs *m = c->mbs;
  if (c->mech.m > 0 || c->mech.n != c->links || c->left.readings || c->left.attached.parts != 0 ||
      m->model->log.captures.count > 0)
    return false;
  for (int i = 0; i < c->links; i++)
    if (!is_rod(c, &c->plane->link[i]))
      return false;
  return true;
}

/* Whether all inertias belong to rods or are masses at their ends, and all forces are torques on rods. */
static bool are_loaded_so(const tree *c, struct plane_rods *rods)
{
  const mbs_lists *lists = &c->mbs->lists;
  for (int k = 0; k < lists->inertias; k++) {
    const mbs_inertia *e = &lists->inertia[k];
    rods->inertia[k] = e->ops->points > 2 ? (rod_at){-1, false}
                                          : link_of(c, e->point, e->ops->points);
    if (rods->inertia[k].link < 0 || e->attached)
      return false;
  }
  for (int k = 0; k < lists->forces.count; k++) {
    const mbs_element *e = &lists->forces.item[k];
    if (!mbs_is_plain_torque(e) || (rods->torque[k] = link_of(c, e->point, 2)).link < 0)
      return false;
  }
  return true;
}

gradyn_status plane_find_rods(tree *c)
{
  const mbs_lists *lists = &c->mbs->lists;
  struct plane_rods *rods = gradyn_arena_take(&c->arena, 1, sizeof *rods);
  const size_t links = (size_t)c->links;
  c->plane->rods = rods;
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  rods->rod = gradyn_arena_take(&c->arena, links, sizeof *rods->rod);
  rods->lanes = (plane_rod_lanes *)gradyn_arena_lanes(&c->arena, links * sizeof *rods->lanes / 32);
  rods->sums = (plane_rod_sums *)gradyn_arena_lanes(&c->arena, links * SUMS);
  rods->inertia = gradyn_arena_take(&c->arena, (size_t)lists->inertias + 1, sizeof(rod_at));
  rods->torque = gradyn_arena_take(&c->arena, (size_t)lists->forces.count + 1, sizeof(rod_at));
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  rods->serve = are_rods(c) && are_loaded_so(c, rods);
  c->mech.derived.sums = rods->serve ? SUMS * c->links : 0;
  return GRADYN_OK;
}

void plane_load_rods(tree *c)
{
  struct plane_rods *rods = c->plane->rods;
  const mbs_lists *lists = &c->mbs->lists;
  if (!rods->serve)
    return;
  for (int i = 0; i < c->links; i++) {
    const plane_link *link = &c->plane->link[i];
    rods->rod[i] = (plane_rod){.parent = link->parent, .z = link->z, .s = link->reach[0].x};
  }
  for (int k = 0; k < lists->inertias; k++) {
    const mbs_inertia *e = &lists->inertia[k];
    plane_rod *rod = &rods->rod[rods->inertia[k].link];
    if (e->ops->points == 1) {
      rod->m += e->c[0];
      continue;
    }
    rod->m += e->c[rods->inertia[k].first ? 0 : 2];
    rod->shared += e->c[1];
    if (rod->parent >= 0)
      rods->rod[rod->parent].m += e->c[rods->inertia[k].first ? 2 : 0];
  }
  for (int k = 0; k < lists->forces.count; k++) {
    const double *input = lists->forces.item[k].input;
    plane_rod *rod = &rods->rod[rods->torque[k].link];
    rod->torque += mbs_torque_at(input, 1, 0);
    rod->damping -= mbs_torque_slope(input);
  }
}

bool plane_rods_serve(const tree *c, int parts)
{
  return c->plane && c->plane->rods->serve && !(parts & (GRADYN_HELD | GRADYN_CONTACT));
}

/* --- loads ------------------------------------------------------------------------------------ */

/* Acceleration A of points on the ground: minus gravity, if forces are requested. */
static plane_vector field(const tree *c, int parts)
{
  const bool falls = parts & GRADYN_FORCE && c->mbs->gravity >= 0;
  return falls ? plane_scaled(-1, plane_at(c->mbs->model->x, c->mbs->gravity))
               : (plane_vector){0, 0};
}

/* Outward pass: computes A, B and each rod's own part of T, with rates w and accelerations a if they exist.
 */
GRADYN_KERNEL void move_rods(tree *c, plane_vector ground, const bool turns, const double *w,
                             const bool changes, const double *a)
{
  plane_rod *all = c->plane->rods->rod;
  const double *cosine = (const double *)c->plane->cosine, *sine = (const double *)c->plane->sine;
  for (int i = 0; i < c->links; i++) {
    plane_rod *rod = &all[i];
    const plane_vector from = rod->parent >= 0 ? all[rod->parent].A : ground;
    const plane_vector R = {rod->s * cosine[i], rod->s * sine[i]};
    const double rate = turns ? w[rod->z] : 0, change = changes ? a[rod->z] : 0;
    plane_vector B = plane_scaled(-rate * rate, R);
    if (changes)
      B = plane_add(B, plane_scaled(change, plane_normal(R)));
    const plane_vector A = plane_add(from, B);
    rod->R = R;
    rod->B = B;
    rod->A = A;
    rod->T = plane_add(plane_scaled(rod->m, A), plane_scaled(rod->shared, from));
  }
}

static void accelerate(tree *c, int parts, const gradyn_mech_state *at)
{
  const double *w = parts & GRADYN_FORCE ? at->v : NULL, *a = parts & GRADYN_INERTIA ? at->a : NULL;
  const plane_vector ground = field(c, parts);
  plane_take_angles(c, at->q);
  if (w && a)
    move_rods(c, ground, true, w, true, a);
  else if (w)
    move_rods(c, ground, true, w, false, NULL);
  else
    move_rods(c, ground, false, NULL, a != NULL, a);
}

/* Inward pass: adds T of a rod and its descendants to its parent. */
GRADYN_KERNEL void hand_in(const plane_rod *rod, plane_rod *parent)
{
  parent->T.x += rod->T.x + rod->shared * rod->A.x;
  parent->T.y += rod->T.y + rod->shared * rod->A.y;
}

void plane_rods_residual(tree *c, int parts, const gradyn_mech_state *at, double *r)
{
  plane_rod *all = c->plane->rods->rod;
  const bool pushes = parts & GRADYN_FORCE;
  accelerate(c, parts, at);
  for (int i = c->links - 1; i >= 0; i--) {
    const plane_rod *rod = &all[i];
    double load = plane_dot(plane_normal(rod->R), rod->T);
    if (pushes)
      load -= rod->torque - rod->damping * (at->v ? at->v[rod->z] : 0);
    r[rod->z] = load;
    if (rod->parent >= 0)
      hand_in(rod, &all[rod->parent]);
  }
}

/* --- transposed products ---------------------------------------------------------------------- */

/* Outward pass: computes D, and each rod's own part of S. */
GRADYN_KERNEL void direct(const tree *c, const gradyn_lanes *mu)
{
  static const plane_lanes rest = {{0}, {0}};
  const struct plane_rods *rods = c->plane->rods;
  for (int i = 0; i < c->links; i++) {
    const plane_rod *rod = &rods->rod[i];
    plane_rod_lanes *own = &rods->lanes[i];
    const plane_lanes from = rod->parent >= 0 ? rods->lanes[rod->parent].D : rest;
    const gradyn_lanes turn = mu[rod->z];
    const plane_lanes D = {from.x - rod->R.y * turn, from.y + rod->R.x * turn};
    own->D = D;
    own->S.x = rod->m * D.x + rod->shared * from.x;
    own->S.y = rod->m * D.y + rod->shared * from.y;
  }
}

/* Adds the adjoints of rod i's numbers to sums; w: rates of angles, NULL: no torque. */
GRADYN_KERNEL void sum_bars(const tree *c, int i, plane_vector ground, const double *w,
                            const gradyn_lanes *turn, plane_rod_sums *sums)
{
  static const plane_lanes rest = {{0}, {0}};
  const struct plane_rods *rods = c->plane->rods;
  const plane_rod *rod = &rods->rod[i];
  const plane_lanes *D = &rods->lanes[i].D, *S = &rods->lanes[i].S;
  const bool hangs = rod->parent >= 0;
  const plane_vector A = rod->A, from = hangs ? rods->rod[rod->parent].A : ground;
  const plane_lanes *D_p = hangs ? &rods->lanes[rod->parent].D : &rest;
  sums->m += A.x * D->x + A.y * D->y;
  sums->shared += from.x * D->x + from.y * D->y + (A.x * D_p->x + A.y * D_p->y);
  sums->s += rod->B.x * S->x + rod->B.y * S->y + plane_dot(rod->T, plane_normal(rod->R)) * *turn;
  if (!w)
    return;
  sums->torque -= *turn;
  sums->damping += w[rod->z] * *turn;
}

/* Inward pass: computes the adjoints of angles and their rates, and of requested numbers. */
GRADYN_KERNEL void bars_of_rods(const tree *c, plane_vector ground, const double *w,
                                const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints,
                                plane_rod_sums *sums)
{
  const struct plane_rods *rods = c->plane->rods;
  for (int i = c->links - 1; i >= 0; i--) {
    const plane_rod *rod = &rods->rod[i];
    const plane_lanes *S = &rods->lanes[i].S, *D = &rods->lanes[i].D;
    const gradyn_lanes turn = mu[rod->z];
    if (adjoints->q)
      adjoints->q[rod->z] -= rod->B.x * S->y - rod->B.y * S->x - plane_dot(rod->T, rod->R) * turn;
    if (adjoints->v && w)
      adjoints->v[rod->z] += 2 * w[rod->z] * (rod->R.x * S->x + rod->R.y * S->y) -
                             rod->damping * turn;
    if (sums)
      sum_bars(c, i, ground, w, &turn, &sums[i]);
    if (rod->parent < 0)
      continue;
    plane_lanes *to = &rods->lanes[rod->parent].S;
    to->x += S->x + rod->shared * D->x;
    to->y += S->y + rod->shared * D->y;
    hand_in(rod, &rods->rod[rod->parent]);
  }
}

/* Adjoints of gravity, which changes all A: minus the sum of S, and of masses that rods share with the
 * ground. */
static void bars_of_gravity(const tree *c, int columns, const gradyn_mech_adjoints *adjoints)
{
  const struct plane_rods *rods = c->plane->rods;
  plane_lanes sum = {{0}, {0}};
  for (int i = 0; i < c->links; i++)
    if (rods->rod[i].parent < 0) {
      plane_add_lanes((plane_vector){-1, 0}, &rods->lanes[i].S, &sum);
      plane_add_lanes((plane_vector){-rods->rod[i].shared, 0}, &rods->lanes[i].D, &sum);
    }
  plane_give(c, adjoints, columns, c->mbs->gravity, &sum.x);
  plane_give(c, adjoints, columns, c->mbs->gravity + 1, &sum.y);
}

static GRADYN_WIDE void rods_against(const tree *c, const gradyn_mech_term *term,
                                     const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints,
                                     plane_rod_sums *sums)
{
  const double *w = term->parts & GRADYN_FORCE ? term->at.v : NULL;
  direct(c, mu);
  bars_of_rods(c, field(c, term->parts), w, mu, adjoints, sums);
}

/* --- data ------------------------------------------------------------------------------------- */

static void settle_lengths(const tree *c, const plane_rod_sums *sums, int columns,
                           const gradyn_mech_adjoints *adjoints)
{
  for (int i = 0; i < c->links; i++) {
    const plane_link *link = &c->plane->link[i];
    for (int k = 0; k < link->data && link->active; k++) {
      const plane_datum *x = &link->datum[k];
      const gradyn_lanes z = x->reach.x / link->reach[0].x * sums[i].s;
      if (x->active)
        plane_give(c, adjoints, columns, x->at, &z);
    }
  }
}

/* Adjoints of pair coefficients, c_rs D_r . A_s, become adjoints of the data of inertias. */
static void settle_masses(const tree *c, const plane_rod_sums *sums, int columns,
                          const gradyn_mech_adjoints *adjoints)
{
  const struct plane_rods *rods = c->plane->rods;
  const mbs_varying *varying = &c->mbs->varying;
  for (int k = 0; k < varying->inertias; k++) {
    const mbs_inertia *e = &c->mbs->lists.inertia[varying->inertia[k]];
    const rod_at at = rods->inertia[varying->inertia[k]];
    const int parent = rods->rod[at.link].parent;
    const int pairs = e->ops->points == 1 ? 1 : 3, own = at.first ? 0 : pairs - 1;
    gradyn_lanes pair[3] = {{0}, {0}, {0}};
    pair[own] = sums[at.link].m;
    if (pairs == 3)
      pair[1] = sums[at.link].shared;
    if (pairs == 3 && parent >= 0) /* the ground does not move */
      pair[2 - own] = sums[parent].m;
    for (int j = e->first; j < e->end; j++) {
      gradyn_lanes z = {0};
      for (int r = 0; r < pairs; r++)
        z += e->D[j][r] * pair[r];
      plane_give(c, adjoints, columns, e->datum + j, &z);
    }
  }
}

static void settle_torques(const tree *c, const plane_rod_sums *sums, int columns,
                           const gradyn_mech_adjoints *adjoints)
{
  const struct plane_rods *rods = c->plane->rods;
  const mbs_elements *forces = &c->mbs->lists.forces;
  for (int k = 0; k < forces->count; k++) {
    const mbs_element *e = &forces->item[k];
    const plane_rod_sums *sum = &sums[rods->torque[k].link];
    const gradyn_lanes by[] = {[MBS_TORQUE] = sum->torque, [MBS_TORQUE_DAMPING] = sum->damping};
    for (int j = e->vary.first; j < e->vary.end && e->vary.any; j++)
      plane_give(c, adjoints, columns, e->datum + j, &by[j]);
  }
}

static void settle(const tree *c, plane_rod_sums *sums, int columns,
                   const gradyn_mech_adjoints *adjoints)
{
  settle_lengths(c, sums, columns, adjoints);
  settle_masses(c, sums, columns, adjoints);
  settle_torques(c, sums, columns, adjoints);
  memset(sums, 0, (size_t)c->links * sizeof *sums);
}

void plane_rods_settle(tree *c, gradyn_lanes *sums, gradyn_lanes *lanes)
{
  if (lanes)
    settle(c, (plane_rod_sums *)sums, GRADYN_LANES, &(gradyn_mech_adjoints){.lanes = lanes});
}

void plane_rods_against(tree *c, const gradyn_mech_term *term, int columns, const gradyn_lanes *mu,
                        const gradyn_mech_adjoints *adjoints)
{
  const bool asked = adjoints->x || adjoints->lanes;
  plane_rod_sums *kept = (plane_rod_sums *)adjoints->sums;
  accelerate(c, term->parts, &term->at);
  rods_against(c, term, mu, adjoints, !asked ? NULL : kept ? kept : c->plane->rods->sums);
  if (asked && term->parts & GRADYN_FORCE && c->mbs->gravity_active)
    bars_of_gravity(c, columns, adjoints);
  if (asked && !kept)
    settle(c, c->plane->rods->sums, columns, adjoints);
}
