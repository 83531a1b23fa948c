/* Saddle systems with a constant mass matrix by the Schur complement J M^-1 J^T.
 *
 * For [M, J^T; J, 0] (x; mu) = (f; g) with constant M, M^-1 is computed once. Each position needs W = J
 * M^-1 and S = W J^T = L D L^T. Then
 *
 *     S mu = W f - g,   x = M^-1 f - W^T mu.
 *
 * Kernels are compiled with constant sizes for small mechanisms, and by the width of rows for others. */
#include "core/linear/schur.h"
#include "core/base/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Allocates working arrays. Some arrays are adjacent, because products process two of them at once. */
static void take_arrays(gradyn_schur *s)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m, left = m < n ? n - m : 0;
  const size_t width = (size_t)s->width;
  gradyn_arena *arena = &s->arena;
  s->mass = gradyn_arena_lanes(arena, n * width);
  /* J, W with S, and N with T are read four rows at a time, so extra rows are allocated */
  s->J = gradyn_arena_lanes(arena, (m + 3) * width);
  s->inverse = gradyn_arena_lanes(arena, (n + m) * width + m * m / GRADYN_LANES + 2);
  s->N = gradyn_arena_lanes(arena, (2 * left + m + 3) * width);
  s->E = gradyn_arena_lanes(arena, (n + 2 * left) * width);
  s->measure = gradyn_arena_lanes(arena, width);
  s->work = gradyn_arena_lanes(arena, n * n + m * width); /* M and its factors need most of it */
  s->rates = gradyn_arena_lanes(arena, m);
  s->zero = gradyn_arena_numbers(arena, n);
  s->points = gradyn_arena_numbers(arena, n * n / 4);
  s->D = gradyn_arena_numbers(arena, left);
  s->B = gradyn_arena_numbers(arena, left * (left + 3));
  for (int k = 0; k < 2; k++)
    s->position[k] = gradyn_arena_take(arena, (size_t)s->dyn->nnz, sizeof(int));
  s->rows = gradyn_arena_take(arena, (size_t)s->jac->nnz, sizeof(int));
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return;
  s->W = s->inverse + n * width;
  s->S = (double *)(s->W + m * width);
  s->T = s->N + left * width;
  s->V = s->T + m * width;
  s->U = s->E + n * width;
  s->P = s->U + left * width;
}

gradyn_status gradyn_schur_create(const gradyn_pattern *dyn, const gradyn_pattern *jac, int m,
                                  gradyn_schur *s)
{
  const int width = gradyn_row_width(dyn->rows);
  *s = (gradyn_schur){.n = dyn->rows, .m = m, .width = width, .dyn = dyn, .jac = jac};
  if (dyn->rows < 1 || dyn->rows > GRADYN_ROW_MOST || m > GRADYN_ROW_MOST)
    return GRADYN_INVALID;
  take_arrays(s);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK) {
    gradyn_schur_clear(s);
    return GRADYN_NO_MEMORY;
  }
  /* positions of entries in rows of whole lanes: of a square matrix, its transpose, and J */
  const int stride = GRADYN_LANES * width;
  for (int i = 0; i < s->n; i++)
    for (int k = dyn->start[i]; k < dyn->start[i + 1]; k++) {
      s->position[0][k] = i * stride + dyn->col[k];
      s->position[1][k] = dyn->col[k] * stride + i;
    }
  for (int i = 0; i < m; i++)
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
      s->rows[k] = i * stride + jac->col[k];
  return GRADYN_OK;
}

void gradyn_schur_clear(gradyn_schur *s)
{
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_schur){0};
}

