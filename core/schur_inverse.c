/* Saddle systems by the Schur complement S = L D L^T: four right-hand sides at once, the whole inverse
 * [G, T^T; T, -S^-1], and its products. */
#include <string.h>

#include "core/schur.h"

/* --- the inverse, with a fixed, even number of coordinates --------------------------------------- */

/* two coordinates in a register */
typedef double pair __attribute__((vector_size(16), may_alias));
enum { MOST_PAIRS = 4 };

/* x -= sum of factor[k * stride] times row k of A, k < count. */
GRADYN_KERNEL void take_rows_kernel(const int n, const int count, const double *factor,
                                    const int stride, const double *A, pair *x)
{
  const pair *row = (const pair *)A;
  for (int k = 0; k < count; k++, row += n / 2)
    for (int c = 0; c < n / 2; c++)
      x[c] -= factor[k * stride] * row[c];
}

/* Y = L^-1 W, Z = D^-1 Y, G = M^-1 - Y^T Z and T = L^-T Z, by rows; Z takes the place of T. */
GRADYN_KERNEL void invert_kernel(const int n, const gradyn_schur *s)
{
  const double *L = s->S;
  const pair *W = (const pair *)s->W, *inverse = (const pair *)s->inverse;
  pair *Y = (pair *)s->work, *T = (pair *)s->T, *G = (pair *)s->G;
  const int m = s->m, half = n / 2;
  /* Y_i = W_i - sum of l_ik Y_k, k < i; Z_i = Y_i / d_i */
  for (int i = 0; i < m; i++) {
    pair x[MOST_PAIRS];
    for (int c = 0; c < half; c++)
      x[c] = W[i * half + c];
    take_rows_kernel(n, i, L + i * m, 1, s->work, x);
    for (int c = 0; c < half; c++) {
      Y[i * half + c] = x[c];
      T[i * half + c] = L[i * m + i] * x[c];
    }
  }
  /* row r of G = M^-1 - Y^T Z; symmetric, so rows are columns */
  for (int r = 0; r < n; r++) {
    pair x[MOST_PAIRS];
    for (int c = 0; c < half; c++)
      x[c] = inverse[r * half + c];
    take_rows_kernel(n, m, s->T + r, n, s->work, x);
    for (int c = 0; c < half; c++)
      G[r * half + c] = x[c];
  }
  /* T_i = Z_i - sum of l_ki T_k, k > i, from the last row upwards */
  for (int i = m - 2; i >= 0; i--) {
    pair x[MOST_PAIRS];
    for (int c = 0; c < half; c++)
      x[c] = T[i * half + c];
    take_rows_kernel(n, m - 1 - i, L + (i + 1) * m + i, m, s->T + (i + 1) * n, x);
    for (int c = 0; c < half; c++)
      T[i * half + c] = x[c];
  }
}

/* --- with any number of coordinates ------------------------------------------------------------- */

static void take_row(int n, double factor, const double *row, double *x)
{
  for (int c = 0; c < n; c++)
    x[c] -= factor * row[c];
}

static void invert(const int n, const gradyn_schur *s)
{
  const int m = s->m;
  const double *L = s->S;
  double *Y = s->work, *T = s->T, *G = s->G;
  /* the same three stages, without fixed sizes */
  memcpy(Y, s->W, (size_t)(m * n) * sizeof(double));
  memcpy(G, s->inverse, (size_t)(n * n) * sizeof(double));
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < i; k++)
      take_row(n, L[i * m + k], Y + k * n, Y + i * n);
    for (int c = 0; c < n; c++)
      T[i * n + c] = L[i * m + i] * Y[i * n + c];
  }
  for (int r = 0; r < n; r++) /* G = M^-1 - Y^T Z */
    for (int k = 0; k < m; k++)
      take_row(n, T[k * n + r], Y + k * n, G + r * n);
  for (int i = m - 2; i >= 0; i--) /* T = L^-T Z */
    for (int k = i + 1; k < m; k++)
      take_row(n, L[k * m + i], T + k * n, T + i * n);
}

GRADYN_WIDE static void invert_schur(const gradyn_schur *s)
{
  GRADYN_BY_SIZE(s->n, invert_kernel, invert, s);
}

void gradyn_schur_invert(gradyn_schur *s)
{
  invert_schur(s);
}

/* --- products with lanes ------------------------------------------------------------------------ */

/* a.b */
GRADYN_KERNEL void dot_lanes_kernel(const int cols, const double *a, const gradyn_lanes *b,
                                    gradyn_lanes *out)
{
  gradyn_lanes sum = a[0] * b[0];
  for (int k = 1; k < cols; k++)
    sum += a[k] * b[k];
  *out = sum;
}

