/* Consistent initial state: Newton on the three saddle systems, tangents and transposes by the same
 * matrices. */
#include "dae/initial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 60, REFINEMENTS = 3 };

static int row_count(const gradyn_initial *s)
{
  return s->mech->m + s->mech->held;
}

gradyn_status gradyn_initial_create(gradyn_mech *mech, gradyn_initial *s)
{
  size_t n = (size_t)mech->n + 1, rows = (size_t)(mech->m + mech->held) + 1;
  memset(s, 0, sizeof *s);
  s->mech = mech;
  s->q = calloc(n, sizeof(double));
  s->v = calloc(n, sizeof(double));
  s->a = calloc(n, sizeof(double));
  s->lam = calloc(rows, sizeof(double));
  s->nu = calloc(rows, sizeof(double));
  s->tau = calloc(rows, sizeof(double));
  s->K = calloc((size_t)mech->dyn.nnz + 1, sizeof(double));
  s->C = calloc((size_t)mech->dyn.nnz + 1, sizeof(double));
  s->M = calloc((size_t)mech->dyn.nnz + 1, sizeof(double));
  s->J = calloc((size_t)mech->jac.nnz + 1, sizeof(double));
  s->J1 = calloc((size_t)mech->jac.nnz + 1, sizeof(double));
  s->b = calloc(n + rows, sizeof(double));
  s->rest = calloc(n + rows, sizeof(double));
  s->sum = calloc(n + rows, sizeof(double));
  s->direction = calloc(n + rows, sizeof(double));
  bool ok = s->q && s->v && s->a && s->lam && s->nu && s->tau && s->K && s->C && s->M && s->J &&
            s->J1 && s->b && s->rest && s->sum && s->direction;
  gradyn_status status = ok ? GRADYN_OK : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    status = gradyn_saddle_create(&mech->dyn, &mech->jac, mech->m + mech->held, GRADYN_BACKEND_AUTO,
                                  &s->place);
  if (status == GRADYN_OK)
    status = gradyn_saddle_create(&mech->dyn, &mech->jac, mech->m, GRADYN_BACKEND_AUTO, &s->force);
  if (status != GRADYN_OK)
    gradyn_initial_clear(s);
  return status;
}

void gradyn_initial_clear(gradyn_initial *s)
{
  gradyn_saddle_clear(&s->place);
  gradyn_saddle_clear(&s->force);
  free(s->q);
  free(s->v);
  free(s->a);
  free(s->lam);
  free(s->nu);
  free(s->tau);
  free(s->K);
  free(s->C);
  free(s->M);
  free(s->J);
  free(s->J1);
  free(s->b);
  free(s->rest);
  free(s->sum);
  free(s->direction);
  memset(s, 0, sizeof *s);
}

/* --- linear algebra shared by the three problems --------------------------------------------------- */

static double largest(const double *x, int count)
{
  double max = 0;
  for (int i = 0; i < count; i++) {
    if (isnan(x[i]))
      return NAN; /* fmax() would pass over it */
    max = fmax(max, fabs(x[i]));
  }
  return max;
}

static gradyn_status factor(gradyn_initial *s, gradyn_saddle *matrix, const char *what)
{
  gradyn_status status = gradyn_linsys_factor(matrix->system);
  if (status == GRADYN_OK)
    return GRADYN_OK;
  int at = gradyn_linsys_singular_at(matrix->system);
  const char *name = "?";
  if (at >= 0 && at < s->mech->n)
    name = s->mech->coordinate_name(s->mech, at);
  else if (at >= 0)
    name = s->mech->constraint_name(s->mech, at - s->mech->n);
  return gradyn_fail(s->mech->message, status,
                     "the %s problem of the initial state is %s near %s: is there a point without "
                     "mass that no constraint moves?",
                     what, status == GRADYN_SINGULAR ? "singular" : "not finite", name);
}

/* y = S x for the saddle matrix of A [dyn] and J without its diagonal, or its transpose. */
static void multiply(const gradyn_initial *s, const double *A, int rows, bool transposed,
                     const double *x, double *y)
{
  const gradyn_mech *mech = s->mech;
  int n = mech->n;
  for (int i = 0; i < n + rows; i++)
    y[i] = 0;
  if (transposed)
    gradyn_pattern_multiply_transposed(&mech->dyn, n, A, 1, x, y);
  else
    gradyn_pattern_multiply(&mech->dyn, n, A, 1, x, y);
  gradyn_pattern_multiply_transposed(&mech->jac, rows, s->J, 1, x + n, y);
  gradyn_pattern_multiply(&mech->jac, rows, s->J, 1, x, y + n);
}

