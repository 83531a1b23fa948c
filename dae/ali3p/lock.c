/* ALI3-P: check whether the motion can continue at the end of a step with multiplier-dependent forces.
 *
 * These forces change S = [M, Phi_q^T; Phi_q, 0] to S - E^T D. E are the unit vectors of the r coordinates on
 * which they act, and D [r][m] their derivatives by multipliers. With the columns y of S^-1 E^T at the
 * multipliers,
 *
 *   det(S - E^T D)/det S = det(1 - D y).
 *
 * This ratio is 1 without such forces, and zero where accelerations cease to exist. S has been factorised
 * for the projections, so that one joint with friction costs one solve. */
#include <math.h>
#include <string.h>

#include "dae/ali3p/linear.h"
#include "dae/start/initial_parts.h"

/* LAPACK */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);

/* With more coordinates, factorising the whole matrix costs less. */
enum { MOST_COLUMNS = 6 };

/* Lists the coordinates on which multiplier-dependent forces act at present. Returns their number, or one
 * more than fits. */
static int find_columns(const gradyn_ali3p *s, int column[MOST_COLUMNS])
{
  const gradyn_pattern *jac = &s->mech->jac;
  int count = 0;
  for (int k = 0; k < jac->start[s->m]; k++) {
    int known = 0;
    /* R_lam = Phi_q^T - Q_lam is a copy of Phi_q^T where Q_lam = 0 */
    if (s->mat.own[k] == s->mat.J[k])
      continue;
    while (known < count && column[known] != jac->col[k])
      known++;
    if (known == MOST_COLUMNS)
      return MOST_COLUMNS + 1;
    column[known] = jac->col[k];
    count = known == count ? count + 1 : count;
  }
  return count;
}

/* A = 1 - D y, one column of y after the other. */
static void fill(gradyn_ali3p *s, int count, const int *column,
                 double A[MOST_COLUMNS][MOST_COLUMNS])
{
  const gradyn_pattern *jac = &s->mech->jac;
  for (int c = 0; c < count; c++) {
    const double *y = s->b + s->n;
    memset(s->b, 0, (size_t)(s->n + s->m) * sizeof(double));
    s->b[column[c]] = 1; /* y of a unit force on this coordinate */
    gradyn_factors_solve(&s->project, false, s->b, 1);
    for (int r = 0; r < count; r++)
      A[r][c] = r == c;
    for (int i = 0; i < s->m; i++)
      for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
        /* entries of D = Q_lam */
        for (int r = 0; r < count && s->mat.own[k] != s->mat.J[k]; r++)
          A[r][c] -= jac->col[k] == column[r] ? (s->mat.J[k] - s->mat.own[k]) * y[i] : 0;
  }
}

/* Returns whether the determinant of A, or of A^T, is positive: det P det U. */
static bool is_positive(int count, double A[MOST_COLUMNS][MOST_COLUMNS])
{
  const int capacity = MOST_COLUMNS;
  int pivot[MOST_COLUMNS], info = 0;
  bool positive = true;
  dgetrf_(&count, &count, A[0], &capacity, pivot, &info);
  for (int k = 0; k < count; k++) {
    if (!(fabs(A[k][k]) > 0)) /* also false for NaN */
      return false;
    /* a row exchange (row numbers start at 1) and a negative pivot change the sign */
    positive = positive == ((A[k][k] > 0) == (pivot[k] == k + 1));
  }
  return positive;
}

/* A step that is too long may end beyond such a point or miss it; therefore it is divided. */
gradyn_status gradyn_ali3p_judge_lock(gradyn_ali3p *s, double t, const double *to)
{
  const double *v = to + s->n, *a = v + s->n;
  const gradyn_mech_state at = {.t = t, .q = to, .v = v, .a = a, .lam = a + s->n};
  double A[MOST_COLUMNS][MOST_COLUMNS];
  int column[MOST_COLUMNS];
  if (!s->mech->reader)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_mech_residual_lam(s->mech, &at, s->mat.J, s->mat.own, &s->mat.U));
  const int count = find_columns(s, column);
  gradyn_status status = GRADYN_OK;
  /* many joints with friction: sign of the whole determinant */
  if (count > MOST_COLUMNS) {
    s->base.factorisations++;
    status = gradyn_initial_unlocked(&s->initial, &at);
  } else {
    fill(s, count, column, A);
    status = is_positive(count, A) ? GRADYN_OK : gradyn_initial_locks(&s->initial, t);
  }
  return status == GRADYN_SINGULAR ? GRADYN_NOT_CONVERGED : status;
}