/* x = A b, A [rows][cols], two rows at a time. */
GRADYN_KERNEL void multiply_kernel(const int cols, const int rows, const double *A,
                                   const gradyn_lanes *b, gradyn_lanes *x)
{
  /* two sums at a time do not wait for each other */
  int i = 0;
  for (; i + 2 <= rows; i += 2, A += 2 * cols) {
    gradyn_lanes p = A[0] * b[0], q = A[cols] * b[0];
    for (int k = 1; k < cols; k++) {
      p += A[k] * b[k];
      q += A[cols + k] * b[k];
    }
    x[i] = p;
    x[i + 1] = q;
  }
  if (i < rows)
    dot_lanes_kernel(cols, A, b, x + i);
}

/* The same for any number of columns, in pieces of fixed size. */
GRADYN_KERNEL void multiply(const int cols, const int rows, const double *A, const gradyn_lanes *b,
                            gradyn_lanes *x)
{
  for (int i = 0; i < rows; i++) {
    const gradyn_lanes *from = b;
    int left = cols;
    x[i] = (gradyn_lanes){0};
    for (; left >= 4; left -= 4, A += 4, from += 4) {
      gradyn_lanes part;
      dot_lanes_kernel(4, A, from, &part);
      x[i] += part;
    }
    for (; left > 0; left--, A++, from++)
      x[i] += *A * *from;
  }
}

GRADYN_WIDE static void multiply_rows(int cols, int rows, const double *A, const gradyn_lanes *b,
                                      gradyn_lanes *x)
{
  GRADYN_BY_SIZE(cols, multiply_kernel, multiply, rows, A, b, x);
}

/* The new term and what it adds, row by row of G. */
GRADYN_KERNEL void term_kernel(const int n, const double *G, const gradyn_lanes *f,
                               gradyn_series *to)
{
  gradyn_lanes *x = to->x, *term = to->term, *force = to->force;
  gradyn_lanes last = {0}, sum = {0};
  /* term = G f; x += term; |term|^2 and |x|^2 tell whether the series converges */
  for (int i = 0; i < n; i++, G += n) {
    gradyn_lanes part;
    dot_lanes_kernel(n, G, f, &part);
    term[i] = part;
    x[i] += part;
    force[i] += f[i];
    last += part * part;
    sum += x[i] * x[i];
  }
  to->before = to->last; /* two terms' sizes give the rate of convergence */
  to->last = last;
  to->sum = sum;
}

static void add_term(const int n, const double *G, const gradyn_lanes *f, gradyn_series *to)
{
  /* the same in separate passes, as rows are long */
  multiply_rows(n, n, G, f, to->term);
  for (int i = 0; i < n; i++) {
    to->x[i] += to->term[i];
    to->force[i] += f[i];
  }
  to->before = to->last;
  gradyn_lanes_squares(n, to->term, &to->last);
  gradyn_lanes_squares(n, to->x, &to->sum);
}

GRADYN_WIDE static void add_series_term(const gradyn_schur *s, const gradyn_lanes *f,
                                        gradyn_series *to)
{
  GRADYN_BY_SIZE(s->n, term_kernel, add_term, s->G, f, to);
}

void gradyn_schur_add_term(const gradyn_schur *s, const gradyn_lanes *f, gradyn_series *to)
{
  add_series_term(s, f, to);
}

void gradyn_schur_apply(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x)
{
  multiply_rows(s->n, s->n, s->G, f, x);
}

void gradyn_schur_apply_both(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x)
{
  multiply_rows(s->n, s->n + s->m, s->G, f, x);
}

void gradyn_schur_multipliers(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *mult)
{
  multiply_rows(s->n, s->m, s->T, f, mult);
}

/* x += A^T g, A [m][n] */
GRADYN_KERNEL void rates_kernel(const int m, const int n, const double *A, const gradyn_lanes *g,
                                /* x += T^T g, column by column */
                                gradyn_lanes *x)
{
  for (int c = 0; c < n; c++) {
    gradyn_lanes sum = A[c] * g[0];
    for (int i = 1; i < m; i++)
      sum += A[i * n + c] * g[i];
    x[c] += sum;
  }
}

GRADYN_KERNEL void rates(const int m, const int n, const double *A, const gradyn_lanes *g,
                         gradyn_lanes *x)
{
  for (int i = 0; i < m; i++, A += n)
    for (int c = 0; c < n; c++)
      x[c] += A[c] * g[i];
}

