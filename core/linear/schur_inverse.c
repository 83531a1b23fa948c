/* Saddle systems by the Schur complement S = L D L^T: four right-hand sides at once, the whole inverse [G,
 * T^T; T, -S^-1], and its products.
 *
 * Reverse sweeps solve with one matrix for many right-hand sides. In products with an inverse, unknowns do
 * not depend on each other. For directions and functionals side by side, b, f and x are lanes.
 *
 * The rank of G = M^-1 - M^-1 J^T T is n - m, the number of directions allowed by J. G is stored as N^T
 * D^-1 N. The rows of N are these directions, orthogonal with respect to M. They are the n - m Cholesky
 * factors of G with the largest pivots. */
#include "core/linear/schur.h"
#include "core/linear/schur_kernels.h"

/* --- Inverse ------------------------------------------------------------------------------------ */

/* Y = L^-1 W and Z = D^-1 Y, by rows; Z is stored in T. */
GRADYN_KERNEL void halve(const int width, const gradyn_schur *s, gradyn_lanes *Y)
{
  const int m = s->m;
  const double *L = s->S;
  /* Y_i = W_i - sum of l_ik Y_k, k < i; Z_i = Y_i/d_i */
  for (int i = 0; i < m; i++) {
    gradyn_lanes x[GRADYN_ROW_MOST / GRADYN_LANES];
    for (int c = 0; c < width; c++)
      x[c] = s->W[i * width + c];
    for (int k = 0; k < i; k++)
      gradyn_row_subtract(width, L[i * m + k], Y + k * width, x);
    for (int c = 0; c < width; c++) {
      Y[i * width + c] = x[c];
      s->T[i * width + c] = L[i * m + i] * x[c];
    }
  }
}

/* T_i = Z_i - sum of l_ki T_k, k > i, from the last row upwards. */
GRADYN_KERNEL void finish(const int width, const gradyn_schur *s)
{
  const int m = s->m;
  gradyn_lanes *T = s->T;
  for (int i = m - 2; i >= 0; i--) {
    gradyn_lanes x[GRADYN_ROW_MOST / GRADYN_LANES];
    for (int c = 0; c < width; c++)
      x[c] = T[i * width + c];
    for (int k = i + 1; k < m; k++)
      gradyn_row_subtract(width, s->S[k * m + i], T + k * width, x);
    for (int c = 0; c < width; c++)
      T[i * width + c] = x[c];
  }
}

/* The coordinate with the largest remaining g_ii relative to the diagonal of M^-1. */
GRADYN_KERNEL int most_left(const int width, const int n, const gradyn_schur *s,
                            const gradyn_lanes *left)
{
  gradyn_lanes share[GRADYN_ROW_MOST / GRADYN_LANES];
  const double *of = (const double *)share;
  int at = 0;
  for (int c = 0; c < width; c++)
    share[c] = left[c] * s->measure[c];
  double most = of[0];
  for (int i = 1; i < n; i++)
    if (of[i] > most) {
      most = of[i];
      at = i;
    }
  return at;
}

/* left = the diagonal of M^-1 - Y^T Z. */
GRADYN_KERNEL void begin_split(const int width, const int n, const gradyn_schur *s,
                               const gradyn_lanes *Y, gradyn_lanes *left)
{
  const double *M = (const double *)s->inverse;
  left[width - 1] = (gradyn_lanes){0};
  for (int i = 0; i < n; i++)
    ((double *)left)[i] = M[(GRADYN_LANES * width + 1) * i];
  for (int k = 0; k < s->m; k++) /* g_cc = (M^-1)_cc - sum of y_kc z_kc */
    for (int c = 0; c < width; c++)
      left[c] -= Y[k * width + c] * s->T[k * width + c];
}

/* Ratio of the smallest pivot below which rows of N are projected. If constraints are nearly dependent, the
 * smallest d_i is known only up to round-off of the entries of S. G then contains a part of the
 * corresponding direction. */
static const double weak = 1e-2;

/* Removes from a row of N the part that violates J: x -= T^T J x = Z^T L^-1 J x. Otherwise forces along
 * constraints would cause accelerations. Not inlined, because it is rare. */
static __attribute__((noinline)) void purify(const gradyn_schur *s, gradyn_lanes *x)
{
  const int m = s->m, width = s->width;
  gradyn_lanes capacity[GRADYN_ROW_MOST / GRADYN_LANES];
  double *r = (double *)capacity;
  for (int i = 0; i < m; i += GRADYN_LANES) /* r = J x */
    gradyn_row_dots(width, x, s->J + i * width, capacity + i / GRADYN_LANES);
  for (int i = 0; i < m; i++) { /* L^-1 r, entry by entry */
    for (int k = 0; k < i; k++)
      r[i] -= s->S[i * m + k] * r[k];
    gradyn_row_subtract(width, r[i], s->T + i * width, x);
  }
}