/* Solves S x = b (or S^T x = b) for the matrix without its tiny diagonal: the factors have it, and
 * refinement takes it out again. x replaces b. Expects A and J to be those of the factors, with
 * residual_lam = Phi_q. */
static void solve_refined(gradyn_initial *s, gradyn_saddle *matrix, const double *A, int rows,
                          bool transposed, double *b)
{
  int size = s->mech->n + rows;
  for (int i = 0; i < size; i++) {
    s->sum[i] = 0;
    s->rest[i] = b[i];
  }
  for (int pass = 0; pass < REFINEMENTS; pass++) {
    if (transposed)
      gradyn_linsys_solve_transposed(matrix->system, s->rest, 1);
    else
      gradyn_linsys_solve(matrix->system, s->rest, 1);
    for (int i = 0; i < size; i++)
      s->sum[i] += s->rest[i];
    multiply(s, A, rows, transposed, s->sum, s->rest);
    for (int i = 0; i < size; i++)
      s->rest[i] = b[i] - s->rest[i];
  }
  for (int i = 0; i < size; i++)
    b[i] = s->sum[i];
}

static void set_identity(const gradyn_mech *mech, double *A)
{
  for (int i = 0; i < mech->n; i++)
    for (int k = mech->dyn.start[i]; k < mech->dyn.start[i + 1]; k++)
      A[k] = mech->dyn.col[k] == i;
}

static gradyn_mech_state place_state(const gradyn_initial *s)
{
  return (gradyn_mech_state){.t = 0, .q = s->q, .v = s->v, .a = s->a, .lam = s->nu};
}

/* --- position --------------------------------------------------------------------------------------- */

/* Names the three constraints that are violated most. */
static gradyn_status not_assembled(gradyn_initial *s, double *phi)
{
  gradyn_mech *mech = s->mech;
  char text[512] = "";
  size_t used = 0;
  for (int rank = 0; rank < 3; rank++) {
    int worst = -1;
    for (int i = 0; i < row_count(s); i++)
      if (fabs(phi[i]) > 1e-9 && (worst < 0 || fabs(phi[i]) > fabs(phi[worst])))
        worst = i;
    if (worst < 0)
      break;
    int wrote = snprintf(text + used, sizeof text - used, "%s%s%s by %.3g m", rank ? ", " : "",
                         mech->constraint_name(mech, worst), worst >= mech->m ? " (held)" : "",
                         fabs(phi[worst]));
    if (wrote > 0 && used + (size_t)wrote < sizeof text)
      used += (size_t)wrote;
    phi[worst] = 0;
  }
  return gradyn_fail(mech->message, GRADYN_NOT_ASSEMBLED,
                     "the mechanism cannot be assembled near the given points; violated most: %s. "
                     "Check lengths, initial coordinates and what is held",
                     used ? text : "none, but the iteration does not settle");
}

/* Matrix of the position problem at the present q and nu; the second-order term only where it helps,
 * near the solution. */
static gradyn_status position_matrix(gradyn_initial *s, bool second_order)
{
  gradyn_mech *mech = s->mech;
  gradyn_mech_state at = place_state(s);
  gradyn_status status = mech->ops->phi_q(mech, GRADYN_ASSEMBLY, 0, &at, s->J);
  set_identity(mech, s->K);
  if (second_order && status == GRADYN_OK) {
    status = mech->ops->tangent(mech, GRADYN_ASSEMBLY, &at, s->C, NULL, NULL);
    for (int k = 0; k < mech->dyn.nnz; k++)
      s->K[k] += s->C[k];
  }
  if (status != GRADYN_OK)
    return status;
  gradyn_saddle_fill(&s->place, s->K, s->J, s->J, -s->place_diagonal);
  return factor(s, &s->place, "position");
}

