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
  /* every array once, with its count; one is added where m may be zero */
  const struct {
    double **array;
    size_t count;
  } need[] = {{&s->mass, n * n},
              {&s->zero, n},
              {&s->work, size * size},
              {&s->J, rows * n + 1},
              {&s->inverse, n * n + rows * (n + rows)},
              {&s->G, (n + rows) * n}};
  bool ok = true;
  for (size_t k = 0; k < sizeof need / sizeof *need; k++) {
    *need[k].array = calloc(need[k].count, sizeof(double));
    ok = ok && *need[k].array;
  }
  for (int k = 0; k < 2; k++) {
    s->place[k] = malloc(((size_t)dyn->nnz + 1) * sizeof(int));
    ok = ok && s->place[k];
  }
  s->rates = gradyn_lanes_create(rows);
  if (!ok || !s->rates) {
    gradyn_schur_clear(s);
    return GRADYN_NO_MEMORY;
  }
  /* M^-1, W and S, G and T follow each other, since products take both at once */
  s->W = s->inverse + n * n;
  s->S = s->W + rows * n;
  s->T = s->G + n * n;
  for (int i = 0; i < s->n; i++) /* as it stands, and transposed */
    for (int k = dyn->start[i]; k < dyn->start[i + 1]; k++) {
      s->place[0][k] = i * s->n + dyn->col[k];
      s->place[1][k] = dyn->col[k] * s->n + i;
    }
  return GRADYN_OK;
}

void gradyn_schur_clear(gradyn_schur *s)
{
  free(s->place[0]);
  free(s->place[1]);
  free(s->mass);
  free(s->inverse);
  free(s->work);
  free(s->J);
  free(s->zero);
  free(s->G);
  free(s->rates);
  *s = (gradyn_schur){0};
}

/* Factors L D L^T of a symmetric matrix in place, lower triangle, with the reciprocals of D on the
 * diagonal. A pivot that is only round-off beside the entry it came from counts as zero; *least: the
 * smallest such ratio, NaN if a pivot is not finite, in row *weakest. */
GRADYN_KERNEL void factor_kernel(const int n, double *restrict A, double *least, int *weakest)
{
  double ratio = 1;
  *weakest = 0;
  GRADYN_UNROLL
  for (int i = 0; i < n; i++) {
    double *row = A + i * n, before = row[i], pivot = before;
    /* l_ij d_j = a_ij - sum of l_ik d_k l_jk, k < j, in place of row i */
    GRADYN_UNROLL
    for (int j = 0; j < i; j++) {
      const double *other = A + j * n;
      double sum = row[j];
      GRADYN_UNROLL
      for (int k = 0; k < j; k++)
        sum -= row[k] * other[k];
      row[j] = sum;
    }
    /* l_ij by d_j; d_i = a_ii - sum of l_ij^2 d_j */
    GRADYN_UNROLL
    for (int j = 0; j < i; j++) {
      double entry = row[j] * A[j * n + j];
      pivot -= entry * row[j];
      row[j] = entry;
    }
    if (!(pivot > 1e-13 * before)) { /* written so that NaN fails */
      *least = isfinite(pivot) ? 0 : NAN;
      *weakest = i;
      return;
    }
    if (pivot < ratio * before) {
      ratio = pivot / before;
      *weakest = i;
    }
    row[i] = 1 / pivot;
  }
  *least = ratio;
}

/* b = (L D L^T)^-1 b; sums end with what is found last. */
GRADYN_KERNEL void solve_kernel(const int n, const double *restrict L, double *restrict b)
{
  /* L y = b */
  GRADYN_UNROLL
  for (int i = 1; i < n; i++) {
    double sum = b[i];
    GRADYN_UNROLL
    for (int k = 0; k < i; k++)
      sum -= L[i * n + k] * b[k];
    b[i] = sum;
  }
  /* D L^T x = y, with reciprocals of D */
  GRADYN_UNROLL
  for (int i = n - 1; i >= 0; i--) {
    double sum = L[i * n + i] * b[i];
    GRADYN_UNROLL
    for (int k = n - 1; k > i; k--)
      sum -= L[k * n + i] * b[k];
    b[i] = sum;
  }
}

/* --- with a fixed, even number of coordinates --------------------------------------------------- */

