/* Saddle systems with a constant mass matrix by the Schur complement J M^-1 J^T. */
#include "core/schur.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

gradyn_status gradyn_schur_create(const gradyn_pattern *dyn, const gradyn_pattern *jac, int m,
                                  gradyn_schur *s)
{
  size_t n = (size_t)dyn->rows, rows = (size_t)m;
  *s = (gradyn_schur){.n = dyn->rows, .m = m, .dyn = dyn, .jac = jac};
  s->inverse = calloc(n * n, sizeof(double));
  s->work = calloc(n * n, sizeof(double));
  s->W = calloc(rows * n + 1, sizeof(double));
  s->S = calloc(rows * rows + 1, sizeof(double));
  s->side = gradyn_lanes_create(n);
  if (s->inverse && s->work && s->W && s->S && s->side)
    return GRADYN_OK;
  gradyn_schur_clear(s);
  return GRADYN_NO_MEMORY;
}

void gradyn_schur_clear(gradyn_schur *s)
{
  free(s->inverse);
  free(s->work);
  free(s->W);
  free(s->S);
  free(s->side);
  *s = (gradyn_schur){0};
}

/* Kernels of one loop nest, inlined with their size as a constant for the sizes of small mechanisms:
 * loops this short are all overhead unless the compiler unrolls them. */
#define KERNEL static inline __attribute__((always_inline))
#define BY_SIZE(size, kernel, ...)                                                                 \
  switch (size) {                                                                                  \
  case 2:                                                                                          \
    kernel(2, __VA_ARGS__);                                                                        \
    break;                                                                                         \
  case 4:                                                                                          \
    kernel(4, __VA_ARGS__);                                                                        \
    break;                                                                                         \
  case 6:                                                                                          \
    kernel(6, __VA_ARGS__);                                                                        \
    break;                                                                                         \
  case 8:                                                                                          \
    kernel(8, __VA_ARGS__);                                                                        \
    break;                                                                                         \
  default:                                                                                         \
    kernel(size, __VA_ARGS__);                                                                     \
    break;                                                                                         \
  }

/* Cholesky factor of a symmetric matrix in place, lower triangle, reciprocals on the diagonal. A
 * pivot that is only round-off beside the entry it came from counts as zero; *least: the smallest
 * such ratio, NaN if a pivot is not finite. */
KERNEL void cholesky_kernel(const int n, double *A, double *least)
{
  *least = 1;
  for (int i = 0; i < n; i++) {
    double *row = A + i * n, before = row[i];
    for (int j = 0; j < i; j++) {
      const double *other = A + j * n;
      double sum = row[j];
      for (int k = 0; k < j; k++)
        sum -= row[k] * other[k];
      row[j] = sum * other[j];
      row[i] -= row[j] * row[j];
    }
    if (!(row[i] > 1e-13 * before)) {
      *least = isfinite(row[i]) ? 0 : NAN;
      return;
    }
    *least = row[i] < *least * before ? row[i] / before : *least;
    row[i] = 1 / sqrt(row[i]);
  }
}

KERNEL void cholesky_solve_kernel(const int n, const double *L, double *b)
{
  for (int i = 0; i < n; i++) {
    double sum = b[i];
    for (int k = 0; k < i; k++)
      sum -= L[i * n + k] * b[k];
    b[i] = sum * L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    double value = b[i] *= L[i * n + i];
    for (int k = 0; k < i; k++)
      b[k] -= L[i * n + k] * value;
  }
}

/* W = J M^-1 and the lower triangle of S = W J^T. */
KERNEL void complement_kernel(const int n, gradyn_schur *s, const double *J)
{
  const int *start = s->jac->start, *col = s->jac->col;
  int m = s->m;
  for (int i = 0; i < m; i++) {
    double *W = s->W + i * n;
    for (int c = 0; c < n; c++)
      W[c] = 0;
    for (int k = start[i]; k < start[i + 1]; k++) {
      const double *column = s->inverse + col[k] * n;
      for (int c = 0; c < n; c++)
        W[c] += J[k] * column[c];
    }
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = start[j]; k < start[j + 1]; k++)
        sum += J[k] * W[col[k]];
      s->S[i * m + j] = sum;
    }
  }
}