static gradyn_status solve_position(gradyn_initial *s)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, rows = row_count(s);
  double last = HUGE_VAL;
  bool near = false;
  for (int i = 0; i < n; i++)
    s->q[i] = mech->x[mech->q0[i]];
  for (int i = 0; i < rows; i++)
    s->nu[i] = 0;
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    gradyn_mech_state at = place_state(s);
    gradyn_status status = position_matrix(s, near);
    if (status == GRADYN_OK)
      status = mech->ops->phi(mech, GRADYN_ASSEMBLY, 0, &at, s->b + n);
    if (status != GRADYN_OK)
      return status;
    double violation = largest(s->b + n, rows);
    for (int i = 0; i < n; i++)
      s->b[i] = mech->x[mech->q0[i]] - s->q[i];
    for (int i = 0; i < rows; i++)
      s->b[n + i] = -s->b[n + i] - s->place_diagonal * s->nu[i];
    gradyn_linsys_solve(s->place.system, s->b, 1);
    double step = largest(s->b, n), size = 1 + largest(s->q, n);
    double damping = step > 0.5 * size ? 0.5 * size / step : 1;
    for (int i = 0; i < n; i++)
      s->q[i] += damping * s->b[i];
    for (int i = 0; i < rows; i++)
      s->nu[i] = s->b[n + i];
    if (!isfinite(step) || !isfinite(violation))
      break;
    /* converged when neither constraints nor step can be told from round-off */
    if (violation < 1e-13 * size && (step < 1e-14 * size || (step >= last && step < 1e-11 * size)))
      return GRADYN_OK;
    near = step < 1e-3 * size;
    last = step;
  }
  gradyn_mech_state at = place_state(s);
  gradyn_status status = mech->ops->phi(mech, GRADYN_ASSEMBLY, 0, &at, s->b);
  return status == GRADYN_OK || status == GRADYN_NON_FINITE ? not_assembled(s, s->b) : status;
}

/* --- velocity and acceleration ------------------------------------------------------------------------ */

/* Matrix [I, J^T; J, 0] of the velocity problem. */
static gradyn_status velocity_matrix(gradyn_initial *s)
{
  gradyn_mech_state at = place_state(s);
  gradyn_status status = s->mech->ops->phi_q(s->mech, GRADYN_ASSEMBLY, 0, &at, s->J);
  if (status != GRADYN_OK)
    return status;
  set_identity(s->mech, s->K);
  gradyn_saddle_fill(&s->place, s->K, s->J, s->J, -s->place_diagonal);
  return factor(s, &s->place, "velocity");
}

static gradyn_status solve_velocity(gradyn_initial *s)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, rows = row_count(s);
  gradyn_mech_state at = place_state(s);
  for (int i = 0; i < n; i++)
    s->v[i] = mech->x[mech->v0[i]];
  gradyn_status status = velocity_matrix(s);
  if (status == GRADYN_OK)
    status = mech->ops->phi(mech, GRADYN_ASSEMBLY, 1, &at, s->b + n);
  if (status != GRADYN_OK)
    return status;
  for (int i = 0; i < n; i++)
    s->b[i] = 0;
  for (int i = 0; i < rows; i++)
    s->b[n + i] = -s->b[n + i];
  solve_refined(s, &s->place, s->K, rows, false, s->b);
  for (int i = 0; i < n; i++)
    s->v[i] += s->b[i];
  for (int i = 0; i < rows; i++)
    s->tau[i] = s->b[n + i];
  status = mech->ops->phi(mech, GRADYN_ASSEMBLY, 1, &at, s->b);
  double left = largest(s->b, rows);
  if (status == GRADYN_OK && !(left < 1e-9 * (1 + largest(s->v, n))))
    return gradyn_fail(mech->message, GRADYN_NOT_ASSEMBLED,
                       "no velocity satisfies the constraints and what is held: Phi' = %.3g m/s is "
                       "left over. Hold fewer velocities, or mend their values",
                       left);
  return status;
}

static gradyn_mech_state motion_state(const gradyn_initial *s, double t, const double *q,
                                      const double *v)
{
  return (gradyn_mech_state){.t = t, .q = q, .v = v, .a = s->a, .lam = s->lam};
}

