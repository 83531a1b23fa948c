/* ALI3-P: checks whether the motion can continue at the end of a step with multiplier-dependent forces.
 *
 * These forces act on r coordinates, whose unit vectors are the rows of E [r], and have the derivatives D
 * [r][m] by multipliers. They change S = [M, Phi_q^T; Phi_q, 0] to S - E^T D. With the columns y of S^-1
 * E^T at the multipliers,
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

/* With more coordinates than this, factorising the whole matrix costs less. */
enum { MOST_COLUMNS = 6 };

/* Lists the coordinates on which multiplier-dependent forces act at present. Returns their number, or
 * MOST_COLUMNS + 1 if there are more. */
static int find_columns(const gradyn_ali3p *s, int column[MOST_COLUMNS])
{
  const gradyn_pattern *jac = &s->mech->jac;
  int count = 0;
  for (int k = 0; k < jac->start[s->m]; k++) {
    int known = 0;
    /* where Q_lam = 0, R_lam = Phi_q^T - Q_lam is an exact copy of Phi_q^T */
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

/* Sets A = 1 - D y, column by column. */
static void fill(gradyn_ali3p *s, int count, const int *column,
                 double A[MOST_COLUMNS][MOST_COLUMNS])
{
  const gradyn_pattern *jac = &s->mech->jac;
  for (int c = 0; c < count; c++) {
    const double *y = s->b + s->n;
    memset(s->b, 0, (size_t)(s->n + s->m) * sizeof(double));
    s->b[column[c]] = 1; /* a unit force on this coordinate, to solve for y */
    gradyn_factors_solve(&s->project, false, s->b, 1);
    for (int r = 0; r < count; r++)
      A[r][c] = r == c;
    for (int i = 0; i < s->m; i++)
      for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
        /* D = Q_lam is nonzero only where R_lam differs from Phi_q^T */
        for (int r = 0; r < count && s->mat.own[k] != s->mat.J[k]; r++)
          A[r][c] -= jac->col[k] == column[r] ? (s->mat.J[k] - s->mat.own[k]) * y[i] : 0;
  }
}

/* Returns whether det A = det P det U is positive; the same holds for A^T. */
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

/* Fails with a message if accelerations cease to exist before the end of the step. A step that is too long
 * may end beyond such a point or miss it; therefore the step is divided. */
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
  /* forces on many coordinates: sign of the determinant of the whole matrix */
  if (count > MOST_COLUMNS) {
    s->base.factorisations++;
    status = gradyn_initial_unlocked(&s->initial, &at);
  } else {
    fill(s, count, column, A);
    status = is_positive(count, A) ? GRADYN_OK : gradyn_initial_locks(&s->initial, t);
  }
  return status == GRADYN_SINGULAR ? GRADYN_NOT_CONVERGED : status;
}
