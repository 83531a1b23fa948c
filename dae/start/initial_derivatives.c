/* Derivatives of the consistent initial state and their transposes. Each of its three problems is
 * differentiated at its solution, with the matrix of the last iteration. The derivative is exact for any
 * number of iterations. */
#include <string.h>

#include "core/linear/norm.h"
#include "core/mech/vector.h"
#include "dae/start/initial_parts.h"

/* Computes the changes (da; dlam) of accelerations and multipliers for a change of data and state. */
gradyn_status gradyn_initial_accelerate_tangent(gradyn_initial *s, const gradyn_mech_state *at,
                                                const gradyn_mech_vector *d, double *dal)
{
  gradyn_mech *mech = s->mech;
  int size = mech->n + mech->m;
  const gradyn_mech_term term = {GRADYN_DYNAMICS, 2, *at};
  GRADYN_TRY(gradyn_initial_force_matrix(s, at));
  memset(s->b, 0, (size_t)size * sizeof(double));
  /* [M, U^T; Phi_q, 0] (da; dlam) = -(dR; dPhi'') along (dx, dq, dv) */
  GRADYN_TRY(gradyn_mech_along(mech, &term, at, d, s->work, s->b));
  gradyn_initial_solve_force(s, false, s->b);
  for (int i = 0; i < size; i++)
    dal[i] = -s->b[i];
  return GRADYN_OK;
}

/* Computes (da; dlam) at the initial state, for a change of data and state. */
static gradyn_status tangent_acceleration(gradyn_initial *s, const gradyn_mech_vector *d,
                                          double *da, double *dlam)
{
  int n = s->mech->n, m = s->mech->m;
  const gradyn_mech_state at = gradyn_initial_motion_state(s, s->t, s->q, s->v);
  GRADYN_TRY(gradyn_initial_accelerate_tangent(s, &at, d, s->way.direction));
  memcpy(da, s->way.direction, (size_t)n * sizeof(double));
  memcpy(dlam, s->way.direction + n, (size_t)m * sizeof(double));
  return GRADYN_OK;
}

/* Sets s->b to the derivative of [J^T lam; Phi(order)] along d, with the multipliers of `at`. */
static gradyn_status place_rows(gradyn_initial *s, const gradyn_mech_state *at, int order,
                                const gradyn_mech_vector *d)
{
  gradyn_mech *mech = s->mech;
  memset(s->b, 0, (size_t)(mech->n + s->rows) * sizeof(double));
  const gradyn_mech_term term = {s->parts, order, *at};
  return gradyn_mech_along(mech, &term, at, d, s->work, s->b);
}

/* Returns whether the right-hand side s->b is nonzero. Many data, such as masses, change neither positions
 * nor velocities. */
static bool moves(const gradyn_initial *s)
{
  return gradyn_largest(s->b, s->mech->n + s->rows) != 0; /* NaN counts as nonzero */
}

/* Solves [W + nu H, J^T; J, 0] (dq, dnu) = -[(J^T nu)_x dx - W dq^; Phi_x dx] for the change dq of the
 * position. */
static gradyn_status tangent_place(gradyn_initial *s, const double *dx, double dt, double *dq)
{
  const gradyn_mech_state at = gradyn_initial_place_state(s);
  GRADYN_TRY(place_rows(s, &at, 0, &(gradyn_mech_vector){.x = dx, .t = dt}));
  /* the weighted difference is W (dq - dq^), since the guess is a datum */
  for (int i = 0; i < s->mech->n; i++)
    s->b[i] -= gradyn_initial_weight(s, i) * dx[s->mech->q0[i]];
  if (moves(s)) {
    GRADYN_TRY(gradyn_initial_place_matrix(s, true));
    gradyn_initial_solve_refined(s, &s->position, s->K, s->rows, false, s->b);
  }
  for (int i = 0; i < s->mech->n; i++)
    dq[i] = -s->b[i];
  return GRADYN_OK;
}

/* Returns whether, in an equilibrium, unknown i is a first-order state instead of coordinate i, its
 * integral. */
static bool remembers(const gradyn_mech *mech, int i)
{
  return mech->spare && mech->spare[i];
}

/* Computes the derivative of an equilibrium: solves [K, U^T; J, 0] (dq, dlam) = -(R_x; Phi_x) dx. Changes
 * of first-order states go to dv, which is otherwise zero. */
