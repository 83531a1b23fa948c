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

/* Takes the step in hand: where it started and ended, and how its matrices were made. */
static void look_at_step(gradyn_ali3p *s, double t, double h, const double *from, const double *to)
{
  const double *w = to + s->base.ns, *u = w + s->n;
  int n = s->n;
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
}

static gradyn_status evaluate(gradyn_ali3p *s, const double *kept)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_ops *ops = mech->ops;
  int parts = GRADYN_INERTIA | GRADYN_CONSTRAINT;
  gradyn_mech_state place = place_state(s), node = node_state(s);
  gradyn_mech_state velocity = projection_state(s, false), acceleration = projection_state(s, true);
  gradyn_status status = ops->tangent(mech, GRADYN_DYNAMICS, &place, s->K, s->C,
                                      mech->constant_mass ? NULL : s->M);
  if (status == GRADYN_OK)
    status = ops->tangent(mech, parts, &velocity, s->Hw, NULL, NULL);
  if (status == GRADYN_OK)
    status = ops->tangent(mech, parts, &acceleration, s->Hu, NULL, NULL);
  if (kept)
    memcpy(s->J, kept, (size_t)s->place.jac_nnz * sizeof(double));
  else if (status == GRADYN_OK)
    status = ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &node, s->J);
  if (status == GRADYN_OK)
    status = ops->phi_q(mech, GRADYN_CONSTRAINT, 1, &node, s->J1);
  if (status == GRADYN_OK)
    status = ops->phi_q(mech, GRADYN_CONSTRAINT, 2, &node, s->J2);
  return status;
}

/* Models whose forces bend the matrix less than this solve by a series. */
static const double enough = 1e-3;

gradyn_status gradyn_ali3p_linearise(gradyn_stepper *base, double t, double h, const double *from,
                                     const double *to)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  look_at_step(s, t, h, from, to);
  const double *kept = s->kept && s->schur_now && to[s->kept] == 1 ? to + s->kept + 1 : NULL;
  gradyn_status status = evaluate(s, kept);
  if (status != GRADYN_OK)
    return status;
  s->viscous = false;
  for (int i = 0; i < s->place.dyn_nnz; i++) {
    s->B[i] = s->K[i] + s->k.vq * s->C[i];
    s->A[i] = s->M[i] + s->B[i] / s->k.aq;
    s->viscous = s->viscous || s->C[i] != 0;
  }
  if (kept)
    gradyn_schur_restore(&s->schur, s->J, kept + s->place.jac_nnz);
  else
    status = gradyn_ali3p_factor(s, &s->project, s->M, s->projection_diagonal, t + h);
  if (status != GRADYN_OK)
    return status;
  if (s->schur_now)
    gradyn_schur_invert(&s->schur);
  s->placed = !(s->schur_now && s->bend < enough);
  /* at convergence the penalty of the position problem has dropped out */
  return s->placed ? gradyn_ali3p_factor(s, &s->place, s->A, 0, t + h) : status;
}

/* --- right-hand sides by data and time -------------------------------------------------------- */

/* Directions of one pack, and their lanes. */
typedef struct pack {
  int columns;      /* directions in it */
  const double *dx; /* [columns][nx] */
  const double *dt; /* [columns] */
  gradyn_lanes dh;
  gradyn_lanes *q, *v, *a, *lam, *A; /* [n], lam [m]: changes of the node */
  gradyn_lanes *vs, *as, *As;        /* [n] changes of v*, a*, A* */
  gradyn_lanes *rhs, *x;             /* [n + m] */
} pack;

static pack pack_of(const gradyn_ali3p *s)
{
  size_t n = (size_t)s->n, m = (size_t)s->m;
  pack p = {.q = s->lanes};
  p.v = p.q + n;
  p.a = p.v + n;
  p.lam = p.a + n;
  p.A = p.lam + m;
  p.vs = p.A + n;
  p.as = p.vs + n;
  p.As = p.as + n;
  p.rhs = p.As + n;
  p.x = p.rhs + n + m;
  return p;
}

