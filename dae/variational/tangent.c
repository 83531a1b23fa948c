/* The variational scheme: matrices of a converged step and its directional derivative;
 * docs/theory/variational.md has the derivation. */
#include <math.h>
#include <string.h>

#include "core/mech/vector.h"
#include "dae/variational/operations.h"

/* Evaluates the Jacobians G_n and G_n+1. In a sweep, the linearisation of the neighbouring step has
 * evaluated one of them. */
static gradyn_status jacobians(gradyn_variational *s)
{
  const gradyn_mech_ops *ops = s->mech->ops;
  gradyn_mech_state first = gradyn_variational_first(s), last = gradyn_variational_last(s);
  double *swap = s->J0;
  /* neighbouring steps share a node and its Jacobian */
  bool backward = s->known && s->known == s->last.to,
       forward = s->known && s->known == s->last.from;
  s->known = NULL;
  if (backward || forward) {
    s->J0 = s->J1;
    s->J1 = swap;
  }
  /* the shared Jacobian is kept, which saves half of the work */
  if (!forward)
    GRADYN_TRY(ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &first, s->J0));
  if (!backward)
    GRADYN_TRY(ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &last, s->J1));
  return GRADYN_OK;
}

/* Evaluates the matrix of the step's equations at their solution, and factorises it once for all
 * directions. */
gradyn_status gradyn_variational_linearise(gradyn_stepper *base, double t, double h,
                                           const double *from, const double *to)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const gradyn_mech_ops *ops = s->mech->ops;
  const double *dq = gradyn_variational_node_of(s, (double *)to).dq;
  s->last.t = t;
  s->last.h = h;
  s->last.from = from;
  s->last.to = to;
  for (int i = 0; i < s->n; i++) {
    /* position and velocity at the quadrature point */
    s->qm[i] = from[i] + s->alpha * dq[i];
    s->vm[i] = dq[i] / h;
  }
  gradyn_mech_state at = gradyn_variational_middle(s);
  /* G of both nodes, K and C at the quadrature point, and factors of the step's matrix */
  GRADYN_TRY(jacobians(s));
  GRADYN_TRY(ops->tangent(s->mech, GRADYN_FORCE, &at, s->K, s->C, NULL));
  return gradyn_variational_factor_step(s, t + h, h);
}

/* --- directions -------------------------------------------------------------------------------- */

/* A group of directions, one in each lane. */
typedef struct pack {
  int columns;            /* number of directions */
  const gradyn_lanes *dx; /* [nx], or NULL */
  const double *dt;       /* [columns] */
  gradyn_lanes dh;
  bool stretched;           /* dh is nonzero */
  gradyn_lanes *q, *P, *dq; /* [n] changes of the node */
  /* [n + m] changes of G_n^T lam and M dq at the first node, of f at the quadrature point, of Phi at the
   * last node */
  gradyn_lanes *pull, *inertia, *force, *equal;
  gradyn_lanes *x; /* [n + m] */
} pack;

/* Returns a group with the changes ds of the node, and its workspace. */
static pack pack_of(const gradyn_variational *s, gradyn_lanes *ds)
{
  size_t n = (size_t)s->n, size = n + (size_t)s->m;
  gradyn_lanes *rows = s->lanes;
  /* ds contains q, P and dq; the workspace contains the rows of four terms and the solution */
  return (pack){.q = ds,
                .P = ds + n,
                .dq = ds + 2 * n,
                .pull = rows,
                .inertia = rows + size,
                .force = rows + 2 * size,
                .equal = rows + 3 * size,
                .x = rows + 4 * size};
}

/* Adds to r[k] the changes of one or two terms by data, by q and by time. The time of the terms is the
 * step's end minus `share` h. */
static gradyn_status add_along(gradyn_variational *s, const pack *p, int terms,
                               const gradyn_mech_term *term, double share, const gradyn_lanes *q,
                               gradyn_lanes *const *r)
{
  double t[GRADYN_LANES] = {0};
  const gradyn_mech_point look = {terms, term, &term->at};
  bool moving = false;
  for (int j = 0; j < p->columns; j++) { /* change of the time of the terms */
    t[j] = p->dt[j] - share * p->dh[j];
    moving = moving || t[j] != 0;
  }
  const gradyn_mech_change d = {.lanes = p->dx, .t = moving ? t : NULL, .q = q};
  return s->mech->ops->along(s->mech, &look, p->columns, &d, r);
}

