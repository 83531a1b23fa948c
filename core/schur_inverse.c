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

/* The new term and what it adds, row by row of G. */
GRADYN_KERNEL void term_kernel(const int n, const gradyn_schur *s, const gradyn_lanes *f,
                               gradyn_series *to)
{
  const double *G = (const double *)s->G;
  gradyn_lanes *x = to->x, *term = to->term, *force = to->force;
  gradyn_lanes last = {0}, sum = {0};
  /* term = G f; x += term; |term|^2 and |x|^2 tell whether the series converges */
  for (int i = 0; i < n; i++, G += GRADYN_LANES * s->width) {
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

/* x += t and force += f with t = G f; the squares tell how fast the series converges. */
static void add_term(const int n, const gradyn_schur *s, const gradyn_lanes *f, gradyn_series *to)
{
  /* the same in separate passes, as rows are long */
  multiply_rows(s, n, s->G, f, to->term);
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
  GRADYN_BY_SIZE(s->n, term_kernel, add_term, s, f, to);
}

void gradyn_schur_add_term(const gradyn_schur *s, const gradyn_lanes *f, gradyn_series *to)
{
  add_series_term(s, f, to);
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

void gradyn_schur_multipliers(const gradyn_schur *s, const gradyn_lanes *f, gradyn_lanes *mult)
{
  multiply_rows(s, s->m, s->T, f, mult);
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