/* b += (residual; phi)_t dt. */
static gradyn_status add_time(gradyn_ali3p *s, int parts, int order, const gradyn_mech_state *at,
                              const gradyn_mech_state *constraints, double dt, double *b)
{
  gradyn_mech *mech = s->mech;
  gradyn_status status = mech->ops->residual_time(mech, parts, at, s->c);
  for (int i = 0; i < s->n; i++)
    b[i] += s->c[i] * dt;
  if (status == GRADYN_OK)
    status = mech->ops->phi_time(mech, order, constraints, s->c);
  for (int i = 0; i < s->m; i++)
    b[s->n + i] += s->c[i] * dt;
  return status;
}

/* rhs = (residual; phi)_x dx + (residual; phi)_t dt. */
static gradyn_status data_terms(gradyn_ali3p *s, int parts, int order, const gradyn_mech_state *at,
                                const gradyn_mech_state *constraints, const pack *p)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, size = n + s->m, nx = s->base.model->nx;
  memset(s->b, 0, (size_t)(p->columns * size) * sizeof(double));
  for (int j = 0; j < p->columns; j++) {
    double *b = s->b + j * size;
    const double *dx = p->dx + j * nx;
    gradyn_status status = mech->ops->residual_data(mech, parts, at, dx, b);
    if (status == GRADYN_OK)
      status = mech->ops->phi_data(mech, GRADYN_CONSTRAINT, order, constraints, dx, b + n);
    if (status == GRADYN_OK && p->dt[j] != 0)
      status = add_time(s, parts, order, at, constraints, p->dt[j], b);
    if (status != GRADYN_OK)
      return status;
  }
  gradyn_lanes_load(size, p->columns, s->b, size, p->rhs);
  return GRADYN_OK;
}

/* --- the three stages ------------------------------------------------------------------------- */

/* Adds what v*, A*, a* owe to the length of the step at fixed dq. */
static void stretch(const gradyn_ali3p *s, const pack *p)
{
  const gradyn_ali3p_coefficients *k = &s->k;
  const double *v = s->from + s->n, *A = gradyn_ali3p_A(s, s->from);
  double b2 = s->beta * s->h * s->h;
  for (int i = 0; i < s->n; i++) {
    double dq = (s->vs[i] - k->vv * v[i] - k->vA * A[i]) / k->vq;
    double As_h = (v[i] - 2 * dq / s->h) / b2;
    double vs_h = -k->vq / s->h * dq + k->vA / s->h * A[i];
    p->vs[i] += vs_h * p->dh;
    p->As[i] += As_h * p->dh;
    p->as[i] += k->share * As_h * p->dh;
  }
}

/* Parts of v*, A*, a* that do not come from dq: they depend on the node before and on h. */
static void carry_over(const gradyn_ali3p *s, const pack *p)
{
  const gradyn_ali3p_coefficients *k = &s->k;
  const gradyn_lanes *dA = s->own_A ? p->A : p->a;
  bool moving = false;
  for (int i = 0; i < s->n; i++) {
    p->vs[i] = k->vv * p->v[i] + k->vA * dA[i];
    p->As[i] = k->Av * p->v[i] + k->AA * dA[i];
    p->as[i] = k->av * p->v[i] + k->aA * dA[i] + k->aa * p->a[i];
  }
  for (int j = 0; j < p->columns; j++)
    moving = moving || p->dh[j] != 0;
  if (moving)
    stretch(s, p);
}

