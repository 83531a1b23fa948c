/* Sizes of vectors. */
#ifndef GRADYN_CORE_NORM_H
#define GRADYN_CORE_NORM_H

#include <math.h>

/* Largest magnitude of count numbers; NaN if there is one among them. */
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

#endif
