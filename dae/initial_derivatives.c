/* Derivatives of the consistent initial state: tangents and transposes by the matrices of its three
 * problems. */
#include <string.h>

#include "dae/initial.h"

/* Tangent of the acceleration problem; q and v vary by dq, dv. */
static gradyn_status tangent_acceleration(gradyn_initial *s, const double *dx, const double *dq,
                                          const double *dv, double *da, double *dlam)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, m = mech->m;
  gradyn_mech_state at = gradyn_initial_motion_state(s, 0, s->q, s->v);
  gradyn_status status = gradyn_initial_force_matrix(s, &at);
  if (status == GRADYN_OK)
    status = mech->ops->tangent(mech, GRADYN_DYNAMICS, &at, s->K, s->C, NULL);
  memset(s->b, 0, (size_t)(n + m) * sizeof(double));
  const gradyn_mech_term term = {GRADYN_DYNAMICS, 2, at};
  if (status == GRADYN_OK)
    status = gradyn_mech_along(mech, &term, &at, dx, 0, s->work, s->b);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 2, &at, s->J1);
  if (status != GRADYN_OK)
    return status;
  gradyn_pattern_multiply(&mech->dyn, n, s->K, 1, dq, s->b);
  gradyn_pattern_multiply(&mech->dyn, n, s->C, 1, dv, s->b);
  gradyn_pattern_multiply(&mech->jac, m, s->J1, 1, dq, s->b + n);
  status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 1, &at, s->J1);
  gradyn_pattern_multiply(&mech->jac, m, s->J1, 2, dv, s->b + n);
  gradyn_initial_solve_refined(s, &s->force, s->M, m, false, s->b);
  for (int i = 0; i < n; i++)
    da[i] = -s->b[i];
  for (int i = 0; i < m; i++)
    dlam[i] = -s->b[n + i];
  return status;
}

/* b = [(J^T lam)_x dx; Phi(order)_x dx] for the multipliers of `at`. */
static gradyn_status place_data(gradyn_initial *s, const gradyn_mech_state *at, int order,
                                const double *dx)
{
  gradyn_mech *mech = s->mech;
  memset(s->b, 0, (size_t)(mech->n + gradyn_initial_rows(s)) * sizeof(double));
  const gradyn_mech_term term = {GRADYN_ASSEMBLY, order, *at};
  return gradyn_mech_along(mech, &term, at, dx, 0, s->work, s->b);
}

gradyn_status gradyn_initial_tangent(gradyn_initial *s, const double *dx, double *dq, double *dv,
                                     double *da, double *dlam)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, rows = gradyn_initial_rows(s);
  gradyn_mech_state at = gradyn_initial_place_state(s);

  /* [W + nu H, J^T; J, 0] (dq, dnu) = -[(J^T nu)_x dx - W dq^; Phi_x dx] */
  gradyn_status status = gradyn_initial_place_matrix(s, true);
  if (status == GRADYN_OK)
    status = place_data(s, &at, 0, dx);
  if (status != GRADYN_OK)
    return status;
  for (int i = 0; i < n; i++)
    s->b[i] -= gradyn_initial_weight(s, i) * dx[mech->q0[i]];
  gradyn_initial_solve_refined(s, &s->place, s->K, rows, false, s->b);
  for (int i = 0; i < n; i++)
    dq[i] = -s->b[i];

  /* [W, J^T; J, 0] (dv, dtau) = -[(J^T tau)_x dx + tau H dq - W dv^; Phi'_x dx + Phi'_q dq] */
  at.lam = s->tau;
  status = gradyn_initial_velocity_matrix(s);
  if (status == GRADYN_OK)
    status = place_data(s, &at, 1, dx);
  if (status == GRADYN_OK)
    status = mech->ops->tangent(mech, GRADYN_ASSEMBLY, &at, s->C, NULL, NULL);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_ASSEMBLY, 1, &at, s->J1);
  if (status != GRADYN_OK)
    return status;
  gradyn_pattern_multiply(&mech->dyn, n, s->C, 1, dq, s->b);
  gradyn_pattern_multiply(&mech->jac, rows, s->J1, 1, dq, s->b + n);
  for (int i = 0; i < n; i++)
    s->b[i] -= gradyn_initial_weight(s, i) * dx[mech->v0[i]];
  gradyn_initial_solve_refined(s, &s->place, s->K, rows, false, s->b);
  for (int i = 0; i < n; i++)
    dv[i] = -s->b[i];
  return da ? tangent_acceleration(s, dx, dq, dv, da, dlam) : GRADYN_OK;
}

