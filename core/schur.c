/* Saddle systems with a constant mass matrix by the Schur complement J M^-1 J^T. */
#include "core/schur.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

gradyn_status gradyn_schur_create(const gradyn_pattern *dyn, const gradyn_pattern *jac, int m,
                                  gradyn_schur *s)
{
  size_t n = (size_t)dyn->rows, rows = (size_t)m, size = n > rows ? n : rows;
  *s = (gradyn_schur){.n = dyn->rows, .m = m, .dyn = dyn, .jac = jac};
  s->inverse = calloc(n * n, sizeof(double));
  s->zero = calloc(n, sizeof(double));
  s->work = calloc(size * size, sizeof(double));
  s->J = calloc(rows * n + 1, sizeof(double));
  s->W = calloc(rows * n + 1, sizeof(double));
  s->S = calloc(rows * rows + 1, sizeof(double));
  s->G = calloc(n * n, sizeof(double));
  s->T = calloc(rows * n + 1, sizeof(double));
  s->R = calloc(rows * rows + 1, sizeof(double));
  if (s->inverse && s->zero && s->work && s->J && s->W && s->S && s->G && s->T && s->R)
    return GRADYN_OK;
  gradyn_schur_clear(s);
  return GRADYN_NO_MEMORY;
}

void gradyn_schur_clear(gradyn_schur *s)
{
  free(s->inverse);
  free(s->work);
  free(s->J);
  free(s->W);
  free(s->S);
  free(s->zero);
  free(s->G);
  free(s->T);
  free(s->R);
  *s = (gradyn_schur){0};
}

/* Kernels of one loop nest, inlined with their size as a constant for the sizes of small mechanisms:
 * loops this short are all overhead unless the compiler unrolls them. */
#define KERNEL static inline __attribute__((always_inline))
#define BY_SIZE(size, kernel, general, ...)                                                        \
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
    general(size, __VA_ARGS__);                                                                    \
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

/* --- with a fixed, even number of coordinates --------------------------------------------------- */

typedef gradyn_half pair; /* two coordinates in a register */
enum { MOST_PAIRS = 4 };

/* x.y for rows of J or W */
KERNEL double dot_kernel(const int n, const pair *x, const pair *y)
{
  pair sum = x[0] * y[0];
  for (int c = 1; c < n / 2; c++)
    sum += x[c] * y[c];
  return sum[0] + sum[1];
}

/* x = A y for a symmetric A, by columns */
KERNEL void symmetric_kernel(const int n, const double *A, const double *y, pair *x)
{
  const pair *column = (const pair *)A;
  for (int c = 0; c < n / 2; c++)
    x[c] = y[0] * column[c];
  for (int k = 1; k < n; k++)
    for (int c = 0; c < n / 2; c++)
      x[c] += y[k] * column[k * (n / 2) + c];
}

/* W = J M^-1 and the lower triangle of S = W J^T. */
KERNEL void complement_kernel(const int n, const gradyn_schur *s)
{
  const double *inverse = s->inverse, *J = s->J;
  double *W = s->W, *S = s->S;
  for (int i = 0, m = s->m; i < m; i++, W += n, S += m) {
    pair w[MOST_PAIRS], *row = (pair *)W;
    symmetric_kernel(n, inverse, J + i * n, w);
    for (int c = 0; c < n / 2; c++)
      row[c] = w[c];
    for (int j = 0; j <= i; j++)
      S[j] = dot_kernel(n, w, (const pair *)(J + j * n));
  }
}

/* x = M^-1 f + e and mult = J x - g for b = (f, g). */
KERNEL void condense_kernel(const int n, const gradyn_schur *s, const double *e, double *b)
{
  pair x[MOST_PAIRS];
  double *mult = b + n;
  symmetric_kernel(n, s->inverse, b, x);
  for (int c = 0; c < n / 2; c++) {
    x[c] += (pair){e[2 * c], e[2 * c + 1]};
    b[2 * c] = x[c][0];
    b[2 * c + 1] = x[c][1];
  }
  for (int i = 0; i < s->m; i++)
    mult[i] = dot_kernel(n, x, (const pair *)(s->J + i * n)) - mult[i];
}

/* x -= W^T mult. */
KERNEL void expand_kernel(const int n, const gradyn_schur *s, double *b)
{
  const double *mult = b + n;
  const pair *W = (const pair *)s->W;
  pair x[MOST_PAIRS];
  for (int c = 0; c < n / 2; c++)
    x[c] = (pair){b[2 * c], b[2 * c + 1]};
  for (int i = 0; i < s->m; i++, W += n / 2)
    for (int c = 0; c < n / 2; c++)
      x[c] -= mult[i] * W[c];
  for (int c = 0; c < n / 2; c++) {
    b[2 * c] = x[c][0];
    b[2 * c + 1] = x[c][1];
  }
}

/* --- with any number of coordinates ------------------------------------------------------------- */

