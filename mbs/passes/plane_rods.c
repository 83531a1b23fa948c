/* Trees of rods alone in the plane, each at the end of another one or on the ground, that nothing loads but
 * weight and torques on rods: no vector of theirs is formed. With B = (i angle'' - angle'^2) R, R = s U, a
 * rod's end and that of its parent, of the ground -g for both, and M of a rod m, that of its end, and h, what
 * it shares with its parent's end,
 *     out   A = A_p + B                   T += m A + h A_p    T_p += h A      (M (a - g), weight and inertia)
 *     in    r = i R . T - tau             T_p += T
 * and with a direction mu, whose power is mu . r = sum of D . (m A + h A_p) + D_p . h A - mu tau,
 *     out   D = D_p + i R mu              S += m D + h D_p    S_p += h D
 *     in    of the angle S . i B - mu T . R, of its rate -2 angle' S . R,
 *           of s (S . B + mu T . i R)/s, of m D . A, of h D . A_p + D_p . A,  S_p += S.
 * Everywhere else the same rods are links like others, and along they are taken as those. */
#include "mbs/passes/plane_rods.h"

#include "mbs/elements/torque.h"
#include "mbs/passes/plane_products.h"

/* What stands in the place of a link. */
typedef struct plane_rod {
  int parent, z;
  double s, m, shared;
  plane_vector R, B, A, T;
} plane_rod;

/* The same in lanes. */
typedef struct plane_rod_lanes {
  plane_lanes D, S;
} plane_rod_lanes;

/* Of an inertia or a torque: the link, and whether its own end is the first of its points. */
typedef struct rod_at {
  int link;
  bool first;
} rod_at;

struct plane_rods {
  bool serve; /* with the present structure */
  plane_rod *rod;
  plane_rod_lanes *lanes;
  rod_at *inertia, *torque;
};

/* --- which trees are such --------------------------------------------------------------------------- */

/* The link whose own end and pivot are these points, or own end alone of one; -1: there is none. */
static rod_at link_of(const tree *c, const int *point, int points)
{
  for (int k = 0; k < points; k++) {
    const int i = tree_link_at(c, c->mbs->point[point[k]].offset);
    if (i >= 0 && (points == 1 || c->plane->link[i].pivot == point[1 - k]))
      return (rod_at){i, k == 0};
  }
  return (rod_at){-1, false};
}

/* Whether a rod hangs on the end of another one, or on the ground. */
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

/* Whether all inertias are those of rods, or masses at their ends; and all forces torques on them. */
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
  rods->inertia = gradyn_arena_take(&c->arena, (size_t)lists->inertias + 1, sizeof(rod_at));
  rods->torque = gradyn_arena_take(&c->arena, (size_t)lists->forces.count + 1, sizeof(rod_at));
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  rods->serve = are_rods(c) && are_loaded_so(c, rods);
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
}

bool plane_rods_serve(const tree *c, int parts)
{
  return c->plane && c->plane->rods->serve && !(parts & (GRADYN_HELD | GRADYN_CONTACT));
}

/* --- loads ------------------------------------------------------------------------------------------ */

/* What ends on the ground have in the place of A. */
static plane_vector field(const tree *c, int parts)
{
  const bool falls = parts & GRADYN_FORCE && c->mbs->gravity >= 0;
  return falls ? plane_scaled(-1, plane_at(c->mbs->model->x, c->mbs->gravity))
               : (plane_vector){0, 0};
}

