/* Derivatives of a mechanism as an explicit system. With R = M a + Phi_q^T lam - Q and S the matrix
 * [M, Phi_q^T; Phi_q, 0] of a stage, its accelerations and multipliers change by
 *     S (da; dlam) = -(R_q dq + R_v dv + R_x dx + R_t dt;
 *                      Phi''_q dq + 2 Phi'_q dv + Phi''_x dx + Phi''_t dt),
 * where forces read multipliers with R_lam in place of Phi_q^T,
 * and what brings a step back onto the constraints, with P = M (q - q*) + Phi_q^T nu and
 * V = M (v - v*) + Phi_q^T tau, by
 *     (S + [P_q, 0; 0, 0]) (dq; dnu) = (M dq* - P_x dx;  -Phi_x dx - Phi_t dt),
 *     S (dv; dtau) = (M dv* - V_q dq - V_x dx;  -Phi'_q dq - Phi'_x dx - Phi'_t dt).
 * Adjoints are the transposes in reverse. */
#include "dae/rates_mech.h"

#include <string.h>

/* P_q is of the size of a step's error: its effect is a series of two terms, mostly. */
enum { MOST_TERMS = 8 };

static gradyn_rates_mech *self(gradyn_rates *s)
{
  return (gradyn_rates_mech *)s;
}

static gradyn_mech_term motion(const gradyn_rates_mech *s)
{
  return (gradyn_mech_term){GRADYN_DYNAMICS, 2, gradyn_rates_mech_at(s, s->t, s->stage)};
}

/* P with Phi, or V with Phi'. */
static gradyn_mech_term correction(const gradyn_rates_mech *s, const double *moved, bool velocity)
{
  const double *part = moved + (velocity ? s->n + s->m : 0);
  gradyn_mech_state at = gradyn_rates_mech_at(s, s->t, s->stage);
  /* (q - q*, nu) or (v - v*, tau) in the places of (a, lam) */
  at.a = part;
  at.lam = part + s->n;
  return (gradyn_mech_term){GRADYN_INERTIA | GRADYN_CONSTRAINT, velocity ? 1 : 0, at};
}

gradyn_status gradyn_rates_mech_linearise(gradyn_rates *base, double t, const double *stage)
{
  gradyn_rates_mech *s = self(base);
  gradyn_mech *mech = s->mech;
  gradyn_mech_state at = gradyn_rates_mech_at(s, t, stage);
  s->t = t;
  s->stage = stage;
  /* the factors that the stage has kept */
  gradyn_status status = gradyn_projection_restore(&s->projection, &at, stage + base->ny);
  if (status == GRADYN_OK)
    status = mech->ops->tangent(mech, GRADYN_DYNAMICS, &at, s->K, mech->damped ? s->C : NULL, NULL);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 1, &at, s->J1);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 2, &at, s->J2);
  if (status == GRADYN_OK && mech->reader)
    status = gradyn_initial_force_matrix(&s->initial, &at);
  return status;
}

/* Solves for accelerations and multipliers of a stage, S x = b, or transposed; where forces read multipliers,
 * S is no projection's matrix. */
static void solve_motion(gradyn_rates_mech *s, int columns, bool transposed, const gradyn_lanes *b,
                         gradyn_lanes *x)
{
  int size = s->n + s->m;
  if (!s->mech->reader) {
    gradyn_projection_solve_lanes(&s->projection, columns, true, b, x);
    return;
  }
  memset(x, 0, (size_t)size * sizeof *x);
  for (int k = 0; k < columns; k++) {
    /* one by one, refined: S has R_lam in place of Phi_q^T */
    for (int i = 0; i < size; i++)
      s->b[i] = b[i][k];
    gradyn_initial_solve_refined(&s->initial, &s->initial.force, s->initial.M, s->m, transposed,
                                 s->b);
    for (int i = 0; i < size; i++)
      x[i][k] = s->b[i];
  }
}

/* --- data and time ------------------------------------------------------------------------------ */

/* b -= (R_x; Phi_x) dx + (R_t; Phi_t) dt; b is negated on the way. */
static gradyn_status subtract_along(gradyn_rates_mech *s, const gradyn_mech_term *term, int columns,
                                    const double *dx, const gradyn_lanes *dt, gradyn_lanes *b)
{
  const gradyn_mech_state node = gradyn_rates_mech_at(s, s->t, s->stage);
  const gradyn_mech_look look = {1, term, &node};
  /* negated: along() adds */
  for (int i = 0; i < s->n + s->m; i++)
    b[i] = -b[i];
  const gradyn_mech_change d = {.x = dx, .t = (const double *)dt};
  gradyn_status status = s->mech->ops->along(s->mech, &look, columns, &d, &b);
  for (int i = 0; i < s->n + s->m; i++)
    b[i] = -b[i];
  return status;
}

