/* Solves with the mass matrix of a tree in the plane, which is never formed. The method is the one of
 * factors.c, with three numbers for each link, (w; v) of its angle and its pivot. With n = i (rho + z xi)
 * U_p,
 *   own     A = sum of M kappa . kappa   H = sum of M tau i kappa U   S = sum of M tau tau
 *   out     w = sigma w_p,  v = v_p + n w_p, and b y: (1; 0) of a rotation, (0; xi U_p) of a slide.
 * For a rotation U = (A; H), so that only S - H H^T / A remains of a link: a rod passes on three numbers,
 * whether or not it inherits its angle. Masses that a rod shares with its pivot also belong to its own (w;
 * v). */
#include "mbs/passes/factors.h"
#include "mbs/passes/plane.h"

#include <math.h>
#include <string.h>

/* Inertia [A, H; H^T, S] of a link about its pivot. */
typedef struct plane_share {
  double A;
  plane_vector H;
  double S[3]; /* xx, xy, yy */
} plane_share;

/* Numbers stored for a link. */
typedef struct kept {
  double n[2], b[3], U[3], inverse;
} kept;

enum { KEPT = sizeof(kept) / sizeof(double) };

int plane_count_factors(tree *c)
{
  for (int i = 0; i < c->links; i++)
    if (c->plane->link[i].parent < 0 && c->plane->link[i].base >= 0)
      return 0;
  if (!plane_has_own_inertias(c))
    return 0;
  c->plane->share = gradyn_arena_take(&c->arena, (size_t)c->links, sizeof *c->plane->share);
  return KEPT * c->links;
}

/* --- factors ---------------------------------------------------------------------------------- */

/* Adds a link's own inertia; U: its direction. `plain` is a constant of inlined calls: a rod at a point of
 * X on a link, or of the ground. */
GRADYN_KERNEL void add_own(const bool plain, const plane_link *link, plane_vector U, plane_share *R)
{
  const int vectors = plain ? 1 : link->vectors;
  double S = 0;
  for (int v = 0; v < vectors; v++) {
    const plane_vector reach = plain ? (plane_vector){link->reach[v].x, 0} : link->reach[v];
    double along = link->shared;
    for (int w = 0; w < vectors; w++) {
      along += plain || link->moved[w] ? link->mass[v][w] : 0;
      R->A += link->mass[v][w] * plane_dot(reach, plain ? reach : link->reach[w]);
    }
    R->H = plane_add(R->H, plane_scaled(along, plane_normal(plane_times(reach, U))));
    S += plain || link->moved[v] ? along + link->shared : 0;
  }
  R->S[0] += S;
  R->S[2] += S;
}

/* Removes the motion of a coordinate: I -= U U^T / D, where D includes the coordinate's own mass. For a
 * rotation, U is a column of I. */
GRADYN_KERNEL gradyn_status take_out(const bool plain, const plane_link *link, plane_vector along,
                                     double own, kept *f, plane_share *R)
{
  const double *S = R->S, t = plain ? 1 : link->turns;
  const plane_vector push = {S[0] * along.x + S[1] * along.y, S[1] * along.x + S[2] * along.y};
  const double size = own + (t != 0 ? R->A : (S[0] + S[2]) * plane_dot(along, along));
  const double U[3] = {t != 0 ? t * R->A : plane_dot(R->H, along), t != 0 ? t * R->H.x : push.x,
                       t != 0 ? t * R->H.y : push.y};
  const double D = own + (t != 0 ? R->A : plane_dot(along, push));
  if (!isfinite(D))
    return GRADYN_NON_FINITE;
  if (!tree_resists(D, size))
    return GRADYN_SINGULAR;
  f->b[0] = t;
  f->b[1] = t != 0 ? 0 : along.x;
  f->b[2] = t != 0 ? 0 : along.y;
  f->inverse = 1 / D;
  memcpy(f->U, U, sizeof U);
  R->A -= U[0] * U[0] * f->inverse;
  R->H.x -= U[0] * U[1] * f->inverse;
  R->H.y -= U[0] * U[2] * f->inverse;
  R->S[0] -= U[1] * U[1] * f->inverse;
  R->S[1] -= U[1] * U[2] * f->inverse;
  R->S[2] -= U[2] * U[2] * f->inverse;
  return GRADYN_OK;
}

/* I_p += B^T I B. */
GRADYN_KERNEL void hand_in(const bool inherits, const plane_share *R, const double *n,
                           plane_share *to)
{
  const plane_vector Sn = {R->S[0] * n[0] + R->S[1] * n[1], R->S[1] * n[0] + R->S[2] * n[1]};
  to->A += n[0] * Sn.x + n[1] * Sn.y;
  to->H = plane_add(to->H, Sn);
  if (inherits) {
    to->A += R->A + 2 * (R->H.x * n[0] + R->H.y * n[1]);
    to->H = plane_add(to->H, R->H);
  }
  for (int k = 0; k < 3; k++)
    to->S[k] += R->S[k];
}