static void complement(const int n, gradyn_schur *s)
{
  const int *start = s->jac->start, *col = s->jac->col;
  int m = s->m;
  for (int i = 0; i < m; i++) {
    double *W = s->W + i * n;
    const double *J = s->J + i * n;
    memset(W, 0, (size_t)n * sizeof(double));
    for (int k = start[i]; k < start[i + 1]; k++) {
      const double *column = s->inverse + col[k] * n, factor = J[col[k]];
      for (int c = 0; c < n; c++)
        W[c] += factor * column[c];
    }
    for (int j = 0; j <= i; j++) {
      const double *other = s->J + j * n;
      double sum = 0;
      for (int k = start[j]; k < start[j + 1]; k++)
        sum += other[col[k]] * W[col[k]];
      s->S[i * m + j] = sum;
    }
  }
}

static void condense(const int n, const gradyn_schur *s, const double *e, double *b)
{
  const int *start = s->jac->start, *col = s->jac->col;
  double *x = s->work, *mult = b + n;
  memcpy(x, e, (size_t)n * sizeof(double));
  for (int k = 0; k < n; k++)
    for (int c = 0; c < n; c++)
      x[c] += b[k] * s->inverse[k * n + c];
  memcpy(b, x, (size_t)n * sizeof(double));
  for (int i = 0; i < s->m; i++) {
    double sum = -mult[i];
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += s->J[i * n + col[k]] * x[col[k]];
    mult[i] = sum;
  }
}

static void expand(const int n, const gradyn_schur *s, double *b)
{
  const double *mult = b + n;
  for (int i = 0; i < s->m; i++)
    for (int c = 0; c < n; c++)
      b[c] -= mult[i] * s->W[i * n + c];
}

/* --- the interface ------------------------------------------------------------------------------ */

static gradyn_status cholesky(int n, double *A, double *least)
{
  BY_SIZE(n, cholesky_kernel, cholesky_kernel, A, least)
  return isnan(*least) ? GRADYN_NON_FINITE : *least > 0 ? GRADYN_OK : GRADYN_SINGULAR;
}

static void cholesky_solve(int n, const double *L, double *b){
    BY_SIZE(n, cholesky_solve_kernel, cholesky_solve_kernel, L, b)}

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

static void take_jacobian(gradyn_schur *s, const double *J)
{
  const int *start = s->jac->start, *col = s->jac->col;
  double *row = s->J;
  for (int i = 0, k = start[0]; i < s->m; i++, row += s->n)
    for (int end = start[i + 1]; k < end; k++)
      row[col[k]] = J[k];
}

gradyn_status gradyn_schur_factor(gradyn_schur *s, const double *J)
{
  take_jacobian(s, J);
  BY_SIZE(s->n, complement_kernel, complement, s)
  return cholesky(s->m, s->S, &s->least_pivot);
}

size_t gradyn_schur_size(const gradyn_schur *s)
{
  return (size_t)(s->m * (s->n + s->m));
}

void gradyn_schur_save(const gradyn_schur *s, double *room)
{
  size_t W = (size_t)(s->m * s->n), S = (size_t)(s->m * s->m);
  memcpy(room, s->W, W * sizeof(double));
  memcpy(room + W, s->S, S * sizeof(double));
}

void gradyn_schur_restore(gradyn_schur *s, const double *J, const double *room)
{
  size_t W = (size_t)(s->m * s->n), S = (size_t)(s->m * s->m);
  take_jacobian(s, J);
  memcpy(s->W, room, W * sizeof(double));
  memcpy(s->S, room + W, S * sizeof(double));
}

void gradyn_schur_solve_shifted(const gradyn_schur *s, const double *e, double *b)
{
  /* S mult = J M^-1 f - g, then x = M^-1 f - W^T mult */
  BY_SIZE(s->n, condense_kernel, condense, s, e, b)
  cholesky_solve(s->m, s->S, b + s->n);
  BY_SIZE(s->n, expand_kernel, expand, s, b)
}

void gradyn_schur_solve(const gradyn_schur *s, bool no_force, double *b)
{
  int n = s->n;
  if (!no_force) {
    gradyn_schur_solve_shifted(s, s->zero, b);
    return;
  }
  for (int i = 0; i < n; i++)
    b[i] = 0;
  for (int i = n; i < n + s->m; i++)
    b[i] = -b[i];
  cholesky_solve(s->m, s->S, b + n);
  BY_SIZE(n, expand_kernel, expand, s, b)
}

/* --- the whole inverse [G, T^T; T, -R], R = S^-1, T = R W, G = M^-1 - W^T T ---------------------- */

/* L^-1 by rows for the lower Cholesky factor L, whose diagonal is stored inverted. */
KERNEL void invert_factor_kernel(const int m, const double *L, double *X)
{
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < i; j++) {
      double sum = 0;
      for (int k = j; k < i; k++)
        sum -= L[i * m + k] * X[k * m + j];
      X[i * m + j] = sum * L[i * m + i];
    }
    X[i * m + i] = L[i * m + i];
  }
}

