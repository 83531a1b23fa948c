/* Solves with the mass matrix of a tree in the plane, which is never formed: those of factors.c with three
 * numbers a link, (w; v) of its angle and its pivot. With n = i (rho + z xi) U_p,
 *   own     A = sum of M kappa . kappa   H = sum of M tau i kappa U   S = sum of M tau tau
 *   out     w = sigma w_p,  v = v_p + n w_p, and b y: (1; 0) of a turn, (0; xi U_p) of a slide.
 * Of a turn U = (A; H), so that what it takes out leaves of a link nothing but S - H H^T / A: a rod hands in
 * three numbers, whatever it inherits. Masses that a rod shares with its pivot are of its own (w; v), too. */
#include "mbs/passes/factors.h"
#include "mbs/passes/plane.h"

#include <math.h>
#include <string.h>

/* I of a link, about its pivot. */
typedef struct plane_share {
  double A;
  plane_vector H;
  double S[3]; /* xx, xy, yy */
} plane_share;

/* What a link keeps. */
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

/* --- factors --------------------------------------------------------------------------------------- */

static void add_own(const plane_link *link, plane_share *R)
{
  double S = 0;
  for (int v = 0; v < link->vectors; v++) {
    double along = link->shared;
    for (int w = 0; w < link->vectors; w++) {
      along += link->moved[w] ? link->mass[v][w] : 0;
      R->A += link->mass[v][w] * plane_dot(link->reach[v], link->reach[w]);
    }
    R->H = plane_add(R->H,
                     plane_scaled(along, plane_normal(plane_times(link->reach[v], link->at.U[0]))));
    S += link->moved[v] ? along + link->shared : 0;
  }
  R->S[0] += S;
  R->S[2] += S;
}

/* What a coordinate gives way to: I -= U U^T / D, D with the coordinate's own mass. Of a turn, U are columns
 * of I. */
static gradyn_status take_out(const plane_link *link, plane_vector along, double own, kept *f,
                              plane_share *R)
{
  const double *S = R->S, t = link->turns;
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
  R->A -= U[0] * U[0] / D;
  R->H.x -= U[0] * U[1] / D;
  R->H.y -= U[0] * U[2] / D;
  R->S[0] -= U[1] * U[1] / D;
  R->S[1] -= U[1] * U[2] / D;
  R->S[2] -= U[2] * U[2] / D;
  return GRADYN_OK;
}

/* I_p += B^T I B. */
static void hand_in(const plane_link *link, const plane_share *R, const double *n, plane_share *to)
{
  const plane_vector Sn = {R->S[0] * n[0] + R->S[1] * n[1], R->S[1] * n[0] + R->S[2] * n[1]};
  const double turned = link->inherits;
  to->A += turned * (R->A + 2 * (R->H.x * n[0] + R->H.y * n[1])) + n[0] * Sn.x + n[1] * Sn.y;
  to->H = plane_add(to->H, plane_add(Sn, plane_scaled(turned, R->H)));
  for (int k = 0; k < 3; k++)
    to->S[k] += R->S[k];
}

static gradyn_status factor_link(tree *c, int i, kept *f)
{
  const plane_link *link = &c->plane->link[i];
  const plane_vector U = link->parent >= 0 ? c->plane->link[link->parent].at.U[0]
                                           : plane_ground.U[0];
  const plane_vector n = plane_normal(link->base >= 0 ? plane_times(link->arm, U)
                                                      : link->at.arm[0]);
  plane_share own = c->plane->share[i], *R = &own; /* what hangs on it has left that */
  c->plane->share[i] = (plane_share){0};
  memset(f, 0, sizeof *f);
  add_own(link, R);
  if (link->z >= 0)
    GRADYN_TRY(
        take_out(link, plane_times(link->slide, U), c->mbs->mass.M[c->own.at[link->z]], f, R));
  if (link->parent < 0)
    return GRADYN_OK;
  f->n[0] = n.x;
  f->n[1] = n.y;
  hand_in(link, R, f->n, &c->plane->share[link->parent]);
  return GRADYN_OK;
}

/* Of a rod at a point of X on a link, or of the ground: all it hands in is S - H H^T / D. */
static gradyn_status factor_rod(tree *c, int i, kept *f)
{
  const plane_link *link = &c->plane->link[i];
  plane_share *own = &c->plane->share[i];
  const double m = link->mass[0][0], along = m + link->shared, s = link->reach[0].x;
  const plane_vector R = plane_scaled(s, plane_turned(c->plane, i));
  const double A = own->A + m * s * s, S = along + link->shared;
  const plane_vector H = {own->H.x - along * R.y, own->H.y + along * R.x};
  const double D = c->mbs->mass.M[c->own.at[link->z]] + A;
  if (!isfinite(D))
    return GRADYN_NON_FINITE;
  if (!(D > 0)) /* nothing has been taken out of it */
    return GRADYN_SINGULAR;
  const double inverse = 1 / D;
  f->U[1] = H.x; /* solves ask for nothing else but n */
  f->U[2] = H.y;
  f->inverse = inverse;
  const double xx = own->S[0] + S - H.x * H.x * inverse, xy = own->S[1] - H.x * H.y * inverse,
               yy = own->S[2] + S - H.y * H.y * inverse;
  *own = (plane_share){0};
  if (link->parent < 0)
    return GRADYN_OK;
  plane_share *to = &c->plane->share[link->parent];
  const plane_vector U = plane_turned(c->plane, link->parent);
  const plane_vector n = plane_normal(plane_times(link->arm, U));
  f->n[0] = n.x;
  f->n[1] = n.y;
  const plane_vector Sn = {xx * n.x + xy * n.y, xy * n.x + yy * n.y};
  to->A += plane_dot(n, Sn);
  to->H = plane_add(to->H, Sn);
  to->S[0] += xx;
  to->S[1] += xy;
  to->S[2] += yy;
  return GRADYN_OK;
}