/* x_bar -= (R_x; Phi_x)^T mu, t_bar -= (R_t; Phi_t)^T mu. */
static gradyn_status subtract_against(gradyn_rates_mech *s, const gradyn_mech_term *term,
                                      int columns, gradyn_lanes *mu, double *x_bar,
                                      gradyn_lanes *t_bar)
{
  const gradyn_mech_state node = gradyn_rates_mech_at(s, s->t, s->stage);
  const gradyn_mech_look look = {1, term, &node};
  const gradyn_mech_bars bars = {.x = x_bar, .t = (double *)t_bar};
  return s->mech->ops->against(s->mech, &look, columns, &mu, &bars);
}

/* --- stages ----------------------------------------------------------------------------------- */

gradyn_status gradyn_rates_mech_tangent(gradyn_rates *base, int columns, const gradyn_lanes *dz,
                                        const double *dx, const gradyn_lanes *dt,
                                        gradyn_lanes *dstage)
{
  gradyn_rates_mech *s = self(base);
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  const gradyn_lanes *dq = dz, *dv = dz + n;
  gradyn_lanes *b = s->b_lanes;
  const gradyn_mech_term term = motion(s);
  /* q and v of the stage are z itself */
  memcpy(dstage, dz, (size_t)(2 * n) * sizeof *dz);
  memset(b, 0, (size_t)(n + m) * sizeof *b);
  /* -(R_q dq + R_v dv; Phi''_q dq + 2 Phi'_q dv) */
  gradyn_lanes_multiply(&mech->dyn, n, s->K, -1, dq, b);
  if (mech->damped)
    gradyn_lanes_multiply(&mech->dyn, n, s->C, -1, dv, b);
  gradyn_lanes_multiply(&mech->jac, m, s->J2, -1, dq, b + n);
  gradyn_lanes_multiply(&mech->jac, m, s->J1, -2, dv, b + n);
  gradyn_status status = subtract_along(s, &term, columns, dx, dt, b);
  solve_motion(s, columns, false, b, dstage + 2 * n);
  return status;
}

gradyn_status gradyn_rates_mech_transposed(gradyn_rates *base, int columns, gradyn_lanes *stage_bar,
                                           gradyn_lanes *z_bar, double *x_bar, gradyn_lanes *t_bar)
{
  gradyn_rates_mech *s = self(base);
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  gradyn_lanes *q_bar = z_bar, *v_bar = z_bar + n, *mu = s->x;
  const gradyn_mech_term term = motion(s);
  /* S^T mu = (a_bar; lam_bar) */
  solve_motion(s, columns, true, stage_bar + 2 * n, mu);
  for (int i = 0; i < 2 * n; i++)
    z_bar[i] += stage_bar[i];
  /* q_bar -= R_q^T mu + Phi''_q^T mu, v_bar -= R_v^T mu + 2 Phi'_q^T mu */
  gradyn_lanes_multiply_transposed(&mech->dyn, n, s->K, -1, mu, q_bar);
  if (mech->damped)
    gradyn_lanes_multiply_transposed(&mech->dyn, n, s->C, -1, mu, v_bar);
  gradyn_lanes_multiply_transposed(&mech->jac, m, s->J2, -1, mu + n, q_bar);
  gradyn_lanes_multiply_transposed(&mech->jac, m, s->J1, -2, mu + n, v_bar);
  return subtract_against(s, &term, columns, mu, x_bar, t_bar);
}

/* --- arrivals --------------------------------------------------------------------------------- */

static bool below(const gradyn_lanes *x, const gradyn_lanes *y, int count, double share)
{
  gradyn_lanes a, b;
  gradyn_lanes_squares(count, x, &a);
  gradyn_lanes_squares(count, y, &b);
  bool all = true;
  for (int k = 0; k < GRADYN_LANES; k++)
    all = all && a[k] <= share * share * b[k];
  return all;
}

/* x = (S + [E, 0; 0, 0])^-1 b, or its transpose, as a series: x_0 = S^-1 b, x_k+1 = -S^-1 E x_k. b is
 * overwritten. */