/* Transpose of the acceleration problem: adds to q_bar, v_bar and x_bar. */
static gradyn_status transposed_acceleration(gradyn_initial *s, const double *a_bar,
                                             const double *lam_bar, double *q_bar, double *v_bar,
                                             double *x_bar)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, m = mech->m;
  gradyn_mech_state at = gradyn_initial_motion_state(s, 0, s->q, s->v);
  gradyn_status status = gradyn_initial_force_matrix(s, &at);
  if (status == GRADYN_OK)
    status = mech->ops->tangent(mech, GRADYN_DYNAMICS, &at, s->K, s->C, NULL);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 2, &at, s->J1);
  if (status != GRADYN_OK)
    return status;
  for (int i = 0; i < n + m; i++)
    s->b[i] = i < n ? -a_bar[i] : -lam_bar[i - n];
  gradyn_initial_solve_refined(s, &s->force, s->M, m, true, s->b);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->K, 1, s->b, q_bar);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->C, 1, s->b, v_bar);
  gradyn_pattern_multiply_transposed(&mech->jac, m, s->J1, 1, s->b + n, q_bar);
  status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 1, &at, s->J1);
  gradyn_pattern_multiply_transposed(&mech->jac, m, s->J1, 2, s->b + n, v_bar);
  const gradyn_mech_term term = {GRADYN_DYNAMICS, 2, at};
  return status == GRADYN_OK ? gradyn_mech_against(mech, &term, &at, s->b, s->work, x_bar, NULL)
                             : status;
}

/* Right-hand side (-bar, 0), solved by the transposed matrix of the position or velocity problem. */
static void solve_place_transposed(gradyn_initial *s, const double *bar)
{
  int n = s->mech->n, rows = gradyn_initial_rows(s);
  for (int i = 0; i < n + rows; i++)
    s->b[i] = i < n ? -bar[i] : 0;
  gradyn_initial_solve_refined(s, &s->place, s->K, rows, true, s->b);
}

static gradyn_status place_data_transposed(gradyn_initial *s, const gradyn_mech_state *at,
                                           int order, double *x_bar)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_term term = {GRADYN_ASSEMBLY, order, *at};
  gradyn_status status = gradyn_mech_against(mech, &term, at, s->b, s->work, x_bar, NULL);
  const int *guess = order == 0 ? mech->q0 : mech->v0;
  for (int i = 0; i < mech->n; i++)
    x_bar[guess[i]] -= gradyn_initial_weight(s, i) * s->b[i];
  return status;
}

gradyn_status gradyn_initial_transposed(gradyn_initial *s, double *q_bar, double *v_bar,
                                        double *a_bar, double *lam_bar, double *x_bar)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, rows = gradyn_initial_rows(s);
  gradyn_status status = GRADYN_OK;
  if (a_bar)
    status = transposed_acceleration(s, a_bar, lam_bar, q_bar, v_bar, x_bar);

  /* velocity */
  gradyn_mech_state at = gradyn_initial_place_state(s);
  at.lam = s->tau;
  if (status == GRADYN_OK)
    status = gradyn_initial_velocity_matrix(s);
  if (status == GRADYN_OK)
    status = mech->ops->tangent(mech, GRADYN_ASSEMBLY, &at, s->C, NULL, NULL);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_ASSEMBLY, 1, &at, s->J1);
  if (status != GRADYN_OK)
    return status;
  solve_place_transposed(s, v_bar);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->C, 1, s->b, q_bar);
  gradyn_pattern_multiply_transposed(&mech->jac, rows, s->J1, 1, s->b + n, q_bar);
  status = place_data_transposed(s, &at, 1, x_bar);

  /* position */
  at.lam = s->nu;
  if (status == GRADYN_OK)
    status = gradyn_initial_place_matrix(s, true);
  if (status != GRADYN_OK)
    return status;
  solve_place_transposed(s, q_bar);
  return place_data_transposed(s, &at, 0, x_bar);
}
