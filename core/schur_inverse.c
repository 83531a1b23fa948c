/* Saddle systems by the Schur complement S = L D L^T: four right-hand sides at once, the whole inverse
 * [G, T^T; T, -S^-1], and its products. Sweeps solve with one matrix for many right-hand sides:
 * products by an inverse have no order in which unknowns must be found. For directions and functionals
 * side by side, b, f and x are lanes. */
#include <string.h>

#include "core/schur.h"

/* --- the inverse --------------------------------------------------------------------------------- */

/* Y = L^-1 W, Z = D^-1 Y, G = M^-1 - Y^T Z and T = L^-T Z, by rows; Z takes the place of T. */
GRADYN_KERNEL void invert_kernel(const int width, const int n, const gradyn_schur *s)
{
  const int m = s->m;
  const double *L = s->S, *Z = (const double *)s->T;
  gradyn_lanes *Y = s->work, *T = s->T, x[GRADYN_ROW_MOST / GRADYN_LANES];
  /* Y_i = W_i - sum of l_ik Y_k, k < i; Z_i = Y_i / d_i */
  for (int i = 0; i < m; i++) {
    for (int c = 0; c < width; c++)
      x[c] = s->W[i * width + c];
    for (int k = 0; k < i; k++)
      gradyn_row_subtract(width, L[i * m + k], Y + k * width, x);
    for (int c = 0; c < width; c++) {
      Y[i * width + c] = x[c];
      T[i * width + c] = L[i * m + i] * x[c];
    }
  }
  /* row r of G = M^-1 - Y^T Z; symmetric, so rows are columns */
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < width; c++)
      x[c] = s->inverse[r * width + c];
    for (int k = 0; k < m; k++)
      gradyn_row_subtract(width, Z[k * GRADYN_LANES * width + r], Y + k * width, x);
    for (int c = 0; c < width; c++)
      s->G[r * width + c] = x[c];
  }
  /* T_i = Z_i - sum of l_ki T_k, k > i, from the last row upwards */
  for (int i = m - 2; i >= 0; i--) {
    for (int c = 0; c < width; c++)
      x[c] = T[i * width + c];
    for (int k = i + 1; k < m; k++)
      gradyn_row_subtract(width, L[k * m + i], T + k * width, x);
    for (int c = 0; c < width; c++)
      T[i * width + c] = x[c];
  }
}

GRADYN_WIDE static void invert_schur(const gradyn_schur *s)
{
  GRADYN_BY_WIDTH(s->n, invert_kernel, s)
}

/* [G, T^T; T, -S^-1] is the inverse of [M, J^T; J, 0]: products by it serve lanes faster than
 * solutions. */
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

/* x = A b, A [rows][cols] with rows `stride` apart, two rows at a time. */
GRADYN_KERNEL void multiply_kernel(const int cols, const int stride, const int rows,
                                   const double *A, const gradyn_lanes *b, gradyn_lanes *x)
{
  /* two sums at a time do not wait for each other */
  int i = 0;
  for (; i + 2 <= rows; i += 2, A += 2 * stride) {
    gradyn_lanes p = A[0] * b[0], q = A[stride] * b[0];
    for (int k = 1; k < cols; k++) {
      p += A[k] * b[k];
      q += A[stride + k] * b[k];
    }
    x[i] = p;
    x[i + 1] = q;
  }
  if (i < rows)
    dot_lanes_kernel(cols, A, b, x + i);
}