/* two coordinates in a register */
typedef double pair __attribute__((vector_size(16), may_alias));
enum { MOST_PAIRS = 4 };

/* x.y for rows of J or W */
GRADYN_KERNEL double dot_kernel(const int n, const pair *x, const pair *y)
{
  pair sum = x[0] * y[0];
  for (int c = 1; c < n / 2; c++)
    sum += x[c] * y[c];
  return sum[0] + sum[1];
}

/* x = A y for a symmetric A, by columns */
GRADYN_KERNEL void symmetric_kernel(const int n, const double *A, const double *y, pair *x)
{
  const pair *column = (const pair *)A;
  /* y_0 first: no zeros to begin with */
  for (int c = 0; c < n / 2; c++)
    x[c] = y[0] * column[c];
  for (int k = 1; k < n; k++)
    for (int c = 0; c < n / 2; c++)
      x[c] += y[k] * column[k * (n / 2) + c];
}

/* W = J M^-1. */
GRADYN_KERNEL void rows_kernel(const int n, const gradyn_schur *s)
{
  for (int i = 0; i < s->m; i++) {
    pair w[MOST_PAIRS], *row = (pair *)(s->W + i * n);
    symmetric_kernel(n, s->inverse, s->J + i * n, w);
    for (int c = 0; c < n / 2; c++)
      row[c] = w[c];
  }
}

/* The lower triangle of S = W J^T. */
GRADYN_KERNEL void complement_kernel(const int n, const gradyn_schur *s)
{
  double *S = s->S;
  for (int i = 0, m = s->m; i < m; i++, S += m)
    for (int j = 0; j <= i; j++)
      S[j] = dot_kernel(n, (const pair *)(s->W + i * n), (const pair *)(s->J + j * n));
}

/* x = M^-1 f + e and mult = J x - g for b = (f, g). */
GRADYN_KERNEL void condense_kernel(const int n, const gradyn_schur *s, const double *e, double *b)
{
  pair x[MOST_PAIRS];
  double *mult = b + n;
  symmetric_kernel(n, s->inverse, b, x);
  for (int c = 0; c < n / 2; c++) {
    x[c] += (pair){e[2 * c], e[2 * c + 1]}; /* e: what the caller wants added to x */
    b[2 * c] = x[c][0];
    b[2 * c + 1] = x[c][1];
  }
  for (int i = 0; i < s->m; i++)
    mult[i] = dot_kernel(n, x, (const pair *)(s->J + i * n)) - mult[i]; /* J (M^-1 f + e) - g */
}

/* x -= W^T mult. */
GRADYN_KERNEL void expand_kernel(const int n, const gradyn_schur *s, double *b)
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

static void rows(const int n, gradyn_schur *s)
{
  const int *start = s->jac->start, *col = s->jac->col;
  memset(s->W, 0, (size_t)(s->m * n) * sizeof(double));
  for (int i = 0; i < s->m; i++)
    /* row i of W is a sum of columns of M^-1, which is symmetric, over J's pattern */
    for (int k = start[i]; k < start[i + 1]; k++) {
      const double *column = s->inverse + col[k] * n, factor = s->J[i * n + col[k]];
      for (int c = 0; c < n; c++)
        s->W[i * n + c] += factor * column[c];
    }
}

static void complement(const int n, gradyn_schur *s)
{
  const int *start = s->jac->start, *col = s->jac->col;
  /* the lower triangle is all that the factorisation reads */
  for (int i = 0, m = s->m; i < m; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = start[j]; k < start[j + 1]; k++)
        sum += s->J[j * n + col[k]] * s->W[i * n + col[k]];
      s->S[i * m + j] = sum;
    }
}

static void condense(const int n, const gradyn_schur *s, const double *e, double *b)
{
  const int *start = s->jac->start, *col = s->jac->col;
  double *x = s->work, *mult = b + n;
  /* x = e + M^-1 f */
  memcpy(x, e, (size_t)n * sizeof(double));
  for (int k = 0; k < n; k++)
    for (int c = 0; c < n; c++)
      x[c] += b[k] * s->inverse[k * n + c];
  memcpy(b, x, (size_t)n * sizeof(double));
  /* mult = J x - g */
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
  /* x -= W^T mult */
  for (int i = 0; i < s->m; i++)
    for (int c = 0; c < n; c++)
      b[c] -= mult[i] * s->W[i * n + c];
}