GRADYN_KERNEL gradyn_status factor_link(const bool plain, tree *c, int i, kept *f)
{
  const plane_link *link = &c->plane->link[i];
  const plane_vector U = link->parent >= 0 ? plane_turned(c->plane, link->parent)
                                           : plane_ground.U[0];
  /* begins with the inertias that other links have passed on */
  plane_share own = c->plane->share[i], *R = &own;
  c->plane->share[i] = (plane_share){0};
  memset(f, 0, sizeof *f);
  add_own(plain, link, plane_turned(c->plane, i), R);
  if (plain || link->z >= 0)
    GRADYN_TRY(take_out(plain, link, plane_times(link->slide, U),
                        c->mbs->mass.M[c->own.at[link->z]], f, R));
  if (link->parent < 0)
    return GRADYN_OK;
  const plane_vector n = plane_normal(plain || link->base >= 0 ? plane_times(link->arm, U)
                                                               : link->at.arm[0]);
  f->n[0] = n.x;
  f->n[1] = n.y;
  hand_in(!plain && link->inherits, R, f->n, &c->plane->share[link->parent]);
  return GRADYN_OK;
}

gradyn_status plane_factor(tree *c, double *f, int *weak)
{
  kept *k = (kept *)f;
  gradyn_status status = GRADYN_OK;
  for (int i = c->links - 1; i >= 0 && status == GRADYN_OK; i--) {
    *weak = c->plane->link[i].z;
    status = c->plane->link[i].plain ? factor_link(true, c, i, &k[i])
                                     : factor_link(false, c, i, &k[i]);
  }
  if (status != GRADYN_OK) /* inertias that were passed on are discarded */
    memset(c->plane->share, 0, (size_t)c->links * sizeof *c->plane->share);
  return status;
}

/* --- solves ----------------------------------------------------------------------------------- */

/* Inward part of a solve for one link: e replaces g of its coordinate, and p_p += B^T (p + U e / D) at its
 * parent. */
GRADYN_KERNEL void solve_in(const bool plain, const plane_link *link, const kept *f, plane_three *p,
                            gradyn_lanes *x, plane_three *to)
{
  if (plain || link->z >= 0) {
    const gradyn_lanes e = plain
                               ? x[link->z] - p->w
                               : x[link->z] - f->b[0] * p->w - f->b[1] * p->v.x - f->b[2] * p->v.y;
    const gradyn_lanes pulled = f->inverse * e;
    x[link->z] = e;
    p->w += f->U[0] * pulled;
    p->v.x += f->U[1] * pulled;
    p->v.y += f->U[2] * pulled;
  }
  if (!to)
    return;
  if (!plain && link->inherits)
    to->w += p->w;
  to->w += f->n[0] * p->v.x + f->n[1] * p->v.y;
  to->v.x += p->v.x;
  to->v.y += p->v.y;
}

/* y = (e - U^T B a_p) / D, a = B a_p + b y. */
GRADYN_KERNEL void solve_out(const bool plain, const plane_link *link, const kept *f,
                             const plane_three *from, gradyn_lanes *x, plane_three *a)
{
  a->w = (gradyn_lanes){0};
  if (!plain && link->inherits)
    a->w = from->w;
  a->v.x = from->v.x + f->n[0] * from->w;
  a->v.y = from->v.y + f->n[1] * from->w;
  if (!plain && link->z < 0)
    return;
  const gradyn_lanes y = f->inverse *
                         (x[link->z] - f->U[0] * a->w - f->U[1] * a->v.x - f->U[2] * a->v.y);
  x[link->z] = y;
  a->w += plain ? y : f->b[0] * y;
  if (plain)
    return;
  a->v.x += f->b[1] * y;
  a->v.y += f->b[2] * y;
}

static GRADYN_WIDE void enter_plane(const tree *c, const kept *f, gradyn_lanes *x)
{
  static const gradyn_lanes nothing = {0};
  plane_three *in = c->plane->pulled;
  for (int i = c->links - 1; i >= 0; i--) {
    const plane_link *link = &c->plane->link[i];
    plane_three *to = link->parent >= 0 ? &in[link->parent] : NULL;
    if (link->plain)
      solve_in(true, link, &f[i], &in[i], x, to);
    else
      solve_in(false, link, &f[i], &in[i], x, to);
    in[i].w = in[i].v.x = in[i].v.y = nothing; /* zero for the next solve */
  }
}

static GRADYN_WIDE void leave_plane(const tree *c, const kept *f, gradyn_lanes *x)
{
  static const plane_three rest = {{0}, {{0}, {0}}}; /* the ground */
  plane_three *out = c->plane->solved;
  for (int i = 0; i < c->links; i++) {
    const plane_link *link = &c->plane->link[i];
    const plane_three *from = link->parent >= 0 ? &out[link->parent] : &rest;
    if (link->plain)
      solve_out(true, link, &f[i], from, x, &out[i]);
    else
      solve_out(false, link, &f[i], from, x, &out[i]);
  }
}

void plane_enter(const tree *c, const double *f, gradyn_lanes *x)
{
  enter_plane(c, (const kept *)f, x);
}

void plane_leave(const tree *c, const double *f, gradyn_lanes *x)
{
  leave_plane(c, (const kept *)f, x);
}