/* Factors L D L^T of a symmetric matrix in place, lower triangle, with reciprocals of D on the diagonal. A
 * pivot counts as zero if it is only round-off relative to its original entry. *least: the smallest such
 * ratio, NaN if a pivot is not finite; *weakest: its row. */
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
    if (!(pivot > 1e-13 * before)) { /* NaN also fails */
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

/* Computes b = (L D L^T)^-1 b. The unknown found last enters each sum last. */
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

/* --- The same for more than eight rows, in lanes ------------------------------------------------ */

/* x -= factor row, at any alignment. Entries of known unknowns, or past the end of the row, are also
 * changed but not read later. */
GRADYN_KERNEL void take_row(const int width, double factor, const double *row, gradyn_lanes *x)
{
  for (int c = 0; c < width; c++)
    x[c] -= factor * *(const gradyn_lanes_anywhere *)(row + GRADYN_LANES * c);
}

/* Does the work of factor_kernel() for long rows. L^T is also written above the diagonal, so that columns
 * of L are rows. */
GRADYN_KERNEL void factor_long(const int width, const int n, double *A, double *least, int *weakest)
{
  gradyn_lanes capacity[GRADYN_ROW_MOST / GRADYN_LANES];
  const double *y = (const double *)capacity;
  double ratio = 1;
  *weakest = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double *row = A + i * n, before = row[i], pivot = before;
    /* a copy, because entries after the diagonal must not change */
    for (int c = 0; c < width; c++)
      capacity[c] = *(const gradyn_lanes_anywhere *)(row + GRADYN_LANES * c);
    /* y_j = l_ij d_j = a_ij - sum of y_k l_jk, k < j; d_i = a_ii - sum of l_ij y_j */
    for (ptrdiff_t k = 0; k < i; k++) {
      const double known = y[k], entry = known * A[k * n + k];
      take_row(width, known, A + k * n, capacity);
      pivot -= entry * known;
      row[k] = A[k * n + i] = entry;
    }
    if (!(pivot > 1e-13 * before)) { /* NaN also fails */
      *least = isfinite(pivot) ? 0 : NAN;
      *weakest = (int)i;
      return;
    }
    if (pivot < ratio * before) {
      ratio = pivot / before;
      *weakest = (int)i;
    }
    /* a reciprocal here saves divisions in all solves */
    row[i] = 1 / pivot;
  }
  *least = ratio;
}

/* Does the work of solve_kernel() for the factors of factor_long(). */
GRADYN_KERNEL void solve_long(const int width, const int n, const double *L, double *b)
{
  gradyn_lanes capacity[GRADYN_ROW_MOST / GRADYN_LANES];
  const double *x = (const double *)capacity;
  /* L y = b by columns, and D^-1 y */
  for (int c = 0; c < width; c++)
    gradyn_row_get(width, n, b, c, capacity + c);
  for (ptrdiff_t k = 0; k < n; k++) {
    const double known = x[k];
    b[k] = L[k * n + k] * known;
    take_row(width, known, L + k * n, capacity);
  }
  /* L^T x = D^-1 y by rows of L */
  for (int c = 0; c < width; c++)
    gradyn_row_get(width, n, b, c, capacity + c);
  for (ptrdiff_t i = n - 1; i >= 0; i--) {
    b[i] = x[i];
    take_row(width, b[i], L + i * n, capacity);
  }
}

/* Does the work of factor_kernel() for sizes without a constant kernel: none, one, or more than eight. */
GRADYN_KERNEL void factor_any(const int n, double *A, double *least, int *weakest)
{
  if (n < 2) {
    factor_kernel(n, A, least, weakest);
    return;
  }
  GRADYN_BY_LONG_WIDTH(n, factor_long, A, least, weakest);
}

GRADYN_KERNEL void solve_any(const int n, const double *L, double *b)
{
  if (n < 2) {
    solve_kernel(n, L, b);
    return;
  }
  GRADYN_BY_LONG_WIDTH(n, solve_long, L, b);
}

/* --- Kernels by the width of rows --------------------------------------------------------------- */

/* Writes J as a full matrix; entries outside the pattern stay zero. */
GRADYN_KERNEL void spread_rows(const gradyn_schur *s, const double *restrict J)
{
  const int *at = s->rows;
  double *restrict full = (double *)s->J;
  for (int k = 0, nnz = s->jac->start[s->m]; k < nnz; k++)
    full[at[k]] = J[k];
}

/* Writes J as a full matrix, and computes W = J M^-1. Row i of W is a sum of rows of the symmetric M^-1
 * over the entries of J. J is written first, because numbers written one by one cannot be read immediately
 * as whole lanes without delay. */
GRADYN_KERNEL void rows_kernel(const int width, const int n, const gradyn_schur *s,
                               const double *restrict J)
{
  const int *start = s->jac->start, *col = s->jac->col;
  const gradyn_lanes *inverse = s->inverse;
  gradyn_lanes *restrict w = s->W;
  (void)n;
  spread_rows(s, J);
  for (int i = 0, m = s->m; i < m; i++, w += width) {
    gradyn_lanes sum[GRADYN_ROW_MOST / GRADYN_LANES] = {0};
    for (ptrdiff_t k = start[i], end = start[i + 1]; k < end; k++)
      gradyn_row_add(width, J[k], inverse + (ptrdiff_t)col[k] * width, sum);
    for (int c = 0; c < width; c++) /* row i of W = J M^-1, [m][n] */
      w[c] = sum[c];
  }
}