/* --- the interface ------------------------------------------------------------------------------ */

GRADYN_WIDE static void factorise(int n, double *A, double *least, int *weakest)
{
  GRADYN_BY_SIZE(n, factor_kernel, factor_kernel, A, least, weakest);
}

static gradyn_status status_of(double least)
{
  return isnan(least) ? GRADYN_NON_FINITE : least > 0 ? GRADYN_OK : GRADYN_SINGULAR;
}

gradyn_status gradyn_schur_mass(gradyn_schur *s, const double *M)
{
  int n = s->n;
  /* M in full; the factors go to scratch, since the inverse is all that is kept */
  gradyn_schur_spread(s, M, 1, false, s->mass);
  memcpy(s->work, s->mass, (size_t)(n * n) * sizeof(double));
  factorise(n, s->work, &s->least_pivot, &s->weakest);
  gradyn_status status = status_of(s->least_pivot);
  /* column by column; once a march, as M is constant */
  for (int i = 0; i < n && status == GRADYN_OK; i++) {
    double *column = s->inverse + i * n; /* symmetric: a column is a row */
    memset(column, 0, (size_t)n * sizeof(double));
    column[i] = 1;
    solve_kernel(n, s->work, column);
  }
  return status;
}

GRADYN_KERNEL void take_jacobian(const gradyn_schur *s, const double *J)
{
  const int *start = s->jac->start, *col = s->jac->col;
  double *row = s->J;
  /* rows in full: entries outside of the pattern are zero from the beginning */
  for (int i = 0, k = start[0]; i < s->m; i++, row += s->n)
    for (int end = start[i + 1]; k < end; k++)
      row[col[k]] = J[k];
}

GRADYN_WIDE static void factor_schur(gradyn_schur *s, const double *J)
{
  take_jacobian(s, J);
  GRADYN_BY_SIZE(s->n, rows_kernel, rows, s);
  GRADYN_BY_SIZE(s->n, complement_kernel, complement, s);
  GRADYN_BY_SIZE(s->m, factor_kernel, factor_kernel, s->S, &s->least_pivot, &s->weakest);
}

gradyn_status gradyn_schur_factor(gradyn_schur *s, const double *J)
{
  factor_schur(s, J);
  return status_of(s->least_pivot);
}

size_t gradyn_schur_size(const gradyn_schur *s)
{
  return (size_t)(s->m * (s->n + s->m));
}

void gradyn_schur_save(const gradyn_schur *s, double *room)
{
  memcpy(room, s->W, gradyn_schur_size(s) * sizeof(double));
}

void gradyn_schur_restore(gradyn_schur *s, const double *room)
{
  memcpy(s->W, room, gradyn_schur_size(s) * sizeof(double));
}

/* S mult = J M^-1 f - g, then x = M^-1 f - W^T mult */
GRADYN_WIDE static void solve_schur(const gradyn_schur *s, const double *e, double *b)
{
  GRADYN_BY_SIZE(s->n, condense_kernel, condense, s, e, b);
  GRADYN_BY_SIZE(s->m, solve_kernel, solve_kernel, s->S, b + s->n);
  GRADYN_BY_SIZE(s->n, expand_kernel, expand, s, b);
}

/* The same without f. */
GRADYN_WIDE static void solve_schur_rates(const gradyn_schur *s, double *b)
{
  int n = s->n;
  /* f = 0: x = -W^T mult with S mult = -g */
  for (int i = 0; i < n; i++)
    b[i] = 0;
  for (int i = n; i < n + s->m; i++)
    b[i] = -b[i];
  GRADYN_BY_SIZE(s->m, solve_kernel, solve_kernel, s->S, b + n);
  GRADYN_BY_SIZE(n, expand_kernel, expand, s, b);
}

void gradyn_schur_solve_shifted(const gradyn_schur *s, const double *e, double *b)
{
  solve_schur(s, e, b);
}

void gradyn_schur_solve(const gradyn_schur *s, bool no_force, double *b)
{
  if (no_force)
    solve_schur_rates(s, b);
  else
    solve_schur(s, s->zero, b);
}
