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

void gradyn_lanes_multiply_transposed(const gradyn_pattern *A, int rows, const double *values,
                                      double alpha, const gradyn_lanes *x, gradyn_lanes *y)
{
  for (int i = 0; i < rows; i++) {
    gradyn_lanes scaled = alpha * x[i];
    for (int k = A->start[i]; k < A->start[i + 1]; k++)
      y[A->col[k]] += values[k] * scaled;
  }
}
