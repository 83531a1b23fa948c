/* ALI3-P: matrices of a converged step and its directional derivative, stage by stage in the order of
 * the step; docs/theory/ali3p.md has the derivation. */
#include <string.h>

#include "dae/ali3p.h"

/* State of the position problem of the step in hand: q', v*, a*, lam'. */
static gradyn_mech_state place_state(const gradyn_ali3p *s)
{
  return (gradyn_mech_state){
      .t = s->t + s->h, .q = s->to, .v = s->vs, .a = s->as, .lam = s->to + 3 * s->n};
}

/* The same for the projected state q', v', a'. */
static gradyn_mech_state node_state(const gradyn_ali3p *s)
{
  gradyn_mech_state at = place_state(s);
  at.v = s->to + s->n;
  at.a = s->to + 2 * s->n;
  return at;
}

/* M w + Phi_q^T sigma (velocities) or M u + Phi_q^T kappa (accelerations) as a residual. */
static gradyn_mech_state projection_state(const gradyn_ali3p *s, bool acceleration)
{
  const double *extra = s->to + s->base.ns;
  gradyn_mech_state at = place_state(s);
  at.a = extra + (acceleration ? s->n : 0);
  at.lam = extra + 2 * s->n + (acceleration ? s->m : 0);
  return at;
}

gradyn_status gradyn_ali3p_linearise(gradyn_stepper *base, double t, double h, const double *from,
                                     const double *to)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  gradyn_mech *mech = s->mech;
  const gradyn_mech_ops *ops = mech->ops;
  const double *w = to + base->ns, *u = w + s->n;
  int n = s->n, parts = GRADYN_INERTIA | GRADYN_CONSTRAINT;
  s->t = t;
  s->h = h;
  s->from = from;
  s->to = to;
  s->rough = w[2 * (n + s->m)] == 2;
  s->soft = !s->regular || w[2 * (n + s->m)] != 0;
  s->schur_now = s->use_schur && !s->soft;
  s->may_soften = true;
  gradyn_ali3p_coefficients_of(s, h, &s->k);
  for (int i = 0; i < n; i++) {
    s->vs[i] = to[n + i] - w[i];
    s->as[i] = to[2 * n + i] - u[i];
  }
  gradyn_mech_state place = place_state(s), node = node_state(s);
  gradyn_mech_state velocity = projection_state(s, false), acceleration = projection_state(s, true);
  gradyn_status status = ops->tangent(mech, GRADYN_DYNAMICS, &place, s->K, s->C, s->M);
  if (status == GRADYN_OK)
    status = ops->tangent(mech, parts, &velocity, s->Hw, NULL, NULL);
  if (status == GRADYN_OK)
    status = ops->tangent(mech, parts, &acceleration, s->Hu, NULL, NULL);
  if (status == GRADYN_OK)
    status = ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &node, s->J);
  if (status == GRADYN_OK)
    status = ops->phi_q(mech, GRADYN_CONSTRAINT, 1, &node, s->J1);
  if (status == GRADYN_OK)
    status = ops->phi_q(mech, GRADYN_CONSTRAINT, 2, &node, s->J2);
  if (status != GRADYN_OK)
    return status;
  s->viscous = false;
  for (int i = 0; i < s->place.dyn_nnz; i++) {
    s->B[i] = s->K[i] + s->k.vq * s->C[i];
    s->A[i] = s->M[i] + s->B[i] / s->k.aq;
    s->viscous = s->viscous || s->C[i] != 0;
  }
  status = gradyn_ali3p_factor(s, &s->project, s->M, s->projection_diagonal, t + h);
  /* at convergence the penalty of the position problem has dropped out */
  if (status == GRADYN_OK)
    status = gradyn_ali3p_factor(s, &s->place, s->A, 0, t + h);
  return status;
}

/* --- right-hand sides by data and time -------------------------------------------------------- */

/* b += (residual; phi)_x dx + (residual; phi)_t dt. */
static gradyn_status add_data(gradyn_ali3p *s, int parts, int order, const gradyn_mech_state *at,
                              const gradyn_mech_state *constraints, const double *dx, double dt,
                              double *b)
{
  gradyn_mech *mech = s->mech;
  int n = s->n;
  gradyn_status status = mech->ops->residual_data(mech, parts, at, dx, b);
  if (status == GRADYN_OK)
    status = mech->ops->phi_data(mech, GRADYN_CONSTRAINT, order, constraints, dx, b + n);
  if (dt == 0 || status != GRADYN_OK)
    return status;
  status = mech->ops->residual_time(mech, parts, at, s->c);
  for (int i = 0; i < n; i++)
    b[i] += s->c[i] * dt;
  if (status == GRADYN_OK)
    status = mech->ops->phi_time(mech, order, constraints, s->c);
  for (int i = 0; i < s->m; i++)
    b[n + i] += s->c[i] * dt;
  return status;
}

/* --- the three stages ------------------------------------------------------------------------- */

/* Changes of the stages, all [n]. */
typedef struct changes {
  double *q, *vs, *as, *As;
} changes;

