/* Saddle systems with M - E instead of M, by the inverse of those with M. In the directions allowed by J, x
 * = x_0 + N^T z with J x_0 = g, and
 *
 *     N (M - E) N^T z = (D - N E N^T) z = N (f + E e + E x_0).
 *
 * These n - m equations have no multipliers, because J N^T = 0. For x_0 = T^T g, N M x_0 = 0. */
#include <string.h>

#include "core/linear/schur.h"
#include "core/linear/schur_kernels.h"

/* U = N E and B = -U N^T, to which factor_bent() adds D. Rows after those of N are read, but the results
 * are overwritten. */
GRADYN_KERNEL void bend_kernel(const int width, const int n, const gradyn_schur *s)
{
  const int left = n - s->m, stride = GRADYN_LANES * width;
  for (int j = 0; j < left; j++) {
    const double *row = (const double *)s->N + j * stride;
    gradyn_lanes u[GRADYN_ROW_MOST / GRADYN_LANES] = {{0}};
    for (int i = 0; i < n; i++) /* u_j = sum of n_ji times row i of E */
      gradyn_row_add(width, row[i], s->E + i * width, u);
    for (int c = 0; c < width; c++)
      s->U[j * width + c] = u[c];
    for (int k = 0; k < left; k += 4) { /* -u_j.n_k, four at a time */
      gradyn_lanes four;
      gradyn_row_dots(width, u, s->N + k * width, &four);
      *(gradyn_lanes_anywhere *)(s->B + j * left + k) = -four;
    }
  }
}

GRADYN_WIDE static void bend_schur(const gradyn_schur *s)
{
  GRADYN_BY_WIDTH(s->n, bend_kernel, s);
}

/* B = L U in place, with reciprocals of U's diagonal. Pivots are not exchanged: without E they are those of
 * D, and no exchange is required as long as half of each remains. */
GRADYN_KERNEL void factor_bent(const int left, const double *D, double *B, bool *done)
{
  *done = false;
  for (int p = 0; p < left; p++) /* B contains -N E N^T */
    B[p * left + p] += D[p];
  GRADYN_UNROLL
  for (int p = 0; p < left; p++) {
    const double *above = B + p * left;
    if (!(above[p] > 0.5 * D[p])) /* NaN also fails */
      return;
    const double inverse = B[p * left + p] = 1 / above[p];
    GRADYN_UNROLL
    for (int i = p + 1; i < left; i++) {
      double *row = B + i * left, factor = row[p] = inverse * row[p];
      GRADYN_UNROLL
      for (int j = p + 1; j < left; j++)
        row[j] -= factor * above[j];
    }
  }
  *done = true;
}

/* P = B^-T N by rows, so that N^T B^-1 y = P^T y. */
GRADYN_KERNEL void spread_kernel(const int width, const int n, const gradyn_schur *s)
{
  const int left = n - s->m;
  const double *B = s->B;
  gradyn_lanes *P = s->P;
  /* U^T P = N from the first row, then L^T P = the result from the last row */
  for (int i = 0; i < left; i++) {
    gradyn_lanes x[GRADYN_ROW_MOST / GRADYN_LANES];
    for (int c = 0; c < width; c++)
      x[c] = s->N[i * width + c];
    for (int k = 0; k < i; k++)
      gradyn_row_subtract(width, B[k * left + i], P + k * width, x);
    for (int c = 0; c < width; c++)
      P[i * width + c] = B[i * left + i] * x[c];
  }
  for (int i = left - 2; i >= 0; i--)
    for (int k = i + 1; k < left; k++)
      gradyn_row_subtract(width, B[k * left + i], P + k * width, P + i * width);
}

GRADYN_WIDE static void spread_bent(const gradyn_schur *s)
{
  GRADYN_BY_WIDTH(s->n, spread_kernel, s);
}