/* S = W J^T, lower triangle only, as the factorisation requires. Four entries are written at a time;
 * surplus entries of a row fall into the next row, which is written later. */
GRADYN_KERNEL void complement_kernel(const int width, const int n, const gradyn_schur *s)
{
  const gradyn_lanes *w = s->W, *J = s->J;
  double *restrict row = s->S;
  (void)n;
  for (ptrdiff_t i = 0, m = s->m; i < m; i++, w += width, row += m)
    for (ptrdiff_t j = 0; j <= i; j += 4) {
      gradyn_lanes four;
      gradyn_row_dots(width, w, J + j * width, &four);
      *(gradyn_lanes_anywhere *)(row + j) = four;
    }
}

/* x = M^-1 f + e and mult = J x - g for b = (f, g); work also keeps x. */
GRADYN_KERNEL void condense_kernel(const int width, const int n, const gradyn_schur *s,
                                   const double *e, double *b)
{
  gradyn_lanes x[GRADYN_ROW_MOST / GRADYN_LANES];
  const int m = s->m;
  double *mult = b + n;
  for (int c = 0; c < width; c++)
    gradyn_row_get(width, n, e, c, x + c); /* e: addition to x requested by the caller */
  for (int k = 0; k < n; k++)
    gradyn_row_add(width, b[k], s->inverse + k * width, x);
  for (int c = 0; c < width; c++)
    s->work[c] = x[c];
  for (int i = 0; i < m; i += 4) { /* J (M^-1 f + e) - g */
    gradyn_lanes four;
    gradyn_row_dots(width, x, s->J + i * width, &four);
    for (int k = 0; k < 4 && i + k < m; k++)
      mult[i + k] = four[k] - mult[i + k];
  }
}

/* x = work - W^T mult. */
GRADYN_KERNEL void expand_kernel(const int width, const int n, const gradyn_schur *s, double *b)
{
  const double *mult = b + n;
  gradyn_lanes x[GRADYN_ROW_MOST / GRADYN_LANES];
  for (int c = 0; c < width; c++)
    x[c] = s->work[c]; /* x = M^-1 f - W^T mult */
  for (int i = 0; i < s->m; i++)
    gradyn_row_subtract(width, mult[i], s->W + i * width, x);
  for (int c = 0; c < width; c++)
    gradyn_row_put(width, n, x + c, c, b);
}

/* change = -W^T mult, moved = start + change. */
GRADYN_KERNEL void project_kernel(const int width, const int n, const gradyn_schur *s,
                                  const double *start, const double *mult, double *change,
                                  double *moved)
{
  gradyn_lanes x[GRADYN_ROW_MOST / GRADYN_LANES] = {0}, y;
  /* x = -W^T mult */
  for (int i = 0; i < s->m; i++)
    gradyn_row_subtract(width, mult[i], s->W + i * width, x);
  for (int c = 0; c < width; c++) {
    gradyn_row_put(width, n, x + c, c, change);
    gradyn_row_get(width, n, start, c, &y);
    y += x[c];
    gradyn_row_put(width, n, &y, c, moved);
  }
}

/* --- Interface ---------------------------------------------------------------------------------- */

GRADYN_WIDE static void factorise(int n, double *A, double *least, int *weakest)
{
  GRADYN_BY_SIZE(n, factor_kernel, factor_any, A, least, weakest);
}

/* Status for the smallest pivot ratio. */
static gradyn_status status_of(double least)
{
  return isnan(least) ? GRADYN_NON_FINITE : least > 0 ? GRADYN_OK : GRADYN_SINGULAR;
}

/* Whether M^-1 is the same for each of `axes` axes of points, without coupling between axes. */
static bool same_along(const gradyn_schur *s, int axes)
{
  const int stride = GRADYN_LANES * s->width;
  const double *inverse = (const double *)s->inverse;
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++) {
      const int of_points = (i - i % axes) * stride + j - j % axes;
      if (inverse[i * stride + j] != (i % axes == j % axes ? inverse[of_points] : 0))
        return false;
    }
  return s->n % axes == 0;
}