static void solve_bent(gradyn_rates_mech *s, int columns, bool transposed, bool rates,
                       gradyn_lanes *b, gradyn_lanes *x)
{
  const gradyn_pattern *dyn = &s->mech->dyn;
  int n = s->n, m = s->m;
  gradyn_lanes *term = s->term;
  gradyn_projection_solve_lanes(&s->projection, columns, rates, b, x);
  memcpy(term, x, (size_t)n * sizeof *x);
  for (int k = 1; k < MOST_TERMS; k++) {
    memset(b, 0, (size_t)n * sizeof *b);
    if (transposed)
      gradyn_lanes_multiply_transposed(dyn, n, s->H, -1, term, b);
    else
      gradyn_lanes_multiply(dyn, n, s->H, -1, term, b);
    gradyn_projection_solve_lanes(&s->projection, columns, false, b, term);
    for (int i = 0; i < n + m; i++)
      x[i] += term[i];
    if (below(term, x, n, 1e-9)) /* the next one is below round-off */
      break;
  }
}

/* H = P_q or V_q. */
static gradyn_status bend(gradyn_rates_mech *s, const gradyn_mech_term *term)
{
  return s->mech->ops->tangent(s->mech, term->parts, &term->at, s->H, NULL, NULL);
}

gradyn_status gradyn_rates_mech_arrive_tangent(gradyn_rates *base, int columns, const double *moved,
                                               const double *dx, const gradyn_lanes *dt,
                                               gradyn_lanes *dz)
{
  gradyn_rates_mech *s = self(base);
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  gradyn_lanes *dq = dz, *dv = dz + n, *x = s->x, *b = s->b_lanes;
  if (m == 0) /* nothing has been moved */
    return GRADYN_OK;
  for (int velocity = 0; velocity < 2; velocity++) {
    const gradyn_mech_term term = correction(s, moved, velocity);
    gradyn_status status = bend(s, &term);
    memset(b, 0, (size_t)(n + m) * sizeof *b);
    gradyn_lanes_multiply(&mech->dyn, n, s->projection.M, 1, velocity ? dv : dq, b);
    if (velocity) {
      gradyn_lanes_multiply(&mech->dyn, n, s->H, -1, dq, b);
      gradyn_lanes_multiply(&mech->jac, m, s->J1, -1, dq, b + n);
    }
    if (status == GRADYN_OK)
      status = subtract_along(s, &term, columns, dx, dt, b);
    if (status != GRADYN_OK)
      return status;
    if (velocity)
      gradyn_projection_solve_lanes(&s->projection, columns, true, b, x);
    else
      solve_bent(s, columns, false, true, b, x);
    memcpy(velocity ? dv : dq, x, (size_t)n * sizeof *x);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_rates_mech_arrive_transposed(gradyn_rates *base, int columns,
                                                  const double *moved, gradyn_lanes *z_bar,
                                                  double *x_bar, gradyn_lanes *t_bar)
{
  gradyn_rates_mech *s = self(base);
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  gradyn_lanes *q_bar = z_bar, *v_bar = z_bar + n, *mu = s->x;
  if (m == 0)
    return GRADYN_OK;
  for (int velocity = 1; velocity >= 0; velocity--) {
    const gradyn_mech_term term = correction(s, moved, velocity);
    gradyn_lanes *bar = velocity ? v_bar : q_bar;
    gradyn_status status = bend(s, &term);
    if (status != GRADYN_OK)
      return status;
    if (velocity) { /* S mu = (v_bar; 0) */
      gradyn_projection_solve_lanes(&s->projection, columns, false, v_bar, mu);
      gradyn_lanes_multiply_transposed(&mech->dyn, n, s->H, -1, mu, q_bar);
      gradyn_lanes_multiply_transposed(&mech->jac, m, s->J1, -1, mu + n, q_bar);
    } else { /* (S + P_q)^T mu = (q_bar; 0) */
      memcpy(s->b_lanes, q_bar, (size_t)n * sizeof *q_bar);
      solve_bent(s, columns, true, false, s->b_lanes, mu);
    }
    memset(bar, 0, (size_t)n * sizeof *bar); /* that of the star: M mu */
    gradyn_lanes_multiply(&mech->dyn, n, s->projection.M, 1, mu, bar);
    status = subtract_against(s, &term, columns, mu, x_bar, t_bar);
    if (status != GRADYN_OK)
      return status;
  }
  return GRADYN_OK;
}
