/* The variational scheme: matrices of a converged step and its directional derivative;
 * docs/theory/variational.md has the derivation. */
#include <math.h>
#include <string.h>

#include "dae/variational.h"

/* Jacobians G_n and G_n+1; sweeps come from a neighbouring step, which had one of them. */
static gradyn_status jacobians(gradyn_variational *s)
{
  const gradyn_mech_ops *ops = s->mech->ops;
  gradyn_mech_state first = gradyn_variational_first(s), last = gradyn_variational_last(s);
  double *swap = s->J0;
  gradyn_status status = GRADYN_OK;
  bool backward = s->known && s->known == s->to, forward = s->known && s->known == s->from;
  s->known = NULL;
  if (backward || forward) {
    s->J0 = s->J1;
    s->J1 = swap;
  }
  if (!forward)
    status = ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &first, s->J0);
  if (!backward && status == GRADYN_OK)
    status = ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &last, s->J1);
  return status;
}

gradyn_status gradyn_variational_linearise(gradyn_stepper *base, double t, double h,
                                           const double *from, const double *to)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const gradyn_mech_ops *ops = s->mech->ops;
  const double *dq = gradyn_variational_node_of(s, (double *)to).dq;
  s->t = t;
  s->h = h;
  s->from = from;
  s->to = to;
  for (int i = 0; i < s->n; i++) {
    s->qm[i] = from[i] + s->alpha * dq[i];
    s->vm[i] = dq[i] / h;
  }
  gradyn_mech_state first = gradyn_variational_first(s), at = gradyn_variational_middle(s);
  gradyn_status status = jacobians(s);
  if (status == GRADYN_OK)
    status = ops->tangent(s->mech, GRADYN_FORCE, &at, s->K, s->C, NULL);
  if (status == GRADYN_OK)
    status = ops->tangent(s->mech, GRADYN_CONSTRAINT, &first, s->H, NULL, NULL);
  if (status == GRADYN_OK)
    status = gradyn_variational_factor_step(s, t + h, h);
  return status;
}

/* --- one direction ---------------------------------------------------------------------------- */

/* c2 = (R; Phi)_x dx + (R; Phi)_t dt of a term at one state. */
static gradyn_status by_data(gradyn_variational *s, int part, int order,
                             const gradyn_mech_state *at, const double *dx, double dt)
{
  const gradyn_mech_term term = {part, order, *at};
  memset(s->c2, 0, (size_t)(s->n + s->m) * sizeof(double));
  const gradyn_mech_vector d = {.x = dx, .t = dt};
  return gradyn_mech_along(s->mech, &term, at, &d, s->lanes, s->c2);
}

/* The first n numbers of that for a part of the residual. */
static gradyn_status residual_by_data(gradyn_variational *s, int part, const gradyn_mech_state *at,
                                      const double *dx, double dt, double *out)
{
  gradyn_status status = by_data(s, part, GRADYN_NO_ORDER, at, dx, dt);
  memcpy(out, s->c2, (size_t)s->n * sizeof(double));
  return status;
}

/* Change of f = -Q at the quadrature point for a fixed increment: c = f_q dq_n - C vm dh/h + data. */
static gradyn_status force_part(gradyn_variational *s, const double *dx, double dh, double dt,
                                const double *ds, double *c)
{
  int n = s->n;
  gradyn_mech_state at = gradyn_variational_middle(s);
  gradyn_status status = residual_by_data(s, GRADYN_FORCE, &at, dx, dt - (1 - s->alpha) * dh, c);
  gradyn_pattern_multiply(&s->mech->dyn, n, s->K, 1, ds, c);
  if (dh != 0)
    gradyn_pattern_multiply(&s->mech->dyn, n, s->C, -dh / s->h, s->vm, c);
  return status;
}

