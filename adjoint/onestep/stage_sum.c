/* Entries of the sum over stages. */
#include "adjoint/onestep/stage_sum.h"

void gradyn_stage_sum_product(gradyn_stage_sum *m, int c, double one, const double *other,
                              int stride)
{
  if (c == m->columns) {
    m->along += one * other[c * stride];
    return;
  }
  double *row = m->H + c * m->columns;
  for (int k = 0; k <= c && one != 0; k++)
    row[k] += one * other[k * stride];
}

double gradyn_stage_sum_entry(const gradyn_stage_sum *m, const gradyn_lanes *array, int c)
{
  int stride;
  return *gradyn_displaced_column(&m->s->displaced, array, 1, c, &stride);
}