/* M^-1 - Y^T Z = N^T D^-1 N = N^T V. Row j of N belongs to the largest remaining pivot. */
GRADYN_KERNEL void split(const int width, const int n, const gradyn_schur *s, const gradyn_lanes *Y)
{
  const int stride = GRADYN_LANES * width, m = s->m;
  const double *N = (const double *)s->N, *Z = (const double *)s->T;
  gradyn_lanes left[GRADYN_ROW_MOST / GRADYN_LANES], *row = s->N, *over = s->V;
  begin_split(width, n, s, Y, left);
  for (int j = 0; j < n - m; j++, row += width, over += width) {
    const int p = most_left(width, n, s, left);
    gradyn_lanes x[GRADYN_ROW_MOST / GRADYN_LANES];
    for (int c = 0; c < width; c++)
      x[c] = s->inverse[p * width + c];
    /* row p of G, minus the contributions of earlier rows */
    for (int k = 0; k < m; k++)
      gradyn_row_subtract(width, Z[k * stride + p], Y + k * width, x);
    for (int k = 0; k < j; k++)
      gradyn_row_subtract(width, N[k * stride + p], s->V + k * width, x);
    for (int c = 0; c < width; c++)
      row[c] = x[c];
    if (s->least_pivot < weak)
      purify(s, row);
    const double pivot = N[j * stride + p];
    /* not positive: the remainder is round-off relative to M^-1 and counts as zero */
    const double inverse = pivot > 0 ? 1 / pivot : 0;
    s->D[j] = pivot > 0 ? pivot : 1;
    for (int c = 0; c < width; c++) {
      if (!(pivot > 0))
        row[c] = (gradyn_lanes){0};
      over[c] = inverse * row[c];
      left[c] -= row[c] * over[c];
    }
  }
}

GRADYN_KERNEL void invert_kernel(const int width, const int n, const gradyn_schur *s)
{
  gradyn_lanes *Y = s->work;
  halve(width, s, Y);
  split(width, n, s, Y);
  finish(width, s);
}

GRADYN_WIDE static void invert_schur(const gradyn_schur *s)
{
  GRADYN_BY_WIDTH(s->n, invert_kernel, s)
}

void gradyn_schur_invert(gradyn_schur *s)
{
  invert_schur(s);
}

/* --- Products with lanes ------------------------------------------------------------------------ */

/* x = A b for rows of whole lanes. */
GRADYN_WIDE static void multiply_rows(const gradyn_schur *s, int rows, const gradyn_lanes *A,
                                      const gradyn_lanes *b, gradyn_lanes *x)
{
  GRADYN_BY_SIZE(s->n, gradyn_schur_multiply, gradyn_schur_multiply, GRADYN_LANES * s->width, rows,
                 (const double *)A, b, x);
}

/* x = V^T N f and, if `both`, mult = T f after it. */
GRADYN_KERNEL void apply(const int n, const gradyn_schur *s, const bool both, const gradyn_lanes *f,
                         gradyn_lanes *x)
{
  const int stride = GRADYN_LANES * gradyn_row_width(n), m = s->m, left = n - m;
  const double *N = (const double *)s->N;
  gradyn_lanes y[GRADYN_ROW_MOST];
  for (int j = 0; j < left; j++, N += stride) /* components of f in the allowed directions */
    gradyn_schur_dot(n, N, f, y + j);
  gradyn_schur_pull_rows(n, 0, stride, left, s->V, y, x);
  if (both)
    gradyn_schur_multiply(n, stride, m, (const double *)s->T, f, x + n);
}

GRADYN_WIDE static void apply_inverse(const gradyn_schur *s, bool both, const gradyn_lanes *f,
                                      gradyn_lanes *x)
{
  GRADYN_BY_SIZE(s->n, apply, apply, s, both, f, x);
}

/* x = G f, without multipliers. */
void gradyn_schur_apply(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x)
{
  apply_inverse(s, false, f, x);
}

/* x = G f, mult = T f. */
void gradyn_schur_apply_both(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x)
{
  apply_inverse(s, true, f, x);
}