bool gradyn_schur_modify(gradyn_schur *s, const double *values, double factor, bool transposed)
{
  const int *position = s->position[transposed], nnz = s->dyn->nnz;
  double *E = (double *)s->E;
  bool done;
  if (s->transposed != transposed) /* clears the entries at the positions of the other kind */
    memset(E, 0, (size_t)(s->n * s->width) * sizeof *s->E);
  s->transposed = transposed;
  GRADYN_UNROLL
  for (int k = 0; k < nnz; k++)
    E[position[k]] = factor * values[k];
  bend_schur(s);
  GRADYN_BY_SIZE(s->n - s->m, factor_bent, factor_bent, s->D, s->B, &done);
  if (done)
    spread_bent(s);
  return done;
}

/* Right-hand sides and solutions of a system with M - E. */
typedef struct bent {
  bool rates;
  const gradyn_lanes *b, *e;
  gradyn_lanes *x;     /* [n], followed by multipliers */
  gradyn_lanes *force; /* [n], f + E (e + x); NULL: neither force nor multipliers are computed */
} bent;

/* y = N f + U e, row by row of N and U. */
GRADYN_KERNEL void free_forces(const int n, const gradyn_schur *s, const gradyn_lanes *f,
                               const gradyn_lanes *e, gradyn_lanes *y)
{
  const int stride = GRADYN_LANES * gradyn_row_width(n);
  const double *N = (const double *)s->N, *U = (const double *)s->U;
  for (int j = 0; j < n - s->m; j++, N += stride, U += stride) {
    gradyn_lanes by_f = N[0] * f[0], by_e = U[0] * e[0];
    for (int i = 1; i < n; i++) {
      by_f += N[i] * f[i];
      by_e += U[i] * e[i];
    }
    y[j] = by_f + by_e;
  }
}

/* x = x_0 + P^T (N f + U (e + x_0)), then the force f + E (e + x) and its multipliers. */
GRADYN_KERNEL void bent_kernel(const int n, const gradyn_schur *s, const bent *p)
{
  const int stride = GRADYN_LANES * gradyn_row_width(n), left = n - s->m;
  gradyn_lanes y[GRADYN_ROW_MOST], sum[GRADYN_ROW_MOST], *x = p->x;
  if (p->rates) { /* x_0 = T^T g */
    gradyn_schur_pull_rows(n, 0, stride, s->m, s->T, p->b + n, x);
    for (int i = 0; i < n; i++)
      sum[i] = p->e[i] + x[i];
    free_forces(n, s, p->b, sum, y);
    gradyn_schur_pull_rows(n, 1, stride, left, s->P, y, x);
  } else {
    free_forces(n, s, p->b, p->e, y);
    gradyn_schur_pull_rows(n, 0, stride, left, s->P, y, x);
  }
  if (!p->force)
    return;
  /* f + E (e + x), and T times this force */
  for (int i = 0; i < n; i++)
    sum[i] = p->e[i] + x[i];
  gradyn_schur_multiply(n, stride, n, (const double *)s->E, sum, p->force);
  for (int i = 0; i < n; i++)
    p->force[i] += p->b[i];
  gradyn_schur_multiply(n, stride, s->m, (const double *)s->T, p->force, x + n);
}

GRADYN_WIDE static void solve_bent(const gradyn_schur *s, const bent *p)
{
  GRADYN_BY_SIZE(s->n, bent_kernel, bent_kernel, s, p);
}

void gradyn_schur_solve_modified(const gradyn_schur *s, bool rates, bool multipliers,
                                 const gradyn_lanes *b, const gradyn_lanes *e, gradyn_lanes *x,
                                 gradyn_lanes *weighed)
{
  const int n = s->n;
  gradyn_lanes capacity[GRADYN_ROW_MOST];
  const bent p = {rates, b, e, x, !multipliers ? NULL : weighed ? weighed : capacity};
  solve_bent(s, &p);
  if (multipliers && rates) /* mult = T (f + E (e + x)) - S^-1 g */
    gradyn_schur_take_rates(s, b + n, x + n);
  if (multipliers && weighed) /* M x is this force minus J^T mult */
    gradyn_schur_pull(s, x + n, weighed);
}