static gradyn_status tangent_balance(gradyn_initial *s, const double *dx, double *dq, double *dv)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_state at = gradyn_initial_rest_state(s);
  const gradyn_mech_term term = {GRADYN_DYNAMICS, 0, at};
  GRADYN_TRY(gradyn_initial_check_isolated(s));
  /* solve R_q dq = -R_x dx along the constraints */
  memset(s->b, 0, (size_t)(mech->n + mech->m) * sizeof(double));
  GRADYN_TRY(gradyn_mech_along(mech, &term, &at, &(gradyn_mech_vector){.x = dx}, s->work, s->b));
  gradyn_initial_solve_refined(s, &s->balance, s->K, mech->m, false, s->b);
  for (int i = 0; i < mech->n; i++) {
    dq[i] = remembers(mech, i) ? dx[mech->q0[i]] : -s->b[i];
    dv[i] = remembers(mech, i) ? -s->b[i] : 0;
  }
  return GRADYN_OK;
}

/* Computes the derivatives of position and velocity. */
static gradyn_status tangent_motion(gradyn_initial *s, const double *dx, double dt, double *dq,
                                    double *dv)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, rows = s->rows;
  gradyn_mech_state at = gradyn_initial_place_state(s);

  GRADYN_TRY(s->balanced ? tangent_balance(s, dx, dq, dv) : tangent_place(s, dx, dt, dq));
  /* [W, J^T; J, 0] (dv, dtau) = -[(J^T tau)_x dx + tau H dq - W dv^; Phi'_x dx + Phi'_q dq] */
  at.lam = s->tau;
  GRADYN_TRY(place_rows(s, &at, 1, &(gradyn_mech_vector){.x = dx, .t = dt, .q = dq}));
  for (int i = 0; i < n; i++)
    s->b[i] -= gradyn_initial_weight(s, i) * (s->balanced ? dv[i] : dx[mech->v0[i]]);
  if (moves(s)) {
    GRADYN_TRY(gradyn_initial_velocity_matrix(s));
    gradyn_initial_solve_refined(s, &s->position, s->K, rows, false, s->b);
  }
  for (int i = 0; i < n; i++)
    dv[i] = -s->b[i];
  return GRADYN_OK;
}

/* tangent_motion() by the problem in other coordinates, whose solution determines these coordinates. Arrays
 * of the iterations serve as workspace. */
static gradyn_status take_tangent(gradyn_initial *s, const double *dx, double dt, double *dq,
                                  double *dv)
{
  gradyn_initial *origin = s->way.origin;
  const gradyn_mech_place at = {origin->q, origin->v}, to = {dq, dv},
                          d = {origin->way.best, origin->way.near};
  GRADYN_TRY(tangent_motion(origin, dx, dt, d.q, d.v));
  s->mech->begin.origin.along(s->mech, &at, &d, &to);
  return GRADYN_OK;
}

/* Computes the derivatives of the three problems, in their order. */
gradyn_status gradyn_initial_tangent(gradyn_initial *s, const double *dx, double dt, double *dq,
                                     double *dv, double *da, double *dlam)
{
  GRADYN_TRY(s->way.origin ? take_tangent(s, dx, dt, dq, dv) : tangent_motion(s, dx, dt, dq, dv));
  /* changes of R and Phi'' by q, v and data determine (da, dlam) */
  const gradyn_mech_vector d = {.x = dx, .t = dt, .q = dq, .v = dv};
  return da ? tangent_acceleration(s, &d, da, dlam) : GRADYN_OK;
}

/* Passes the adjoints of accelerations and multipliers to data, positions and velocities. */
gradyn_status gradyn_initial_accelerate_transposed(gradyn_initial *s, const gradyn_mech_state *at,
                                                   const double *al_bar,
                                                   const gradyn_mech_sums *adjoints)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_term term = {GRADYN_DYNAMICS, 2, *at};
  GRADYN_TRY(gradyn_initial_force_matrix(s, at));
  /* mu = -S^-T (a_bar; lam_bar); then (R; Phi'')_.^T mu is added to each adjoint */
  for (int i = 0; i < mech->n + mech->m; i++)
    s->b[i] = -al_bar[i];
  gradyn_initial_solve_force(s, true, s->b);
  return gradyn_mech_against(mech, &term, at, s->b, s->work, adjoints);
}

/* Passes the adjoints of accelerations and multipliers at the initial state to data, positions and
 * velocities. */
static gradyn_status transposed_acceleration(gradyn_initial *s, const double *a_bar,
                                             const double *lam_bar,
                                             const gradyn_mech_sums *adjoints)
{
  int n = s->mech->n, m = s->mech->m;
  const gradyn_mech_state at = gradyn_initial_motion_state(s, s->t, s->q, s->v);
  memcpy(s->way.direction, a_bar, (size_t)n * sizeof(double));
  memcpy(s->way.direction + n, lam_bar, (size_t)m * sizeof(double));
  return gradyn_initial_accelerate_transposed(s, &at, s->way.direction, adjoints);
}