/* Extracts M^-1 of points if the coordinates are those of points, in space or in the plane. */
static void take_points(gradyn_schur *s)
{
  s->axes = same_along(s, 3) ? 3 : same_along(s, 2) ? 2 : 1;
  const int points = s->n / s->axes, stride = GRADYN_LANES * s->width;
  for (int i = 0; i < points && s->axes > 1; i++)
    for (int j = 0; j < points; j++)
      s->points[i * points + j] = ((const double *)s->inverse)[s->axes * (i * stride + j)];
}

/* Computes M^-1 in full, [n][n]. */
gradyn_status gradyn_schur_mass(gradyn_schur *s, const double *M)
{
  int n = s->n;
  /* M in rows; its factors are only needed for the inverse, so they are in the workspace */
  double *mass = (double *)s->mass, *factors = (double *)s->work;
  for (int k = 0; k < s->dyn->nnz; k++)
    mass[s->position[0][k]] = M[k];
  for (int i = 0; i < n; i++)
    memcpy(factors + i * n, s->mass + i * s->width, (size_t)n * sizeof(double));
  factorise(n, factors, &s->least_pivot, &s->weakest);
  GRADYN_TRY(status_of(s->least_pivot));
  /* column by column; once per run, because M is constant */
  for (int i = 0; i < n; i++) {
    double *column = (double *)(s->inverse + i * s->width); /* symmetric: a column is a row */
    memset(column, 0, (size_t)s->width * sizeof(gradyn_lanes));
    column[i] = 1;
    solve_kernel(n, factors, column);
    ((double *)s->measure)[i] = 1 / column[i];
  }
  take_points(s);
  return GRADYN_OK;
}

GRADYN_WIDE static void factor_schur(gradyn_schur *s, const double *J)
{
  GRADYN_BY_WIDTH(s->n, rows_kernel, s, J)
  GRADYN_BY_WIDTH(s->n, complement_kernel, s)
  GRADYN_BY_SIZE(s->m, factor_kernel, factor_any, s->S, &s->least_pivot, &s->weakest);
}

/* S = J M^-1 J^T = L D L^T at a new position. */
gradyn_status gradyn_schur_factor(gradyn_schur *s, const double *J)
{
  factor_schur(s, J);
  return status_of(s->least_pivot);
}

size_t gradyn_schur_size(const gradyn_schur *s)
{
  return (size_t)(s->m * (GRADYN_LANES * s->width + s->m));
}

void gradyn_schur_save(const gradyn_schur *s, double *capacity)
{
  memcpy(capacity, s->W, gradyn_schur_size(s) * sizeof(double));
}

void gradyn_schur_restore(gradyn_schur *s, const double *capacity)
{
  memcpy(s->W, capacity, gradyn_schur_size(s) * sizeof(double));
}

/* S mult = J M^-1 f - g, then x = M^-1 f - W^T mult. */
GRADYN_WIDE static void solve_schur(const gradyn_schur *s, const double *e, double *b)
{
  GRADYN_BY_WIDTH(s->n, condense_kernel, s, e, b)
  GRADYN_BY_SIZE(s->m, solve_kernel, solve_any, s->S, b + s->n);
  GRADYN_BY_WIDTH(s->n, expand_kernel, s, b)
}

/* S mult = g, change = -W^T mult and moved = start + change. */
GRADYN_WIDE static void project_schur(const gradyn_schur *s, const double *start, double *mult,
                                      double *change, double *moved)
{
  GRADYN_BY_SIZE(s->m, solve_kernel, solve_any, s->S, mult);
  GRADYN_BY_WIDTH(s->n, project_kernel, s, start, mult, change, moved)
}

/* (x; mult) = [M, J^T; J, 0]^-1 (b + (M e; 0)) in place. */
void gradyn_schur_solve_shifted(const gradyn_schur *s, const double *e, double *b)
{
  solve_schur(s, e, b);
}

void gradyn_schur_solve(const gradyn_schur *s, double *b)
{
  solve_schur(s, s->zero, b);
}

void gradyn_schur_project(const gradyn_schur *s, const double *start, double *mult, double *change,
                          double *moved)
{
  project_schur(s, start, mult, change, moved);
}