/* R = L^-T L^-1, both triangles. */
KERNEL void inverse_kernel(const int m, const double *X, double *R)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = i; k < m; k++)
        sum += X[k * m + i] * X[k * m + j];
      R[i * m + j] = R[j * m + i] = sum;
    }
}

/* x += sum of factor[k * stride] times row k of A, k < count. */
KERNEL void add_rows_kernel(const int n, const int count, const double *factor, const int stride,
                            const double *A, pair *x)
{
  const pair *row = (const pair *)A;
  for (int k = 0; k < count; k++, row += n / 2)
    for (int c = 0; c < n / 2; c++)
      x[c] += factor[k * stride] * row[c];
}

/* T = R W and G = M^-1 - T^T W, by rows. */
KERNEL void projector_kernel(const int n, const gradyn_schur *s)
{
  const double *R = s->R, *T = s->T, *W = s->W;
  const pair *inverse = (const pair *)s->inverse;
  pair *to_T = (pair *)s->T, *to_G = (pair *)s->G;
  const int m = s->m;
  for (int i = 0; i < m; i++, to_T += n / 2) {
    pair x[MOST_PAIRS] = {{0}};
    add_rows_kernel(n, m, R + i * m, 1, W, x);
    for (int c = 0; c < n / 2; c++)
      to_T[c] = x[c];
  }
  for (int r = 0; r < n; r++, to_G += n / 2, inverse += n / 2) {
    pair x[MOST_PAIRS] = {{0}};
    add_rows_kernel(n, m, T + r, n, W, x);
    for (int c = 0; c < n / 2; c++)
      to_G[c] = inverse[c] - x[c];
  }
}

static void projector(const int n, const gradyn_schur *s)
{
  const int m = s->m;
  memset(s->T, 0, (size_t)(m * n) * sizeof(double));
  memcpy(s->G, s->inverse, (size_t)(n * n) * sizeof(double));
  for (int i = 0; i < m; i++)
    for (int k = 0; k < m; k++)
      for (int c = 0; c < n; c++)
        s->T[i * n + c] += s->R[i * m + k] * s->W[k * n + c];
  for (int r = 0; r < n; r++)
    for (int k = 0; k < m; k++)
      for (int c = 0; c < n; c++)
        s->G[r * n + c] -= s->T[k * n + r] * s->W[k * n + c];
}

void gradyn_schur_invert(gradyn_schur *s){
    BY_SIZE(s->m, invert_factor_kernel, invert_factor_kernel, s->S, s->work)
        BY_SIZE(s->m, inverse_kernel, inverse_kernel, s->work, s->R)
            BY_SIZE(s->n, projector_kernel, projector, s)}

/* x = A b, A [rows][cols]: two rows at a time, in halves of lanes. */
KERNEL void multiply_kernel(const int cols, const int rows, const double *A, const gradyn_lanes *b,
                            gradyn_lanes *x)
{
  const gradyn_half *from = (const gradyn_half *)b;
  gradyn_half *to = (gradyn_half *)x;
  for (int i = 0; i < rows; i += 2, A += 2 * cols, to += 4) {
    const double *below = i + 1 < rows ? A + cols : A;
    gradyn_half p = A[0] * from[0], q = A[0] * from[1];
    gradyn_half r = below[0] * from[0], s = below[0] * from[1];
    for (int k = 1; k < cols; k++) {
      gradyn_half low = from[2 * k], high = from[2 * k + 1];
      p += A[k] * low;
      q += A[k] * high;
      r += below[k] * low;
      s += below[k] * high;
    }
    to[0] = p;
    to[1] = q;
    if (i + 1 < rows) {
      to[2] = r;
      to[3] = s;
    }
  }
}

void gradyn_schur_apply(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x)
{
  BY_SIZE(s->n, multiply_kernel, multiply_kernel, s->n, s->G, f, x)
}

void gradyn_schur_multipliers(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *mult)
{
  BY_SIZE(s->n, multiply_kernel, multiply_kernel, s->m, s->T, f, mult)
}

void gradyn_schur_add_rates(const gradyn_schur *s, const gradyn_lanes *g, gradyn_lanes *x,
                            gradyn_lanes *mult)
{
  int n = s->n, m = s->m;
  const gradyn_half *from = (const gradyn_half *)g;
  gradyn_half *to = (gradyn_half *)x;
  for (int c = 0; c < n; c++) {
    gradyn_half low = to[2 * c], high = to[2 * c + 1];
    for (int i = 0; i < m; i++) {
      low += s->T[i * n + c] * from[2 * i];
      high += s->T[i * n + c] * from[2 * i + 1];
    }
    to[2 * c] = low;
    to[2 * c + 1] = high;
  }
  to = (gradyn_half *)mult;
  for (int i = 0; i < m; i++) {
    gradyn_half low = to[2 * i], high = to[2 * i + 1];
    for (int k = 0; k < m; k++) {
      low -= s->R[i * m + k] * from[2 * k];
      high -= s->R[i * m + k] * from[2 * k + 1];
    }
    to[2 * i] = low;
    to[2 * i + 1] = high;
  }
}
