/* Rows of numbers in whole lanes, for matrices of small systems. A row of n numbers has gradyn_row_width(n)
 * lanes; numbers after the n-th are zero. One kernel therefore works for every size, and rounding up costs
 * less than a loop over the remainder. */
#ifndef GRADYN_CORE_ROWS_H
#define GRADYN_CORE_ROWS_H

#include <limits.h>

#include "core/linear/lanes.h"

/* Length of the longest row for which there are kernels. */
enum { GRADYN_ROW_MOST = 32 };

/* Returns the number of lanes in a row of n numbers. */
static inline int gradyn_row_width(int n)
{
  return (n + GRADYN_LANES - 1) / GRADYN_LANES;
}

/* Calls kernel(width, n, ...) with a constant width, and with constant n for the smallest mechanisms; n at
 * most GRADYN_ROW_MOST. */
#define GRADYN_BY_WIDTH_CASE(number, width, n, kernel, ...)                                        \
  case number:                                                                                     \
    kernel(width, n, __VA_ARGS__);                                                                 \
    break;
#define GRADYN_SHORT_CASES(kernel, ...)                                                            \
  GRADYN_BY_WIDTH_CASE(2, 1, 2, kernel, __VA_ARGS__)                                               \
  GRADYN_BY_WIDTH_CASE(4, 1, 4, kernel, __VA_ARGS__)                                               \
  GRADYN_BY_WIDTH_CASE(6, 2, 6, kernel, __VA_ARGS__)                                               \
  GRADYN_BY_WIDTH_CASE(8, 2, 8, kernel, __VA_ARGS__)
#define GRADYN_LONG_WIDTH_CASES(n, kernel, ...)                                                    \
  GRADYN_BY_WIDTH_CASE(3, 3, n, kernel, __VA_ARGS__)                                               \
  GRADYN_BY_WIDTH_CASE(4, 4, n, kernel, __VA_ARGS__)                                               \
  GRADYN_BY_WIDTH_CASE(5, 5, n, kernel, __VA_ARGS__)                                               \
  GRADYN_BY_WIDTH_CASE(6, 6, n, kernel, __VA_ARGS__)                                               \
  GRADYN_BY_WIDTH_CASE(7, 7, n, kernel, __VA_ARGS__)                                               \
  GRADYN_BY_WIDTH_CASE(8, 8, n, kernel, __VA_ARGS__)
#define GRADYN_BY_WIDTH(n, kernel, ...)                                                            \
  switch (n) {                                                                                     \
    GRADYN_SHORT_CASES(kernel, __VA_ARGS__)                                                        \
  default:                                                                                         \
    switch (gradyn_row_width(n)) {                                                                 \
      GRADYN_BY_WIDTH_CASE(1, 1, n, kernel, __VA_ARGS__)                                           \
      GRADYN_BY_WIDTH_CASE(2, 2, n, kernel, __VA_ARGS__)                                           \
      GRADYN_LONG_WIDTH_CASES(n, kernel, __VA_ARGS__)                                              \
    }                                                                                              \
  }

/* Calls the kernel for rows of n > 8 numbers, with a constant width of lanes. */
#define GRADYN_BY_LONG_WIDTH(n, kernel, ...)                                                       \
  switch (gradyn_row_width(n)) {                                                                   \
    GRADYN_LONG_WIDTH_CASES(n, kernel, __VA_ARGS__)                                                \
  }

/* Calls the kernel for rows of any length n; the width is a constant for short rows only. */
#define GRADYN_BY_ANY_WIDTH(n, kernel, ...)                                                        \
  switch (n) {                                                                                     \
    GRADYN_SHORT_CASES(kernel, __VA_ARGS__)                                                        \
  default:                                                                                         \
    kernel(gradyn_row_width(n), n, __VA_ARGS__);                                                   \
  }

/* Lanes at addresses of any alignment. */
typedef double gradyn_lanes_anywhere __attribute__((vector_size(32), aligned(8), may_alias));

/* Sets *x to numbers 4 c to 4 c + 3 of a row of n numbers, zero after the n-th; width =
 * gradyn_row_width(n). */
GRADYN_KERNEL void gradyn_row_get(const int width, const int n, const double *row, const int c,
                                  gradyn_lanes *x)
{
  const double *p = row + GRADYN_LANES * c;
  const int left = n - GRADYN_LANES * (width - 1);
  /* the last lanes may be incomplete */
  if (c < width - 1 || left == GRADYN_LANES)
    *x = *(const gradyn_lanes_anywhere *)p;
  else if (left == 2)
    *x = (gradyn_lanes){p[0], p[1], 0, 0};
  else {
    double capacity[GRADYN_LANES] = {0};
    for (int k = 0; k < left; k++)
      capacity[k] = p[k];
    *x = *(const gradyn_lanes_anywhere *)capacity;
  }
}

/* Stores x as numbers 4 c to 4 c + 3 of a row of n numbers; lanes after the n-th are not stored. */
GRADYN_KERNEL void gradyn_row_put(const int width, const int n, const gradyn_lanes *x, const int c,
                                  double *row)
{
  double *p = row + GRADYN_LANES * c;
  const int left = n - GRADYN_LANES * (width - 1);
  if (c < width - 1 || left == GRADYN_LANES)
    *(gradyn_lanes_anywhere *)p = *x;
  else
    for (int k = 0; k < left; k++)
      p[k] = (*x)[k];
}

/* Sets lane j of *out to the sum of the four lanes of x[j], x [4]. */
GRADYN_KERNEL void gradyn_row_sums(const gradyn_lanes *x, gradyn_lanes *out)
{
  /* (x0 + x1, y0 + y1, x2 + x3, y2 + y3) for each pair, then for both */
  const gradyn_lanes a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6) +
                         __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  const gradyn_lanes b = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6) +
                         __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  *out = __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}

/* Sets lane j of *out to the product of row x [width] with row j of A [4][width]. */
GRADYN_KERNEL void gradyn_row_dots(const int width, const gradyn_lanes *x, const gradyn_lanes *A,
                                   gradyn_lanes *out)
{
  gradyn_lanes sum[4];
  for (int j = 0; j < 4; j++) {
    sum[j] = x[0] * A[j * width];
    for (int c = 1; c < width; c++)
      sum[j] += x[c] * A[j * width + c];
  }
  gradyn_row_sums(sum, out);
}

/* Adds factor times row [width] to x [width]. */
GRADYN_KERNEL void gradyn_row_add(const int width, const double factor, const gradyn_lanes *row,
                                  gradyn_lanes *x)
{
  for (int c = 0; c < width; c++)
    x[c] += factor * row[c];
}

/* Raises *most to |*x|, lane by lane; a NaN in x may be ignored. */
GRADYN_KERNEL void gradyn_lanes_largest(const gradyn_lanes *x, gradyn_lanes *most)
{
  typedef long long bits __attribute__((vector_size(32)));
  const bits sign = {LLONG_MIN, LLONG_MIN, LLONG_MIN, LLONG_MIN};
  const gradyn_lanes size = (gradyn_lanes)((bits)*x & ~sign);
  const bits larger = size > *most;
  *most = (gradyn_lanes)(((bits)size & larger) | ((bits)*most & ~larger));
}

/* Subtracts factor times row [width] from x [width]. */
GRADYN_KERNEL void gradyn_row_subtract(const int width, const double factor,
                                       const gradyn_lanes *row, gradyn_lanes *x)
{
  for (int c = 0; c < width; c++)
    x[c] -= factor * row[c];
}

#endif