gradyn_status plane_factor(tree *c, double *f, int *weak)
{
  kept *k = (kept *)f;
  gradyn_status status = GRADYN_OK;
  for (int i = c->links - 1; i >= 0 && status == GRADYN_OK; i--) {
    *weak = c->plane->link[i].z;
    status = c->plane->link[i].plain ? factor_rod(c, i, &k[i]) : factor_link(c, i, &k[i]);
  }
  if (status != GRADYN_OK) /* what has been handed in is not taken any more */
    memset(c->plane->share, 0, (size_t)c->links * sizeof *c->plane->share);
  return status;
}

/* --- solves ---------------------------------------------------------------------------------------- */

/* p_p += B^T (p + U e / D); e of the coordinate in the place of g. */
GRADYN_KERNEL void solve_in(const plane_link *link, const kept *f, plane_three *p, gradyn_lanes *x,
                            plane_three *to)
{
  if (link->z >= 0) {
    const gradyn_lanes e = x[link->z] - f->b[0] * p->w - f->b[1] * p->v.x - f->b[2] * p->v.y;
    const gradyn_lanes pulled = f->inverse * e;
    x[link->z] = e;
    p->w += f->U[0] * pulled;
    p->v.x += f->U[1] * pulled;
    p->v.y += f->U[2] * pulled;
  }
  if (!to)
    return;
  if (link->inherits)
    to->w += p->w;
  to->w += f->n[0] * p->v.x + f->n[1] * p->v.y;
  to->v.x += p->v.x;
  to->v.y += p->v.y;
}

/* y = (e - U^T B a_p) / D, a = B a_p + b y. */
GRADYN_KERNEL void solve_out(const plane_link *link, const kept *f, const plane_three *from,
                             gradyn_lanes *x, plane_three *a)
{
  a->w = (gradyn_lanes){0};
  if (link->inherits)
    a->w = from->w;
  a->v.x = from->v.x + f->n[0] * from->w;
  a->v.y = from->v.y + f->n[1] * from->w;
  if (link->z < 0)
    return;
  const gradyn_lanes y = f->inverse *
                         (x[link->z] - f->U[0] * a->w - f->U[1] * a->v.x - f->U[2] * a->v.y);
  x[link->z] = y;
  a->w += f->b[0] * y;
  a->v.x += f->b[1] * y;
  a->v.y += f->b[2] * y;
}

/* Both of a rod at a point of X, which inherits no angle. */
GRADYN_KERNEL void enter_rod(const plane_link *link, const kept *f, const plane_three *p,
                             gradyn_lanes *x, plane_three *to)
{
  const gradyn_lanes e = x[link->z] - p->w, pulled = f->inverse * e;
  const plane_lanes v = {p->v.x + f->U[1] * pulled, p->v.y + f->U[2] * pulled};
  x[link->z] = e;
  if (!to)
    return;
  to->w += f->n[0] * v.x + f->n[1] * v.y;
  to->v.x += v.x;
  to->v.y += v.y;
}

GRADYN_KERNEL void leave_rod(const plane_link *link, const kept *f, const plane_three *from,
                             gradyn_lanes *x, plane_three *a)
{
  a->v.x = from->v.x + f->n[0] * from->w;
  a->v.y = from->v.y + f->n[1] * from->w;
  a->w = f->inverse * (x[link->z] - f->U[1] * a->v.x - f->U[2] * a->v.y);
  x[link->z] = a->w;
}

static GRADYN_WIDE void enter_plane(const tree *c, const kept *f, gradyn_lanes *x)
{
  static const gradyn_lanes nothing = {0};
  plane_three *in = c->plane->pulled;
  for (int i = c->links - 1; i >= 0; i--) {
    const plane_link *link = &c->plane->link[i];
    plane_three *to = link->parent >= 0 ? &in[link->parent] : NULL;
    if (link->plain)
      enter_rod(link, &f[i], &in[i], x, to);
    else
      solve_in(link, &f[i], &in[i], x, to);
    in[i].w = in[i].v.x = in[i].v.y = nothing; /* for the next solve */
  }
}

static GRADYN_WIDE void leave_plane(const tree *c, const kept *f, gradyn_lanes *x)
{
  static const plane_three rest = {{0}, {{0}, {0}}}; /* of the ground */
  plane_three *out = c->plane->solved;
  for (int i = 0; i < c->links; i++) {
    const plane_link *link = &c->plane->link[i];
    const plane_three *from = link->parent >= 0 ? &out[link->parent] : &rest;
    if (link->plain)
      leave_rod(link, &f[i], from, x, &out[i]);
    else
      solve_out(link, &f[i], from, x, &out[i]);
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