/* x = M^-1 f, by columns. */
KERNEL void force_kernel(const int n, const double *inverse, const double *f, double *x)
{
  for (int c = 0; c < n; c++)
    x[c] = 0;
  for (int k = 0; k < n; k++)
    for (int c = 0; c < n; c++)
      x[c] += f[k] * inverse[k * n + c];
}

/* x -= W^T mult. */
KERNEL void constraint_kernel(const int n, const int m, const double *W, const double *mult,
                              double *x)
{
  for (int i = 0; i < m; i++)
    for (int c = 0; c < n; c++)
      x[c] -= mult[i] * W[i * n + c];
}

static gradyn_status cholesky(int n, double *A, double *least)
{
  BY_SIZE(n, cholesky_kernel, A, least)
  return isnan(*least) ? GRADYN_NON_FINITE : *least > 0 ? GRADYN_OK : GRADYN_SINGULAR;
}

static void cholesky_solve(int n, const double *L,
                           double *b){BY_SIZE(n, cholesky_solve_kernel, L, b)}

gradyn_status gradyn_schur_mass(gradyn_schur *s, const double *M)
{
  int n = s->n;
  memset(s->work, 0, (size_t)(n * n) * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int k = s->dyn->start[i]; k < s->dyn->start[i + 1]; k++)
      s->work[i * n + s->dyn->col[k]] = M[k];
  gradyn_status status = cholesky(n, s->work, &s->least_pivot);
  for (int i = 0; i < n && status == GRADYN_OK; i++) {
    double *column = s->inverse + i * n; /* symmetric: a column is a row */
    memset(column, 0, (size_t)n * sizeof(double));
    column[i] = 1;
    cholesky_solve(n, s->work, column);
  }
  return status;
}

gradyn_status gradyn_schur_factor(gradyn_schur *s, const double *J)
{
  s->J = J;
  BY_SIZE(s->n, complement_kernel, s, J)
  return cholesky(s->m, s->S, &s->least_pivot);
}

void gradyn_schur_solve(const gradyn_schur *s, bool no_force, double *b)
{
  const int *start = s->jac->start, *col = s->jac->col;
  int n = s->n, m = s->m;
  double *mult = b + n, *x = s->work;
  /* S mult = J M^-1 f - g, then x = M^-1 f - W^T mult */
  if (no_force) {
    memset(x, 0, (size_t)n * sizeof(double));
    for (int i = 0; i < m; i++)
      mult[i] = -mult[i];
  } else {
    BY_SIZE(n, force_kernel, s->inverse, b, x)
    for (int i = 0; i < m; i++) {
      double sum = -mult[i];
      for (int k = start[i]; k < start[i + 1]; k++)
        sum += s->J[k] * x[col[k]];
      mult[i] = sum;
    }
  }
  cholesky_solve(m, s->S, mult);
  BY_SIZE(n, constraint_kernel, m, s->W, mult, x)
  memcpy(b, x, (size_t)n * sizeof(double));
}

static void cholesky_solve_lanes(int n, const double *L, gradyn_lanes *b)
{
  for (int i = 0; i < n; i++) {
    gradyn_lanes sum = b[i];
    for (int k = 0; k < i; k++)
      sum -= L[i * n + k] * b[k];
    b[i] = sum * L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    b[i] *= L[i * n + i];
    for (int k = 0; k < i; k++)
      b[k] -= L[i * n + k] * b[i];
  }
}

void gradyn_schur_solve_lanes(const gradyn_schur *s, gradyn_lanes *b)
{
  const int *start = s->jac->start, *col = s->jac->col;
  int n = s->n, m = s->m;
  gradyn_lanes *mult = b + n, *x = s->side;
  for (int i = 0; i < n; i++) {
    gradyn_lanes sum = {0};
    for (int k = 0; k < n; k++)
      sum += s->inverse[i * n + k] * b[k];
    x[i] = sum;
  }
  for (int i = 0; i < m; i++) {
    gradyn_lanes sum = -mult[i];
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += s->J[k] * x[col[k]];
    mult[i] = sum;
  }
  cholesky_solve_lanes(m, s->S, mult);
  for (int i = 0; i < n; i++)
    b[i] = x[i];
  for (int i = 0; i < m; i++)
    for (int c = 0; c < n; c++)
      b[c] -= mult[i] * s->W[i * n + c];
}