/* x += A^T z or x -= A^T z for the m rows of T or J. */
GRADYN_KERNEL void pull_rows(const int n, const gradyn_schur *s, bool subtract,
                             const gradyn_lanes *A, const gradyn_lanes *z, gradyn_lanes *x)
{
  const int stride = GRADYN_LANES * gradyn_row_width(n);
  if (subtract)
    gradyn_schur_pull_rows(n, -1, stride, s->m, A, z, x);
  else
    gradyn_schur_pull_rows(n, 1, stride, s->m, A, z, x);
}

GRADYN_WIDE static void pull_schur(const gradyn_schur *s, bool subtract, const gradyn_lanes *A,
                                   const gradyn_lanes *z, gradyn_lanes *x)
{
  GRADYN_BY_SIZE(s->n, pull_rows, pull_rows, s, subtract, A, z, x);
}

/* z = S^-1 z, for entries of `lanes` lanes. The unknown found last enters each sum last. */
GRADYN_KERNEL void substitute_kernel(const int m, const int lanes, const double *restrict L,
                                     gradyn_lanes *restrict z)
{
  gradyn_lanes sum[2];
  /* L y = z */
  GRADYN_UNROLL
  for (int i = 1; i < m; i++) {
    for (int h = 0; h < lanes; h++)
      sum[h] = z[i * lanes + h];
    GRADYN_UNROLL
    for (int k = 0; k < i; k++)
      for (int h = 0; h < lanes; h++)
        sum[h] -= L[i * m + k] * z[k * lanes + h];
    for (int h = 0; h < lanes; h++)
      z[i * lanes + h] = sum[h];
  }
  /* D L^T z = y */
  GRADYN_UNROLL
  for (int i = m - 1; i >= 0; i--) {
    for (int h = 0; h < lanes; h++)
      sum[h] = L[i * m + i] * z[i * lanes + h];
    GRADYN_UNROLL
    for (int k = m - 1; k > i; k--)
      for (int h = 0; h < lanes; h++)
        sum[h] -= L[k * m + i] * z[k * lanes + h];
    for (int h = 0; h < lanes; h++)
      z[i * lanes + h] = sum[h];
  }
}

/* mult -= S^-1 g; z [m] is workspace. */
GRADYN_KERNEL void multipliers_kernel(const int m, const double *L, const gradyn_lanes *g,
                                      gradyn_lanes *z, gradyn_lanes *mult)
{
  for (int i = 0; i < m; i++)
    z[i] = g[i];
  substitute_kernel(m, 1, L, z);
  for (int i = 0; i < m; i++)
    mult[i] -= z[i];
}

GRADYN_WIDE static void take_multipliers(const gradyn_schur *s, const gradyn_lanes *g,
                                         gradyn_lanes *mult)
{
  GRADYN_BY_SIZE(s->m, multipliers_kernel, multipliers_kernel, s->S, g, s->rates, mult);
}

void gradyn_schur_take_rates(const gradyn_schur *s, const gradyn_lanes *g, gradyn_lanes *mult)
{
  take_multipliers(s, g, mult);
}

void gradyn_schur_add_rates(const gradyn_schur *s, const gradyn_lanes *g, gradyn_lanes *x,
                            gradyn_lanes *mult)
{
  pull_schur(s, false, s->T, g, x); /* x += T^T g */
  if (mult)
    take_multipliers(s, g, mult);
}

/* --- Solves ------------------------------------------------------------------------------------- */

/* x = M^-1 f by M^-1 of points; an entry has `wide` lanes, those of all axes. */
GRADYN_KERNEL void points_kernel(const int wide, const gradyn_schur *s, const gradyn_lanes *f,
                                 gradyn_lanes *x)
{
  const int points = s->n / s->axes;
  const double *row = s->points;
  for (int r = 0; r < points; r++, row += points, x += wide) {
    gradyn_lanes sum[6];
    for (int h = 0; h < wide; h++)
      sum[h] = row[0] * f[h];
    for (int k = 1; k < points; k++)
      for (int h = 0; h < wide; h++)
        sum[h] += row[k] * f[k * wide + h];
    for (int h = 0; h < wide; h++)
      x[h] = sum[h];
  }
}

/* x = (M^-1 f; W f) in one product, because M^-1 and W are adjacent. Long rows are used as a whole, with
 * the zeros at their end. */