/* Computes the changes of the terms by data, by time, and of G_n^T lam by q_n, for a fixed increment and
 * fixed multipliers. */
static gradyn_status rows(gradyn_variational *s, const pack *p)
{
  const gradyn_mech_state first = gradyn_variational_first(s);
  /* G_n^T lam and M dq are evaluated together, at the first node */
  const gradyn_mech_term both[] = {{GRADYN_CONSTRAINT, GRADYN_NO_ORDER, first},
                                   {GRADYN_INERTIA, GRADYN_NO_ORDER, first}},
                         force = {GRADYN_FORCE, GRADYN_NO_ORDER, gradyn_variational_middle(s)},
                         equal = {0, 0, gradyn_variational_last(s)};
  memset(p->pull, 0, 4 * (size_t)(s->n + s->m) * sizeof *p->pull);
  gradyn_lanes *const pulled[] = {p->pull, p->inertia};
  GRADYN_TRY(add_along(s, p, 2, both, 1, p->q, pulled));
  GRADYN_TRY(add_along(s, p, 1, &force, 1 - s->alpha, NULL, &p->force));
  return add_along(s, p, 1, &equal, 0, NULL, &p->equal);
}

/* Evaluates the effects of a change of h at a fixed velocity vm: f in s->f, K vm in c, G_n+1 vm in c2,
 * G_n^T lam in b. With a fixed increment instead, terms of size vm/h would cancel. */
static gradyn_status look_at_length(gradyn_variational *s)
{
  const gradyn_mech *mech = s->mech;
  int n = s->n;
  const gradyn_variational_node to = gradyn_variational_node_of(s, (double *)s->last.to);
  const gradyn_mech_state at = gradyn_variational_middle(s);
  const size_t bytes = (size_t)n * sizeof(double);
  memset(s->c, 0, bytes);
  memset(s->c2, 0, (size_t)s->m * sizeof(double));
  memset(s->b, 0, bytes);
  gradyn_pattern_multiply(&mech->dyn, n, s->K, 1, s->vm, s->c);
  gradyn_pattern_multiply(&mech->jac, s->m, s->J1, 1, s->vm, s->c2);
  gradyn_pattern_multiply_transposed(&mech->jac, s->m, s->J0, 1, to.lam, s->b);
  return mech->ops->residual(s->mech, GRADYN_FORCE, &at, s->f);
}

/* Sets p->x to h times the change of the step's equations, for an increment that is fixed or grows by vm
 * dh. With f = -Q at the quadrature point, a prime for changes at fixed dq and lam, and dq_n for the change
 * of q_n:
 *
 *   df = f_q (dq_n + alpha vm dh) + data,
 *   x = h^2 (G_n^T lam)' + (M dq)' + (1 - alpha) h^2 df - h dP + h ((1 - alpha) f + G_n^T lam) dh,
 *   Phi' + G_n+1 (dq_n + vm dh). */
static void equations(gradyn_variational *s, const pack *p)
{
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  double h = s->last.h, rest = 1 - s->alpha;
  /* df, the change of f by q_n, by vm dh, and by data */
  gradyn_lanes_multiply(&mech->dyn, n, s->K, 1, p->q, p->force);
  for (int i = 0; i < n && p->stretched; i++)
    p->force[i] += s->alpha * s->c[i] * p->dh;
  /* h^2 (G_n^T lam)' + (1 - alpha) h^2 df + (M dq)' - h dP */
  for (int i = 0; i < n; i++)
    p->x[i] = h * h * (p->pull[i] + rest * p->force[i]) + p->inertia[i] - h * p->P[i];
  for (int i = 0; i < n && p->stretched; i++)
    p->x[i] += h * (rest * s->f[i] + s->b[i]) * p->dh;
  memcpy(p->x + n, p->equal + n, (size_t)m * sizeof *p->x);
  for (int i = 0; i < m && p->stretched; i++)
    p->x[n + i] += s->c2[i] * p->dh;
  /* change of Phi by q_n; the change of the increment belongs to the solution */
  gradyn_lanes_multiply(&mech->jac, m, s->J1, 1, p->q, p->x + n);
}