/* Matrix [M, Phi_q^T; Phi_q, 0] of the acceleration problem. */
static gradyn_status acceleration_matrix(gradyn_initial *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  gradyn_status status = mech->ops->tangent(mech, GRADYN_DYNAMICS, at, NULL, NULL, s->M);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->J);
  if (status != GRADYN_OK)
    return status;
  /* the diagonal is small beside Phi M^-1 Phi^T, whose size is one over a mass */
  s->force_diagonal = 1e-9 / fmax(largest(s->M, mech->dyn.nnz), 1e-9);
  gradyn_saddle_fill(&s->force, s->M, s->J, s->J, -s->force_diagonal);
  return factor(s, &s->force, "acceleration");
}

gradyn_status gradyn_initial_accelerate(gradyn_initial *s, double t, const double *q,
                                        const double *v)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, m = mech->m;
  gradyn_mech_state at = motion_state(s, t, q, v);
  memset(s->a, 0, (size_t)n * sizeof(double));
  memset(s->lam, 0, (size_t)m * sizeof(double));
  gradyn_status status = acceleration_matrix(s, &at);
  for (int pass = 0; pass < REFINEMENTS && status == GRADYN_OK; pass++) {
    status = mech->ops->residual(mech, GRADYN_DYNAMICS, &at, s->b);
    if (status == GRADYN_OK)
      status = mech->ops->phi(mech, GRADYN_CONSTRAINT, 2, &at, s->b + n);
    if (status != GRADYN_OK)
      break;
    gradyn_linsys_solve(s->force.system, s->b, 1);
    for (int i = 0; i < n; i++)
      s->a[i] -= s->b[i];
    for (int i = 0; i < m; i++)
      s->lam[i] -= s->b[n + i];
  }
  if (status == GRADYN_OK && !(isfinite(largest(s->a, n)) && isfinite(largest(s->lam, m))))
    status = gradyn_fail(mech->message, GRADYN_NON_FINITE,
                         "the accelerations at t = %g s are not finite", t);
  return status;
}

gradyn_status gradyn_initial_solve(gradyn_initial *s)
{
  s->place_diagonal = 1e-8;
  gradyn_linsys_reset(s->place.system);
  gradyn_linsys_reset(s->force.system);
  gradyn_status status = solve_position(s);
  if (status == GRADYN_OK)
    status = solve_velocity(s);
  if (status == GRADYN_OK)
    status = gradyn_initial_accelerate(s, 0, s->q, s->v);
  return status;
}

/* --- derivatives ------------------------------------------------------------------------------------- */

/* Tangent of the acceleration problem; q and v vary by dq, dv. */
static gradyn_status tangent_acceleration(gradyn_initial *s, const double *dx, const double *dq,
                                          const double *dv, double *da, double *dlam)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, m = mech->m;
  gradyn_mech_state at = motion_state(s, 0, s->q, s->v);
  gradyn_status status = acceleration_matrix(s, &at);
  if (status == GRADYN_OK)
    status = mech->ops->tangent(mech, GRADYN_DYNAMICS, &at, s->K, s->C, NULL);
  memset(s->b, 0, (size_t)(n + m) * sizeof(double));
  if (status == GRADYN_OK)
    status = mech->ops->residual_data(mech, GRADYN_DYNAMICS, &at, dx, s->b);
  if (status == GRADYN_OK)
    status = mech->ops->phi_data(mech, GRADYN_CONSTRAINT, 2, &at, dx, s->b + n);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 2, &at, s->J1);
  if (status != GRADYN_OK)
    return status;
  gradyn_pattern_multiply(&mech->dyn, n, s->K, 1, dq, s->b);
  gradyn_pattern_multiply(&mech->dyn, n, s->C, 1, dv, s->b);
  gradyn_pattern_multiply(&mech->jac, m, s->J1, 1, dq, s->b + n);
  status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 1, &at, s->J1);
  gradyn_pattern_multiply(&mech->jac, m, s->J1, 2, dv, s->b + n);
  solve_refined(s, &s->force, s->M, m, false, s->b);
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
  memset(s->b, 0, (size_t)(mech->n + row_count(s)) * sizeof(double));
  gradyn_status status = mech->ops->residual_data(mech, GRADYN_ASSEMBLY, at, dx, s->b);
  if (status == GRADYN_OK)
    status = mech->ops->phi_data(mech, GRADYN_ASSEMBLY, order, at, dx, s->b + mech->n);
  return status;
}