GRADYN_KERNEL void condense(const int width, const int n, const int lanes, const gradyn_schur *s,
                            const gradyn_lanes *b, gradyn_lanes *x)
{
  const bool whole = n > 8 || n % 2 == 1; /* lengths without a constant n */
  const int stride = GRADYN_LANES * width, cols = whole ? stride : n;
  gradyn_lanes capacity[2 * GRADYN_ROW_MOST];
  if (whole && n < stride) {
    for (int i = 0; i < n * lanes; i++)
      capacity[i] = b[i];
    for (int i = n * lanes; i < stride * lanes; i++)
      capacity[i] = (gradyn_lanes){0};
    b = capacity;
  }
  if (s->axes == 3)
    points_kernel(3 * lanes, s, b, x);
  else if (s->axes == 2)
    points_kernel(2 * lanes, s, b, x);
  const int done = s->axes > 1 ? n : 0;
  gradyn_schur_multiply_lanes(lanes, cols, GRADYN_LANES * s->width, n + s->m - done,
                              (const double *)(s->inverse + done * width), b, x + done * lanes);
}

/* x = sign x - W^T mult; x [n], followed by mult. */
GRADYN_KERNEL void expand(const int n, const int lanes, const gradyn_schur *s, double sign,
                          gradyn_lanes *x)
{
  gradyn_schur_pull_lanes(lanes, n, sign, -1, GRADYN_LANES * gradyn_row_width(n), s->m, s->W,
                          x + lanes * n, x);
}

/* S mult = W f - g, then x = M^-1 f - W^T mult; sign -1: for -f and -g. Entries have `lanes` lanes. */
GRADYN_KERNEL void solve_kernel(const int lanes, const gradyn_schur *s, bool rates, double sign,
                                const gradyn_lanes *b, gradyn_lanes *x)
{
  const int n = s->n, m = s->m;
  GRADYN_BY_WIDTH(n, condense, lanes, s, b, x)
  for (int i = n * lanes; i < (n + m) * lanes && rates; i++)
    x[i] = sign * (x[i] - b[i]);
  for (int i = n * lanes; i < (n + m) * lanes && !rates && sign < 0; i++)
    x[i] = -x[i];
  GRADYN_BY_SIZE(m, substitute_kernel, substitute_kernel, lanes, s->S, x + n * lanes);
  GRADYN_BY_SIZE(n, expand, expand, lanes, s, sign, x);
}

GRADYN_WIDE static void solve_side_by_side(const gradyn_schur *s, bool rates, double sign,
                                           const gradyn_lanes *b, gradyn_lanes *x)
{
  solve_kernel(1, s, rates, sign, b, x);
}

GRADYN_WIDE static void solve_two_packs(const gradyn_schur *s, bool rates, double sign,
                                        const gradyn_lanes *b, gradyn_lanes *x)
{
  solve_kernel(2, s, rates, sign, b, x);
}

/* Solves by the factors, without the inverse: for right-hand sides that occur once. */
void gradyn_schur_solve_lanes(const gradyn_schur *s, int lanes, bool rates, bool minus,
                              const gradyn_lanes *b, gradyn_lanes *x)
{
  if (lanes > 1)
    solve_two_packs(s, rates, minus ? -1 : 1, b, x);
  else
    solve_side_by_side(s, rates, minus ? -1 : 1, b, x);
}

/* --- Full matrices ------------------------------------------------------------------------------ */

bool gradyn_schur_small(const gradyn_schur *s)
{
  /* sizes with their own kernels */
  return s->n <= 8 && s->n % 2 == 0;
}

void gradyn_schur_weigh(const gradyn_schur *s, const gradyn_lanes *x, gradyn_lanes *y)
{
  multiply_rows(s, s->n, s->mass, x, y);
}

/* y += J x, row by row. */
GRADYN_KERNEL void rates_kernel(const int n, const gradyn_schur *s, const gradyn_lanes *x,
                                gradyn_lanes *y)
{
  const double *row = (const double *)s->J;
  /* y_i += J_i x, including zeros of the row, which cost less than indices would */
  for (int i = 0; i < s->m; i++, row += GRADYN_LANES * gradyn_row_width(n)) {
    gradyn_lanes part;
    gradyn_schur_dot(n, row, x, &part);
    y[i] += part;
  }
}

GRADYN_WIDE static void add_rates_of(const gradyn_schur *s, const gradyn_lanes *x, gradyn_lanes *y)
{
  GRADYN_BY_SIZE(s->n, rates_kernel, rates_kernel, s, x, y);
}

void gradyn_schur_rates(const gradyn_schur *s, const gradyn_lanes *x, gradyn_lanes *y)
{
  add_rates_of(s, x, y);
}

void gradyn_schur_pull(const gradyn_schur *s, const gradyn_lanes *mult, gradyn_lanes *x)
{
  pull_schur(s, true, s->J, mult, x);
}