/* Out: A, B and each rod's own T; of rates w and accelerations a, if there are any. */
GRADYN_KERNEL void move_rods(tree *c, plane_vector ground, const bool turns, const double *w,
                             const bool changes, const double *a)
{
  plane_rod *all = c->plane->rods->rod;
  const double *cosine = (const double *)c->plane->cosine, *sine = (const double *)c->plane->sine;
  for (int i = 0; i < c->links; i++) {
    plane_rod *rod = &all[i];
    plane_rod *parent = rod->parent >= 0 ? &all[rod->parent] : NULL;
    const plane_vector from = parent ? parent->A : ground;
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
    if (parent)
      parent->T = plane_add(parent->T, plane_scaled(rod->shared, A));
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

/* In: T of all that hangs on a rod. */
static void hand_in(const tree *c, const plane_rod *rod)
{
  plane_rod *parent = rod->parent >= 0 ? &c->plane->rods->rod[rod->parent] : NULL;
  if (parent)
    parent->T = plane_add(parent->T, rod->T);
}

void plane_rods_residual(tree *c, int parts, const gradyn_mech_state *at, double *r)
{
  const struct plane_rods *rods = c->plane->rods;
  const mbs_elements *forces = &c->mbs->lists.forces;
  accelerate(c, parts, at);
  for (int i = c->links - 1; i >= 0; i--) {
    const plane_rod *rod = &rods->rod[i];
    r[rod->z] = plane_dot(plane_normal(rod->R), rod->T);
    hand_in(c, rod);
  }
  for (int k = 0; k < forces->count && parts & GRADYN_FORCE; k++) {
    const int z = rods->rod[rods->torque[k].link].z;
    r[z] -= mbs_torque_at(forces->item[k].input, 1, at->v ? at->v[z] : 0);
  }
}

/* --- against ---------------------------------------------------------------------------------------- */

/* Out: D, and each rod's own S. */
GRADYN_KERNEL void direct(const tree *c, const gradyn_lanes *mu)
{
  static const plane_lanes rest = {{0}, {0}};
  const struct plane_rods *rods = c->plane->rods;
  for (int i = 0; i < c->links; i++) {
    const plane_rod *rod = &rods->rod[i];
    plane_rod_lanes *own = &rods->lanes[i],
                    *parent = rod->parent >= 0 ? &rods->lanes[rod->parent] : NULL;
    const plane_lanes from = parent ? parent->D : rest;
    own->D = from;
    plane_add_number(plane_normal(rod->R), &mu[rod->z], &own->D);
    own->S.x = rod->m * own->D.x + rod->shared * from.x;
    own->S.y = rod->m * own->D.y + rod->shared * from.y;
    if (parent) {
      parent->S.x += rod->shared * own->D.x;
      parent->S.y += rod->shared * own->D.y;
    }
  }
}

/* In: bars of angles and their rates, and of lengths. */
GRADYN_KERNEL void bars_of_angles(const tree *c, const double *w, int columns,
                                  const gradyn_lanes *mu, const gradyn_mech_bars *bars, bool asked)
{
  const struct plane_rods *rods = c->plane->rods;
  for (int i = c->links - 1; i >= 0; i--) {
    const plane_rod *rod = &rods->rod[i];
    const plane_link *link = &c->plane->link[i];
    plane_rod_lanes *own = &rods->lanes[i];
    const gradyn_lanes turn = mu[rod->z];
    gradyn_lanes angle = -plane_dot(rod->T, rod->R) * turn, rate = {0};
    plane_add_dot(plane_normal(rod->B), &own->S, &angle);
    plane_add_dot(rod->R, &own->S, &rate);
    if (bars->q)
      bars->q[rod->z] -= angle;
    if (bars->v && w)
      bars->v[rod->z] += 2 * w[rod->z] * rate;
    if (asked && link->active) {
      gradyn_lanes along = plane_dot(rod->T, plane_normal(rod->R)) * turn;
      plane_add_dot(rod->B, &own->S, &along);
      for (int k = 0; k < link->data; k++) {
        const plane_datum *x = &link->datum[k];
        const gradyn_lanes z = x->reach.x / rod->s * along;
        if (x->active && x->reach.x != 0)
          plane_give(c, bars, columns, x->at, &z);
      }
    }
    hand_in(c, rod);
    if (rod->parent >= 0)
      plane_add_lanes((plane_vector){1, 0}, &own->S, &rods->lanes[rod->parent].S);
  }
}

/* Bars of pair coefficients, c_rs D_r . A_s, to those of the data of inertias. */
GRADYN_KERNEL void bars_of_masses(const tree *c, plane_vector ground, int columns,
                                  const gradyn_mech_bars *bars)
{
  static const plane_lanes rest = {{0}, {0}};
  const struct plane_rods *rods = c->plane->rods;
  const mbs_varying *varying = &c->mbs->varying;
  for (int k = 0; k < varying->inertias; k++) {
    const mbs_inertia *e = &c->mbs->lists.inertia[varying->inertia[k]];
    const rod_at at = rods->inertia[varying->inertia[k]];
    const plane_rod *rod = &rods->rod[at.link];
    const bool hangs = rod->parent >= 0;
    const plane_vector from = hangs ? rods->rod[rod->parent].A : ground;
    const plane_lanes *D = &rods->lanes[at.link].D,
                      *D_p = hangs ? &rods->lanes[rod->parent].D : &rest;
    const int pairs = e->ops->points == 1 ? 1 : 3, own = at.first ? 0 : pairs - 1;
    gradyn_lanes pair[3] = {{0}, {0}, {0}};
    plane_add_dot(rod->A, D, &pair[own]);
    if (pairs == 3) {
      plane_add_dot(from, D, &pair[1]);
      plane_add_dot(rod->A, D_p, &pair[1]);
      plane_add_dot(from, D_p, &pair[2 - own]);
    }
    for (int j = e->first; j < e->end; j++) {
      const double *D_j = e->D[j];
      const gradyn_lanes z = pairs == 1 ? D_j[0] * pair[0]
                                        : D_j[0] * pair[0] + D_j[1] * pair[1] + D_j[2] * pair[2];
      plane_give(c, bars, columns, e->datum + j, &z);
    }
  }
}

/* Of what torques do, -mu tau, to rates and data. */
GRADYN_KERNEL void bars_of_torques(const tree *c, const double *w, int columns,
                                   const gradyn_lanes *mu, const gradyn_mech_bars *bars, bool asked)
{
  const struct plane_rods *rods = c->plane->rods;
  const mbs_elements *forces = &c->mbs->lists.forces;
  for (int k = 0; k < forces->count; k++) {
    const mbs_element *e = &forces->item[k];
    const int z = rods->rod[rods->torque[k].link].z;
    double by[MBS_TORQUE_DATA];
    const double by_rate = mbs_torque_slopes(e->input, 1, w ? w[z] : 0, by);
    if (bars->v)
      bars->v[z] += by_rate * mu[z];
    for (int j = e->vary.first; j < e->vary.end && asked && e->vary.any; j++) {
      const gradyn_lanes d = -by[j] * mu[z];
      plane_give(c, bars, columns, e->datum + j, &d);
    }
  }
}

/* Of gravity, by which all of A change, minus all of S, and what rods on the ground share with that. */
static void bars_of_gravity(const tree *c, int columns, const gradyn_mech_bars *bars)
{
  const struct plane_rods *rods = c->plane->rods;
  plane_lanes sum = {{0}, {0}};
  for (int i = 0; i < c->links; i++)
    if (rods->rod[i].parent < 0) {
      plane_add_lanes((plane_vector){-1, 0}, &rods->lanes[i].S, &sum);
      plane_add_lanes((plane_vector){-rods->rod[i].shared, 0}, &rods->lanes[i].D, &sum);
    }
  plane_give(c, bars, columns, c->mbs->gravity, &sum.x);
  plane_give(c, bars, columns, c->mbs->gravity + 1, &sum.y);
}

static GRADYN_WIDE void rods_against(const tree *c, const gradyn_mech_term *term, int columns,
                                     const gradyn_lanes *mu, const gradyn_mech_bars *bars)
{
  const bool pushes = term->parts & GRADYN_FORCE, asked = bars->x || bars->lanes;
  const double *w = pushes ? term->at.v : NULL;
  direct(c, mu);
  bars_of_angles(c, w, columns, mu, bars, asked);
  if (asked)
    bars_of_masses(c, field(c, term->parts), columns, bars);
  if (pushes)
    bars_of_torques(c, w, columns, mu, bars, asked);
  if (pushes && asked && c->mbs->gravity_active)
    bars_of_gravity(c, columns, bars);
}

void plane_rods_against(tree *c, const gradyn_mech_term *term, int columns, const gradyn_lanes *mu,
                        const gradyn_mech_bars *bars)
{
  accelerate(c, term->parts, &term->at);
  rods_against(c, term, columns, mu, bars);
}