/* [K + vq C + aq M, Phi_q^T; Phi_q, 0] (ddq, dlam) = -rest, after division by aq. */
static gradyn_status position_stage(gradyn_ali3p *s, const double *dx, double dh, double dt,
                                    double *ds, const changes *d)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  const gradyn_ali3p_coefficients *k = &s->k;
  const double *v = s->from + n, *A = gradyn_ali3p_A(s, s->from);
  const double *dv = ds + n, *da = ds + 2 * n, *dA = s->own_A ? ds + s->base.ny : da;
  double share = k->aq / k->Aq, b2 = s->beta * s->h * s->h;
  for (int i = 0; i < n; i++) {
    /* v*, A* depend on h explicitly; dq from v* itself */
    double dq = (s->vs[i] - k->vv * v[i] - k->vA * A[i]) / k->vq;
    double As_h = (v[i] - 2 * dq / s->h) / b2;
    double vs_h = -k->vq / s->h * dq + k->vA / s->h * A[i];
    d->vs[i] = k->vv * dv[i] + k->vA * dA[i] + vs_h * dh;
    d->As[i] = k->Av * dv[i] + k->AA * dA[i] + As_h * dh;
    d->as[i] = k->av * dv[i] + k->aA * dA[i] + k->aa * da[i] + share * As_h * dh;
  }
  double *b = s->b;
  memset(b, 0, (size_t)(n + m) * sizeof(double));
  gradyn_mech_state at = place_state(s);
  gradyn_status status = add_data(s, GRADYN_DYNAMICS, 0, &at, &at, dx, dt, b);
  gradyn_pattern_multiply(&mech->dyn, n, s->K, 1, ds, b);
  gradyn_pattern_multiply(&mech->dyn, n, s->C, 1, d->vs, b);
  gradyn_pattern_multiply(&mech->dyn, n, s->M, 1, d->as, b);
  gradyn_pattern_multiply(&mech->jac, m, s->J, 1, ds, b + n);
  for (int i = 0; i < n; i++)
    b[i] /= k->aq;
  gradyn_ali3p_solve(s, &s->place, s->A, 0, false, b, 1);
  for (int i = 0; i < n; i++) {
    double ddq = -b[i];
    d->q[i] = ds[i] + ddq;
    d->vs[i] += k->vq * ddq;
    d->As[i] += k->Aq * ddq;
    d->as[i] += k->aq * ddq;
  }
  for (int i = 0; i < m; i++)
    ds[3 * n + i] = -k->aq * b[n + i];
  return status;
}

/* Projection stage: the change of the correction, added to that of the unprojected quantity. */
static gradyn_status projection_stage(gradyn_ali3p *s, bool acceleration, const double *dx,
                                      double dt, double *ds, const changes *d)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, order = acceleration ? 2 : 1;
  gradyn_mech_state force = projection_state(s, acceleration), node = node_state(s);
  const double *unprojected = acceleration ? d->as : d->vs;
  double *b = s->b, *out = ds + order * n;
  memset(b, 0, (size_t)(n + m) * sizeof(double));
  gradyn_status status = add_data(s, GRADYN_INERTIA | GRADYN_CONSTRAINT, order, &force, &node, dx,
                                  dt, b);
  gradyn_pattern_multiply(&mech->dyn, n, acceleration ? s->Hu : s->Hw, 1, d->q, b);
  gradyn_pattern_multiply(&mech->jac, m, acceleration ? s->J2 : s->J1, 1, d->q, b + n);
  gradyn_pattern_multiply(&mech->jac, m, s->J, 1, unprojected, b + n);
  if (acceleration) /* Phi''_v = 2 Phi'_q */
    gradyn_pattern_multiply(&mech->jac, m, s->J1, 2, ds + n, b + n);
  gradyn_ali3p_solve(s, &s->project, s->M, s->projection_diagonal, false, b, 1);
  for (int i = 0; i < n; i++) {
    out[i] = unprojected[i] - b[i];
    if (acceleration && s->own_A)
      ds[s->base.ny + i] = d->As[i] - b[i];
  }
  return status;
}

static gradyn_status one_direction(gradyn_ali3p *s, const double *dx, double dh, double dt,
                                   double *ds)
{
  int n = s->n;
  const changes d = {s->bars, s->bars + n, s->bars + 2 * n, s->bars + 3 * n};
  gradyn_status status = position_stage(s, dx, dh, dt, ds, &d);
  memcpy(ds, d.q, (size_t)n * sizeof(double));
  if (status == GRADYN_OK)
    status = projection_stage(s, false, dx, dt, ds, &d);
  if (status == GRADYN_OK)
    status = projection_stage(s, true, dx, dt, ds, &d);
  return status;
}

gradyn_status gradyn_ali3p_tangent(gradyn_stepper *base, int count, const double *dx,
                                   const double *dh, const double *dt, double *ds)
{
  gradyn_status status = GRADYN_OK;
  for (int j = 0; j < count && status == GRADYN_OK; j++)
    status = one_direction((gradyn_ali3p *)base, dx + j * base->model->nx, dh[j], dt[j],
                           ds + j * base->ns);
  return status;
}

gradyn_status gradyn_ali3p_start_tangent(gradyn_stepper *base, const double *dx, double *ds)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n;
  gradyn_status status = gradyn_initial_tangent(&s->initial, dx, ds, ds + n, ds + 2 * n,
                                                ds + 3 * n);
  if (s->own_A)
    memcpy(ds + base->ny, ds + 2 * n, (size_t)n * sizeof(double));
  return status;
}