/* Solves for the change of the increment. The momentum then changes by dP = (M dq)'/h - alpha h df, where
 * df and (M dq)' include the change of the increment. */
static void advance(gradyn_variational *s, const pack *p)
{
  const gradyn_mech *mech = s->mech;
  int n = s->n, size = n + s->m;
  double h = s->last.h, alpha = s->alpha;
  for (int i = 0; i < n && p->stretched; i++) /* h times the term -alpha f dh of dP */
    p->inertia[i] -= alpha * h * s->f[i] * p->dh;
  gradyn_lanes_store(size, p->columns, p->x, s->b, size);
  gradyn_linsys_solve(s->position.system, s->b, p->columns);
  gradyn_lanes_load(size, p->columns, s->b, size, p->x);
  gradyn_lanes_multiply(&mech->dyn, n, s->B, -1, p->x, p->force);
  for (int i = 0; i < n; i++) {
    p->P[i] = p->inertia[i] / h - alpha * h * p->force[i];
    p->q[i] -= p->x[i];
    p->dq[i] = -p->x[i];
  }
  gradyn_lanes_multiply(&mech->dyn, n, s->project.M, 1 / h, p->dq, p->P);
  for (int i = 0; i < n && p->stretched; i++) { /* the increment grows by vm dh */
    p->q[i] += s->vm[i] * p->dh;
    p->dq[i] += s->vm[i] * p->dh;
  }
}

/* Computes the changes ds of one group of directions. */
static gradyn_status advance_pack(gradyn_variational *s, const pack *p)
{
  GRADYN_TRY(rows(s, p));
  if (p->stretched)
    GRADYN_TRY(look_at_length(s));
  equations(s, p);
  advance(s, p);
  return GRADYN_OK;
}

/* Computes the tangent of a step for any number of directions, in groups of four. */
gradyn_status gradyn_variational_tangent(gradyn_stepper *base, int count, const gradyn_lanes *dx,
                                         const double *dh, const double *dt, gradyn_lanes *ds)
{
  gradyn_variational *s = (gradyn_variational *)base;
  for (int j = 0; j < count; j += GRADYN_LANES, ds += base->ns) {
    pack p = pack_of(s, ds);
    /* at most as many directions as lanes */
    p.columns = count - j < GRADYN_LANES ? count - j : GRADYN_LANES;
    p.dx = dx ? dx + j / GRADYN_LANES * base->model->nx : NULL;
    p.dt = dt + j;
    gradyn_lanes_load(1, p.columns, dh + j, 1, &p.dh);
    for (int k = 0; k < p.columns; k++)
      p.stretched = p.stretched || p.dh[k] != 0;
    GRADYN_TRY(advance_pack(s, &p));
  }
  s->known = s->last.to; /* in a forward sweep, G_n+1 is G_n of the next step */
  return GRADYN_OK;
}

/* P_0 = M v_0. */
gradyn_status gradyn_variational_start_tangent(gradyn_stepper *base, const double *dx, double *ds)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n;
  double *dP = ds + n, *dv = ds + 2 * n;
  GRADYN_TRY(gradyn_initial_tangent(&s->initial, dx, 0, ds, dv, NULL, NULL));
  gradyn_mech_state at = {.q = s->initial.q, .v = s->zero, .a = s->initial.v};
  const gradyn_mech_term term = {GRADYN_INERTIA, GRADYN_NO_ORDER, at};
  memset(s->c, 0, (size_t)(n + s->m) * sizeof(double));
  GRADYN_TRY(
      gradyn_mech_along(s->mech, &term, &at, &(gradyn_mech_vector){.x = dx}, s->lanes, s->c));
  memcpy(dP, s->c, (size_t)n * sizeof(double));
  gradyn_pattern_multiply(&s->mech->dyn, n, s->project.M, 1, dv, dP);
  memset(dv, 0, (size_t)n * sizeof(double)); /* no increment led to the first node */
  return GRADYN_OK;
}
