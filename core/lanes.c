/* Sparse products with four vectors at once. */
#include "core/lanes.h"

#include <stdlib.h>
#include <string.h>

gradyn_lanes *gradyn_lanes_create(size_t count)
{
  size_t size = (count + 1) * sizeof(gradyn_lanes);
  gradyn_lanes *lanes = aligned_alloc(sizeof(gradyn_lanes), size);
  if (lanes)
    memset(lanes, 0, size);
  return lanes;
}

void gradyn_lanes_load(int count, int columns, const double *from, int stride, gradyn_lanes *to)
{
  for (int i = 0; i < count; i++)
    for (int k = 0; k < GRADYN_LANES; k++)
      to[i][k] = k < columns ? from[k * stride + i] : 0;
}

void gradyn_lanes_store(int count, int columns, const gradyn_lanes *from, double *to, int stride)
{
  for (int k = 0; k < columns; k++)
    for (int i = 0; i < count; i++)
      to[k * stride + i] = from[i][k];
}

/* Sums are kept in halves, which are what one register of any 64-bit processor holds: compilers move
 * whole lanes through memory where registers are narrower. */

void gradyn_lanes_multiply_transposed(const gradyn_pattern *A, int rows, const double *values,
                                      double alpha, const gradyn_lanes *x, gradyn_lanes *y)
{
  const gradyn_half *from = (const gradyn_half *)x;
  gradyn_half *to = (gradyn_half *)y;
  const int *start = A->start, *col = A->col;
  for (int i = 0, k = start[0]; i < rows; i++) {
    int end = start[i + 1];
    gradyn_half low = alpha * from[2 * i], high = alpha * from[2 * i + 1];
    for (; k < end; k++) {
      double value = values[k];
      gradyn_half *at = to + 2 * (ptrdiff_t)col[k];
      if (value == 0) /* as half of the entries of mass matrices and Hessians are */
        continue;
      at[0] += value * low;
      at[1] += value * high;
    }
  }
}

void gradyn_lanes_multiply(const gradyn_pattern *A, int rows, const double *values, double alpha,
                           const gradyn_lanes *x, gradyn_lanes *y)
{
  const gradyn_half *from = (const gradyn_half *)x;
  gradyn_half *to = (gradyn_half *)y;
  const int *start = A->start, *col = A->col;
  for (int i = 0, k = start[0]; i < rows; i++) {
    int end = start[i + 1];
    gradyn_half low = {0}, high = {0};
    for (; k < end; k++) {
      double value = values[k];
      const gradyn_half *at = from + 2 * (ptrdiff_t)col[k];
      if (value == 0)
        continue;
      low += value * at[0];
      high += value * at[1];
    }
    to[2 * i] += alpha * low;
    to[2 * i + 1] += alpha * high;
  }
}

void gradyn_lanes_squares(int count, const gradyn_lanes *x, gradyn_lanes *out)
{
  const gradyn_half *at = (const gradyn_half *)x;
  gradyn_half low = {0}, high = {0};
  for (int i = 0; i < count; i++, at += 2) {
    low += at[0] * at[0];
    high += at[1] * at[1];
  }
  gradyn_half *sum = (gradyn_half *)out;
  sum[0] = low;
  sum[1] = high;
}
