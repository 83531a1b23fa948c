/* L D L^T of a small dense matrix, row by row, and solves for lanes.
 *
 * An addition d to the diagonal is corrected by the iteration x <- (S + d)^-1 (b + d x), which does not
 * need S. Determined components of x converge after a few passes. Undetermined components are round-off
 * over d. Repeated passes of y <- (S + d)^-1 d y, starting from x, leave only these components, which are
 * then subtracted. */
#include "core/linear/complement.h"

#include <math.h>

/* Enough for an error of 1e-14 in components whose eigenvalues are a thousand times larger than d. */
enum { PASSES = 5 };

/* Converts the size of row i into the addition and adds it to the diagonal; returns the size. */
static double add_to(int m, int i, double share, double *S)
{
  double *d = S + m * m;
  const double size = fmax(S[i * m + i], d[i]);
  d[i] = share * size;
  S[i * m + i] += d[i];
  return size;
}

/* Computes row i of L, with the inverse of D on the diagonal; returns the pivot. */
static double factor_row(int m, int i, double *S)
{
  double *row = S + i * m, pivot = row[i];
  for (int j = 0; j < i; j++) /* L_ij D_j */
    for (int k = 0; k < j; k++)
      row[j] -= row[k] * S[j * m + k];
  for (int j = 0; j < i; j++) {
    const double scaled = row[j];
    row[j] *= S[j * m + j];
    pivot -= scaled * row[j];
  }
  row[i] = 1 / pivot;
  return pivot;
}

gradyn_status gradyn_complement_factor(int m, double share, double *S, double *least, int *weakest)
{
  *least = HUGE_VAL;
  for (int i = 0; i < m; i++) {
    const double size = add_to(m, i, share, S), pivot = factor_row(m, i, S);
    if (!isfinite(pivot) || !(pivot > 0)) {
      *weakest = i;
      return isfinite(pivot) ? GRADYN_SINGULAR : GRADYN_NON_FINITE;
    }
    if (pivot < *least * size) {
      *least = pivot / size;
      *weakest = i;
    }
  }
  return GRADYN_OK;
}

/* x = (L D L^T)^-1 x. */
GRADYN_KERNEL void solve_once(int m, const double *S, gradyn_lanes *x)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < i; j++)
      x[i] -= S[i * m + j] * x[j];
  for (int i = m - 1; i >= 0; i--) {
    x[i] *= S[i * m + i];
    for (int j = i + 1; j < m; j++)
      x[i] -= S[j * m + i] * x[j];
  }
}

/* Subtracts undetermined components, see the head of this file; y [m] is workspace. */
GRADYN_KERNEL void shorten(int m, const double *S, gradyn_lanes *x, gradyn_lanes *y)
{
  const double *d = S + m * m;
  for (int i = 0; i < m; i++)
    y[i] = x[i];
  for (int pass = 0; pass < PASSES; pass++) {
    for (int i = 0; i < m; i++)
      y[i] = d[i] * y[i];
    solve_once(m, S, y);
  }
  for (int i = 0; i < m; i++)
    x[i] -= y[i];
}

static GRADYN_WIDE void solve_complement(int m, const double *S, gradyn_lanes *x,
                                         gradyn_lanes *work, bool shortest)
{
  const double *d = S + m * m;
  const bool added = m > 0 && d[0] > 0;
  for (int i = 0; i < m && added; i++)
    work[i] = x[i];
  solve_once(m, S, x);
  for (int pass = 1; pass < PASSES && added; pass++) {
    for (int i = 0; i < m; i++)
      x[i] = work[i] + d[i] * x[i];
    solve_once(m, S, x);
  }
  if (added && shortest)
    shorten(m, S, x, work);
}

void gradyn_complement_solve(int m, const double *S, gradyn_lanes *x, gradyn_lanes *work,
                             bool shortest)
{
  solve_complement(m, S, x, work, shortest);
}