/* Solves the transposed position or velocity problem for the right-hand side -bar; rows have zeros. */
static void solve_place_transposed(gradyn_initial *s, const double *bar)
{
  int n = s->mech->n, rows = s->rows;
  for (int i = 0; i < n + rows; i++)
    s->b[i] = i < n ? -bar[i] : 0;
  gradyn_initial_solve_refined(s, &s->position, s->K, rows, true, s->b);
}

/* Computes the transpose of place_rows(), and of the dependence on the guess. */
static gradyn_status place_transposed(gradyn_initial *s, const gradyn_mech_state *at, int order,
                                      const gradyn_mech_sums *adjoints)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_term term = {s->parts, order, *at};
  GRADYN_TRY(gradyn_mech_against(mech, &term, at, s->b, s->work, adjoints));
  /* guesses are data, with the adjoint -W times the solution */
  const int *guess = order == 0 ? mech->q0 : mech->v0;
  for (int i = 0; i < mech->n && !s->balanced; i++)
    adjoints->x[guess[i]] -= gradyn_initial_weight(s, i) * s->b[i];
  return GRADYN_OK;
}

/* Computes the transpose of tangent_balance(). */
static gradyn_status transposed_balance(gradyn_initial *s, const double *q_bar, const double *v_bar,
                                        const gradyn_mech_sums *adjoints)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_state at = gradyn_initial_rest_state(s);
  const gradyn_mech_term term = {GRADYN_DYNAMICS, 0, at};
  GRADYN_TRY(gradyn_initial_check_isolated(s));
  /* transposed matrix with the right-hand side (-q_bar, 0), where first-order states have -v_bar */
  for (int i = 0; i < mech->n + mech->m; i++)
    s->b[i] = i >= mech->n ? 0 : remembers(mech, i) ? -v_bar[i] : -q_bar[i];
  for (int i = 0; i < mech->n; i++)
    adjoints->x[mech->q0[i]] += remembers(mech, i) ? q_bar[i] : 0;
  gradyn_initial_solve_refined(s, &s->balance, s->K, mech->m, true, s->b);
  return gradyn_mech_against(mech, &term, &at, s->b, s->work, adjoints);
}

/* Computes the transpose of tangent_motion(). */
static gradyn_status transposed_motion(gradyn_initial *s, double *q_bar, double *v_bar,
                                       double *x_bar, double *t_bar)
{
  const gradyn_mech_sums to_q = {.x = x_bar, .t = t_bar, .q = q_bar},
                         data = {.x = x_bar, .t = t_bar};
  /* the velocity problem first, whose multipliers are tau instead of nu */
  gradyn_mech_state at = gradyn_initial_place_state(s);
  at.lam = s->tau;
  GRADYN_TRY(gradyn_initial_velocity_matrix(s));
  solve_place_transposed(s, v_bar);
  GRADYN_TRY(place_transposed(s, &at, 1, &to_q));
  /* in an equilibrium, v_bar becomes the adjoint of the velocity guess; then comes the position problem */
  for (int i = 0; i < s->mech->n && s->balanced; i++)
    v_bar[i] = -gradyn_initial_weight(s, i) * s->b[i];
  if (s->balanced)
    return transposed_balance(s, q_bar, v_bar, &data);
  at.lam = s->nu;
  GRADYN_TRY(gradyn_initial_place_matrix(s, true));
  solve_place_transposed(s, q_bar);
  return place_transposed(s, &at, 0, &data);
}

/* Computes the transpose of take_tangent(). */
static gradyn_status give_bars(gradyn_initial *s, double *q_bar, double *v_bar, double *x_bar,
                               double *t_bar)
{
  gradyn_initial *origin = s->way.origin;
  const gradyn_mech_place at = {origin->q, origin->v}, adjoints = {q_bar, v_bar},
                          to = {origin->way.best, origin->way.near};
  s->mech->begin.origin.against(s->mech, &at, &adjoints, &to);
  return transposed_motion(origin, to.q, to.v, x_bar, t_bar);
}

/* Processes the three problems in reverse order, from adjoints to data. */
gradyn_status gradyn_initial_transposed(gradyn_initial *s, double *q_bar, double *v_bar,
                                        double *a_bar, double *lam_bar, double *x_bar,
                                        double *t_bar)
{
  const gradyn_mech_sums all = {.x = x_bar, .t = t_bar, .q = q_bar, .v = v_bar};
  /* first accelerations, which add to the adjoints of velocities; these add to the adjoints of positions */
  if (a_bar)
    GRADYN_TRY(transposed_acceleration(s, a_bar, lam_bar, &all));
  return s->way.origin ? give_bars(s, q_bar, v_bar, x_bar, t_bar)
                       : transposed_motion(s, q_bar, v_bar, x_bar, t_bar);
}