/* [K + vq C + aq M, Phi_q^T; Phi_q, 0] (ddq, dlam) = -rhs, after division by aq. */
static gradyn_status position_stage(gradyn_ali3p *s, const pack *p)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  const gradyn_ali3p_coefficients *k = &s->k;
  double inverse = 1 / k->aq;
  gradyn_mech_state at = place_state(s);
  carry_over(s, p);
  gradyn_status status = data_terms(s, GRADYN_DYNAMICS, 0, &at, &at, p);
  if (status != GRADYN_OK)
    return status;
  gradyn_lanes_multiply(&mech->dyn, n, s->K, 1, p->q, p->rhs);
  if (s->viscous)
    gradyn_lanes_multiply(&mech->dyn, n, s->C, 1, p->vs, p->rhs);
  gradyn_lanes_multiply(&mech->dyn, n, s->M, 1, p->as, p->rhs);
  gradyn_lanes_multiply(&mech->jac, m, s->J, 1, p->q, p->rhs + n);
  for (int i = 0; i < n; i++)
    p->rhs[i] *= inverse;
  status = gradyn_ali3p_solve_place(s, false, true, p->rhs, p->x);
  for (int i = 0; i < n; i++) {
    p->q[i] -= p->x[i];
    p->vs[i] -= k->vq * p->x[i];
    p->As[i] -= k->Aq * p->x[i];
    p->as[i] -= k->aq * p->x[i];
  }
  for (int i = 0; i < m; i++)
    p->lam[i] = -k->aq * p->x[n + i];
  return status;
}

/* Projection stage: the change of the correction, added to that of the unprojected quantity. */
static gradyn_status projection_stage(gradyn_ali3p *s, bool acceleration, const pack *p)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, order = acceleration ? 2 : 1;
  gradyn_mech_state force = projection_state(s, acceleration), node = node_state(s);
  const gradyn_lanes *unprojected = acceleration ? p->as : p->vs;
  gradyn_lanes *rates = p->rhs + n, *out = acceleration ? p->a : p->v;
  gradyn_status status = data_terms(s, GRADYN_INERTIA | GRADYN_CONSTRAINT, order, &force, &node, p);
  if (status != GRADYN_OK)
    return status;
  gradyn_lanes_multiply(&mech->dyn, n, acceleration ? s->Hu : s->Hw, 1, p->q, p->rhs);
  gradyn_lanes_multiply(&mech->jac, m, acceleration ? s->J2 : s->J1, 1, p->q, rates);
  gradyn_lanes_multiply(&mech->jac, m, s->J, 1, unprojected, rates);
  if (acceleration) /* Phi''_v = 2 Phi'_q */
    gradyn_lanes_multiply(&mech->jac, m, s->J1, 2, p->v, rates);
  gradyn_ali3p_solve_projection(s, true, p->rhs, p->x);
  for (int i = 0; i < n; i++) {
    out[i] = unprojected[i] - p->x[i];
    if (acceleration && s->own_A)
      p->A[i] = p->As[i] - p->x[i];
  }
  return status;
}

static gradyn_status advance_pack(gradyn_ali3p *s, const pack *p, double *ds)
{
  int n = s->n, m = s->m, ns = s->base.ns;
  gradyn_lanes_load(3 * n + m, p->columns, ds, ns, p->q); /* q, v, a, lam in a row */
  if (s->own_A)
    gradyn_lanes_load(n, p->columns, ds + s->base.ny, ns, p->A);
  gradyn_status status = position_stage(s, p);
  if (status == GRADYN_OK)
    status = projection_stage(s, false, p);
  if (status == GRADYN_OK)
    status = projection_stage(s, true, p);
  gradyn_lanes_store(3 * n + m, p->columns, p->q, ds, ns);
  if (s->own_A)
    gradyn_lanes_store(n, p->columns, p->A, ds + s->base.ny, ns);
  return status;
}

gradyn_status gradyn_ali3p_tangent(gradyn_stepper *base, int count, const double *dx,
                                   const double *dh, const double *dt, double *ds)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  gradyn_status status = GRADYN_OK;
  for (int j = 0; j < count && status == GRADYN_OK; j += GRADYN_LANES) {
    pack p = pack_of(s);
    p.columns = count - j < GRADYN_LANES ? count - j : GRADYN_LANES;
    p.dx = dx + j * base->model->nx;
    p.dt = dt + j;
    gradyn_lanes_load(1, p.columns, dh + j, 1, &p.dh);
    status = advance_pack(s, &p, ds + j * base->ns);
  }
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