gradyn_status gradyn_initial_tangent(gradyn_initial *s, const double *dx, double *dq, double *dv,
                                     double *da, double *dlam)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, rows = row_count(s);
  gradyn_mech_state at = place_state(s);

  /* [I + nu H, J^T; J, 0] (dq, dnu) = -[(J^T nu)_x dx - dq^; Phi_x dx] */
  gradyn_status status = position_matrix(s, true);
  if (status == GRADYN_OK)
    status = place_data(s, &at, 0, dx);
  if (status != GRADYN_OK)
    return status;
  for (int i = 0; i < n; i++)
    s->b[i] -= dx[mech->q0[i]];
  solve_refined(s, &s->place, s->K, rows, false, s->b);
  for (int i = 0; i < n; i++)
    dq[i] = -s->b[i];

  /* [I, J^T; J, 0] (dv, dtau) = -[(J^T tau)_x dx + tau H dq - dv^; Phi'_x dx + Phi'_q dq] */
  at.lam = s->tau;
  status = velocity_matrix(s);
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
    s->b[i] -= dx[mech->v0[i]];
  solve_refined(s, &s->place, s->K, rows, false, s->b);
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
  gradyn_mech_state at = motion_state(s, 0, s->q, s->v);
  gradyn_status status = acceleration_matrix(s, &at);
  if (status == GRADYN_OK)
    status = mech->ops->tangent(mech, GRADYN_DYNAMICS, &at, s->K, s->C, NULL);
  if (status == GRADYN_OK)
    status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 2, &at, s->J1);
  if (status != GRADYN_OK)
    return status;
  for (int i = 0; i < n + m; i++)
    s->b[i] = i < n ? -a_bar[i] : -lam_bar[i - n];
  solve_refined(s, &s->force, s->M, m, true, s->b);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->K, 1, s->b, q_bar);
  gradyn_pattern_multiply_transposed(&mech->dyn, n, s->C, 1, s->b, v_bar);
  gradyn_pattern_multiply_transposed(&mech->jac, m, s->J1, 1, s->b + n, q_bar);
  status = mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 1, &at, s->J1);
  gradyn_pattern_multiply_transposed(&mech->jac, m, s->J1, 2, s->b + n, v_bar);
  if (status == GRADYN_OK)
    status = mech->ops->residual_data_transposed(mech, GRADYN_DYNAMICS, &at, s->b, x_bar);
  if (status == GRADYN_OK)
    status = mech->ops->phi_data_transposed(mech, GRADYN_CONSTRAINT, 2, &at, s->b + n, x_bar);
  return status;
}

/* Right-hand side (-bar, 0), solved by the transposed matrix of the position or velocity problem. */
static void solve_place_transposed(gradyn_initial *s, const double *bar)
{
  int n = s->mech->n, rows = row_count(s);
  for (int i = 0; i < n + rows; i++)
    s->b[i] = i < n ? -bar[i] : 0;
  solve_refined(s, &s->place, s->K, rows, true, s->b);
}

static gradyn_status place_data_transposed(gradyn_initial *s, const gradyn_mech_state *at,
                                           int order, double *x_bar)
{
  gradyn_mech *mech = s->mech;
  gradyn_status status = mech->ops->residual_data_transposed(mech, GRADYN_ASSEMBLY, at, s->b,
                                                             x_bar);
  if (status == GRADYN_OK)
    status = mech->ops->phi_data_transposed(mech, GRADYN_ASSEMBLY, order, at, s->b + mech->n,
                                            x_bar);
  const int *guess = order == 0 ? mech->q0 : mech->v0;
  for (int i = 0; i < mech->n; i++)
    x_bar[guess[i]] -= s->b[i];
  return status;
}

gradyn_status gradyn_initial_transposed(gradyn_initial *s, double *q_bar, double *v_bar,
                                        double *a_bar, double *lam_bar, double *x_bar)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, rows = row_count(s);
  gradyn_status status = GRADYN_OK;
  if (a_bar)
    status = transposed_acceleration(s, a_bar, lam_bar, q_bar, v_bar, x_bar);

  /* velocity */
  gradyn_mech_state at = place_state(s);
  at.lam = s->tau;
  if (status == GRADYN_OK)
    status = velocity_matrix(s);
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
    status = position_matrix(s, true);
  if (status != GRADYN_OK)
    return status;
  solve_place_transposed(s, q_bar);
  return place_data_transposed(s, &at, 0, x_bar);
}