GRADYN_WIDE static void add_schur_rates(const gradyn_schur *s, const gradyn_lanes *g,
                                        gradyn_lanes *x)
{
  GRADYN_BY_SIZE(s->m, rates_kernel, rates, s->n, s->T, g, x);
}

/* z = S^-1 z; sums end with what is found last. */
GRADYN_KERNEL void substitute_kernel(const int m, const double *restrict L,
                                     gradyn_lanes *restrict z)
{
  /* L y = z */
  GRADYN_UNROLL
  for (int i = 1; i < m; i++) {
    gradyn_lanes sum = z[i];
    GRADYN_UNROLL
    for (int k = 0; k < i; k++)
      sum -= L[i * m + k] * z[k];
    z[i] = sum;
  }
  /* D L^T z = y */
  GRADYN_UNROLL
  for (int i = m - 1; i >= 0; i--) {
    gradyn_lanes sum = L[i * m + i] * z[i];
    GRADYN_UNROLL
    for (int k = m - 1; k > i; k--)
      sum -= L[k * m + i] * z[k];
    z[i] = sum;
  }
}

/* mult -= S^-1 g; z [m] is work. */
GRADYN_KERNEL void multipliers_kernel(const int m, const double *L, const gradyn_lanes *g,
                                      gradyn_lanes *z, gradyn_lanes *mult)
{
  for (int i = 0; i < m; i++)
    z[i] = g[i];
  substitute_kernel(m, L, z);
  for (int i = 0; i < m; i++)
    mult[i] -= z[i];
}

GRADYN_WIDE static void take_multipliers(const gradyn_schur *s, const gradyn_lanes *g,
                                         gradyn_lanes *mult)
{
  GRADYN_BY_SIZE(s->m, multipliers_kernel, multipliers_kernel, s->S, g, s->rates, mult);
}

void gradyn_schur_add_rates(const gradyn_schur *s, const gradyn_lanes *g, gradyn_lanes *x,
                            gradyn_lanes *mult)
{
  add_schur_rates(s, g, x);
  if (mult)
    take_multipliers(s, g, mult);
}

/* --- solves ------------------------------------------------------------------------------------- */

/* mult = S^-1 mult, then x -= W^T mult; x [n], mult behind it, S behind W */
GRADYN_KERNEL void multiplied_kernel(const int m, const int n, const double *W, gradyn_lanes *x)
{
  gradyn_lanes *mult = x + n;
  substitute_kernel(m, W + m * n, mult);
  for (int c = 0; c < n; c++) {
    gradyn_lanes sum = x[c];
    for (int i = 0; i < m; i++)
      sum -= W[i * n + c] * mult[i];
    x[c] = sum;
  }
}

/* S mult = W f - g, then x = M^-1 f - W^T mult */
GRADYN_WIDE static void solve_side_by_side(const gradyn_schur *s, bool rates, const gradyn_lanes *b,
                                           gradyn_lanes *x)
{
  const int n = s->n, m = s->m;
  /* (M^-1 f; W f), whose matrices follow each other */
  GRADYN_BY_SIZE(n, multiply_kernel, multiply, n + m, s->inverse, b, x);
  for (int i = n; i < n + m && rates; i++)
    x[i] -= b[i];
  GRADYN_BY_SIZE(m, multiplied_kernel, multiplied_kernel, n, s->W, x);
}

void gradyn_schur_solve_lanes(const gradyn_schur *s, bool rates, const gradyn_lanes *b,
                              gradyn_lanes *x)
{
  solve_side_by_side(s, rates, b, x);
}

/* --- matrices in full --------------------------------------------------------------------------- */

bool gradyn_schur_small(const gradyn_schur *s)
{
  /* n / 2 pairs at most MOST_PAIRS, and whole ones */
  return s->n <= 2 * MOST_PAIRS && s->n % 2 == 0;
}

void gradyn_schur_spread(const gradyn_schur *s, const double *values, double factor,
                         bool transposed, double *full)
{
  const int *place = s->place[transposed];
  /* full [n][n] = factor A or factor A^T */
  memset(full, 0, (size_t)(s->n * s->n) * sizeof *full);
  for (int k = 0, nnz = s->dyn->nnz; k < nnz; k++)
    full[place[k]] = factor * values[k];
}

void gradyn_schur_product(const gradyn_schur *s, const double *A, const gradyn_lanes *x,
                          gradyn_lanes *y)
{
  multiply_rows(s->n, s->n, A, x, y);
}
