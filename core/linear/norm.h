/* Norms and products of vectors. */
#ifndef GRADYN_CORE_NORM_H
#define GRADYN_CORE_NORM_H

#include <math.h>
#include <stdbool.h>

/* Returns the scalar product of a and b [count]. */
static inline double gradyn_dot(const double *a, const double *b, int count)
{
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Returns the largest magnitude of x [count]; NaN if one of them is NaN. */
static inline double gradyn_largest(const double *x, int count)
{
  double max = 0;
  for (int i = 0; i < count; i++) {
    if (isnan(x[i]))
      return NAN;
    max = fabs(x[i]) > max ? fabs(x[i]) : max;
  }
  return max;
}

/* Returns the largest magnitude of the products x[i] y[i] of x and y [count]; NaN if one of them is NaN. */
static inline double gradyn_largest_product(const double *x, const double *y, int count)
{
  double max = 0, sum = 0;
  for (int i = 0; i < count; i++) {
    const double size = fabs(x[i] * y[i]);
    max = size > max ? size : max;
    sum += size;
  }
  return isnan(sum) ? NAN : max;
}

/* Returns whether all of count numbers are finite. If their sum is finite, they are; otherwise each is
 * tested. */
static inline bool gradyn_all_finite(const double *x, int count)
{
  /* independent sums can run in parallel */
  typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
  four sums = {0};
  double sum = 0;
  int i = 0;
  for (; i + 4 <= count; i += 4)
    sums += *(const four *)(x + i);
  for (; i < count; i++)
    sum += x[i];
  return isfinite(sum + sums[0] + sums[1] + sums[2] + sums[3]) ||
         isfinite(gradyn_largest(x, count));
}

#endif