/* b = derivative of h times the step's equations for a fixed increment and fixed multipliers. */
static gradyn_status equations_part(gradyn_variational *s, const double *dx, double dh, double dt,
                                    const double *ds, const double *c, double *inertia)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  double h = s->h, *b = s->b, rest = 1 - s->alpha;
  const gradyn_variational_node to = gradyn_variational_node_of(s, (double *)s->to);
  gradyn_mech_state first = gradyn_variational_first(s), at = gradyn_variational_middle(s),
                    last = gradyn_variational_last(s);
  gradyn_status status = residual_by_data(s, GRADYN_CONSTRAINT, &first, dx, dt - dh, b);
  gradyn_pattern_multiply(&mech->dyn, n, s->H, 1, ds, b);
  for (int i = 0; i < n; i++)
    b[i] *= h * h;
  if (status == GRADYN_OK)
    status = residual_by_data(s, GRADYN_INERTIA, &first, dx, 0, inertia);
  for (int i = 0; i < n; i++)
    b[i] += inertia[i] + rest * h * h * c[i] - h * ds[n + i];
  if (dh != 0 && status == GRADYN_OK) { /* explicit h */
    status = mech->ops->residual(mech, GRADYN_FORCE, &at, s->f);
    for (int i = 0; i < n; i++)
      b[i] += rest * h * dh * s->f[i];
    gradyn_pattern_multiply(&mech->dyn, n, s->M, -dh / h, to.dq, b);
    gradyn_pattern_multiply_transposed(&mech->jac, m, s->J0, h * dh, to.lam, b);
  }
  if (status == GRADYN_OK)
    status = by_data(s, 0, 0, &last, dx, dt);
  memcpy(b + n, s->c2 + n, (size_t)m * sizeof(double));
  gradyn_pattern_multiply(&mech->jac, m, s->J1, 1, ds, b + n);
  return status;
}

static gradyn_status one_direction(gradyn_variational *s, const double *dx, double dh, double dt,
                                   double *ds)
{
  int n = s->n;
  double h = s->h, alpha = s->alpha, *b = s->b, *c = s->c;
  double *dP = ds + n, *ddq = ds + 2 * n;
  const gradyn_variational_node to = gradyn_variational_node_of(s, (double *)s->to);
  gradyn_mech_state at = gradyn_variational_middle(s);
  gradyn_status status = force_part(s, dx, dh, dt, ds, c);
  if (status == GRADYN_OK) /* ddq takes the part of the inertia by data for a while */
    status = equations_part(s, dx, dh, dt, ds, c, ddq);
  if (status != GRADYN_OK)
    return status;
  gradyn_linsys_solve(s->place.system, b, 1);
  for (int i = 0; i < n; i++)
    b[i] = -b[i];
  gradyn_pattern_multiply(&s->mech->dyn, n, s->B, 1, b, c); /* whole change of f */
  /* P' = M dq/h - alpha h f */
  for (int i = 0; i < n; i++) {
    dP[i] = ddq[i] / h - alpha * h * c[i];
    ds[i] += b[i];
    ddq[i] = b[i];
  }
  gradyn_pattern_multiply(&s->mech->dyn, n, s->M, 1 / h, b, dP);
  if (dh == 0)
    return status;
  status = s->mech->ops->residual(s->mech, GRADYN_FORCE, &at, s->f);
  for (int i = 0; i < n; i++)
    dP[i] -= alpha * dh * s->f[i];
  gradyn_pattern_multiply(&s->mech->dyn, n, s->M, -dh / (h * h), to.dq, dP);
  return status;
}

gradyn_status gradyn_variational_tangent(gradyn_stepper *base, int count, const double *dx,
                                         const double *dh, const double *dt, double *ds)
{
  gradyn_variational *s = (gradyn_variational *)base;
  gradyn_status status = GRADYN_OK;
  for (int j = 0; j < count && status == GRADYN_OK; j++)
    status = one_direction(s, dx + j * base->model->nx, dh[j], dt[j], ds + j * base->ns);
  s->known = s->to; /* forward: G_n+1 is the next step's G_n */
  return status;
}

/* P_0 = M v_0. */
gradyn_status gradyn_variational_start_tangent(gradyn_stepper *base, const double *dx, double *ds)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n;
  double *dP = ds + n, *dv = ds + 2 * n;
  gradyn_status status = gradyn_initial_tangent(&s->initial, dx, ds, dv, NULL, NULL);
  gradyn_mech_state at = {.q = s->initial.q, .v = s->zero, .a = s->initial.v};
  if (status == GRADYN_OK)
    status = residual_by_data(s, GRADYN_INERTIA, &at, dx, 0, dP);
  gradyn_pattern_multiply(&s->mech->dyn, n, s->M, 1, dv, dP);
  memset(dv, 0, (size_t)n * sizeof(double)); /* no increment led to the first node */
  return status;
}