/* The same for any number of columns, in pieces of fixed size. */
GRADYN_KERNEL void multiply(const int cols, const int stride, const int rows, const double *A,
                            const gradyn_lanes *b, gradyn_lanes *x)
{
  for (int i = 0; i < rows; i++, A += stride - cols) {
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

GRADYN_WIDE static void multiply_full(int cols, int rows, const double *A, const gradyn_lanes *b,
                                      gradyn_lanes *x)
{
  GRADYN_BY_SIZE(cols, multiply_kernel, multiply, cols, rows, A, b, x);
}

/* The same for rows of whole lanes. */
GRADYN_WIDE static void multiply_rows(const gradyn_schur *s, int rows, const gradyn_lanes *A,
                                      const gradyn_lanes *b, gradyn_lanes *x)
{
  GRADYN_BY_SIZE(s->n, multiply_kernel, multiply, GRADYN_LANES * s->width, rows, (const double *)A,
                 b, x);
}

/* x = G f, without multipliers. */
void gradyn_schur_apply(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x)
{
  multiply_rows(s, s->n, s->G, f, x);
}

/* x = G f, mult = T f: one product, since T stands behind G. */
void gradyn_schur_apply_both(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *x)
{
  multiply_rows(s, s->n + s->m, s->G, f, x);
}

/* x += T^T g, column by column */
GRADYN_KERNEL void rates_kernel(const int m, const gradyn_schur *s, const gradyn_lanes *g,
                                gradyn_lanes *x)
{
  const double *T = (const double *)s->T;
  const int stride = GRADYN_LANES * s->width;
  for (int c = 0; c < s->n; c++) {
    gradyn_lanes sum = T[c] * g[0];
    for (int i = 1; i < m; i++)
      sum += T[i * stride + c] * g[i];
    x[c] += sum;
  }
}

/* The same row by row, for many of them or none. */
GRADYN_KERNEL void rates(const int m, const gradyn_schur *s, const gradyn_lanes *g, gradyn_lanes *x)
{
  const double *T = (const double *)s->T;
  for (int i = 0; i < m; i++, T += GRADYN_LANES * s->width)
    for (int c = 0; c < s->n; c++)
      x[c] += T[c] * g[i];
}

GRADYN_WIDE static void add_schur_rates(const gradyn_schur *s, const gradyn_lanes *g,
                                        gradyn_lanes *x)
{
  GRADYN_BY_SIZE(s->m, rates_kernel, rates, s, g, x);
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

/* --- M - E in the place of M --------------------------------------------------------------------- */

/* x = (1 - G E)^-1 G f, the sum of its terms (G E)^k G f, and the force f + E x. */
typedef struct series {
  gradyn_lanes *x, *force, *term, *bent; /* [n] sums, the last term and E times it */
  gradyn_lanes before, last, sum;        /* squares of the last two terms and of x */
} series;

void gradyn_schur_bend_lanes(const gradyn_schur_bend *E, const gradyn_lanes *x, gradyn_lanes *y)
{
  const int n = E->pattern->rows;
  if (E->full) {
    multiply_full(n, n, E->full, x, y);
    return;
  }
  memset(y, 0, (size_t)n * sizeof *y);
  if (E->transposed)
    gradyn_lanes_multiply_transposed(E->pattern, n, E->values, E->factor, x, y);
  else
    gradyn_lanes_multiply(E->pattern, n, E->values, E->factor, x, y);
}

/* The next term and what it adds, row by row of G. */
GRADYN_KERNEL void term_kernel(const int n, const gradyn_schur *s, series *at)
{
  const double *G = (const double *)s->G;
  const gradyn_lanes *f = at->bent;
  gradyn_lanes last = {0}, sum = {0};
  /* term = G f; x += term; |term|^2 and |x|^2 tell whether the series converges */
  for (int i = 0; i < n; i++, G += GRADYN_LANES * gradyn_row_width(n)) {
    gradyn_lanes part;
    dot_lanes_kernel(n, G, f, &part);
    at->term[i] = part;
    at->x[i] += part;
    at->force[i] += f[i];
    last += part * part;
    sum += at->x[i] * at->x[i];
  }
  at->before = at->last; /* two terms' sizes give the rate of convergence */
  at->last = last;
  at->sum = sum;
}

/* The same in separate passes, as rows are long. */
static void add_term(const gradyn_schur *s, series *at)
{
  multiply_rows(s, s->n, s->G, at->bent, at->term);
  for (int i = 0; i < s->n; i++) {
    at->x[i] += at->term[i];
    at->force[i] += at->bent[i];
  }
  at->before = at->last;
  gradyn_lanes_squares(s->n, at->term, &at->last);
  gradyn_lanes_squares(s->n, at->x, &at->sum);
}

/* Whether the next term, judged by the last two, is below round-off in all lanes:
 * |next| ~ last^2/before, compared with |sum|. */
GRADYN_KERNEL bool settled(const series *at)
{
  const double least = 1e-34; /* squares */
  for (int k = 0; k < GRADYN_LANES; k++)
    if (!(at->last[k] * at->last[k] <= least * at->before[k] * at->sum[k]))
      return false;
  return true;
}

/* From the first term in x, that of force f. */
GRADYN_KERNEL void add_up(const bool full, const int n, const gradyn_schur *s,
                          const gradyn_schur_bend *E, const gradyn_lanes *f, series *at, bool *done)
{
  enum { MOST_TERMS = 12 };
  const gradyn_lanes *last = at->x;
  at->last = (gradyn_lanes){0};
  for (int i = 0; i < n; i++) {
    at->force[i] = f[i];
    at->last += at->x[i] * at->x[i];
  }
  *done = false;
  for (int k = 0; k < MOST_TERMS && !*done; k++, last = at->term) {
    if (full) { /* loops of constant size */
      multiply_kernel(n, n, n, E->full, last, at->bent);
      term_kernel(n, s, at);
    } else {
      gradyn_schur_bend_lanes(E, last, at->bent);
      add_term(s, at);
    }
    *done = settled(at);
  }
}

GRADYN_KERNEL void add_up_full(const int n, const gradyn_schur *s, const gradyn_schur_bend *E,
                               const gradyn_lanes *f, series *at, bool *done)
{
  series own = *at; /* a copy, whose members no store can change */
  add_up(true, n, s, E, f, &own, done);
}

GRADYN_KERNEL void add_up_any(const int n, const gradyn_schur *s, const gradyn_schur_bend *E,
                              const gradyn_lanes *f, series *at, bool *done)
{
  add_up(false, n, s, E, f, at, done);
}

GRADYN_WIDE static void add_up_series(const gradyn_schur *s, const gradyn_schur_bend *E,
                                      const gradyn_lanes *f, series *at, bool *done)
{
  if (E->full) {
    GRADYN_BY_SIZE(s->n, add_up_full, add_up_any, s, E, f, at, done)
  } else {
    add_up_any(s->n, s, E, f, at, done);
  }
}

bool gradyn_schur_solve_bent(const gradyn_schur *s, const gradyn_schur_bend *E, bool rates,
                             bool multipliers, const gradyn_lanes *b, gradyn_lanes *x,
                             gradyn_lanes *work)
{
  const int n = s->n;
  series at = {.x = x, .force = work, .term = work + n, .bent = work + 2 * n};
  bool done;
  /* x = G f + T^T g, without E; with it, f becomes f + E x */
  gradyn_schur_apply(s, b, x);
  if (rates)
    add_schur_rates(s, b + n, x);
  add_up_series(s, E, b, &at, &done);
  if (multipliers) /* by the whole force */
    multiply_rows(s, s->m, s->T, at.force, x + n);
  if (multipliers && rates)
    take_multipliers(s, b + n, x + n);
  return done;
}

/* --- solves ------------------------------------------------------------------------------------- */

/* mult = S^-1 mult, then x -= W^T mult; x [n], mult behind it */
GRADYN_KERNEL void multiplied_kernel(const int m, const gradyn_schur *s, gradyn_lanes *x)
{
  const double *W = (const double *)s->W;
  const int n = s->n, stride = GRADYN_LANES * s->width;
  gradyn_lanes *mult = x + n;
  substitute_kernel(m, s->S, mult);
  for (int c = 0; c < n; c++) {
    gradyn_lanes sum = x[c];
    for (int i = 0; i < m; i++)
      sum -= W[i * stride + c] * mult[i];
    x[c] = sum;
  }
}

/* S mult = W f - g, then x = M^-1 f - W^T mult */
GRADYN_WIDE static void solve_side_by_side(const gradyn_schur *s, bool rates, const gradyn_lanes *b,
                                           gradyn_lanes *x)
{
  const int n = s->n, m = s->m;
  /* (M^-1 f; W f), whose matrices follow each other */
  GRADYN_BY_SIZE(n, multiply_kernel, multiply, GRADYN_LANES * s->width, n + m,
                 (const double *)s->inverse, b, x);
  for (int i = n; i < n + m && rates; i++)
    x[i] -= b[i];
  GRADYN_BY_SIZE(m, multiplied_kernel, multiplied_kernel, s, x);
}

/* Without the inverse: by the factors, for lanes that come once. */
void gradyn_schur_solve_lanes(const gradyn_schur *s, bool rates, const gradyn_lanes *b,
                              gradyn_lanes *x)
{
  solve_side_by_side(s, rates, b, x);
}

/* --- matrices in full --------------------------------------------------------------------------- */

bool gradyn_schur_small(const gradyn_schur *s)
{
  /* those with kernels of their own */
  return s->n <= 8 && s->n % 2 == 0;
}

/* A sparse matrix in full, for products that have no indices in their way. */
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
  multiply_full(s->n, s->n, A, x, y);
}
