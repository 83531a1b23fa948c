/* Derivatives along a line by differences, as accurate as round-off allows: central differences at
 * halving steps, extrapolated (Romberg), from which the entry with the least estimated error is
 * chosen. Slow; for checks of derivatives. */
#ifndef GRADYN_CORE_DIFFERENCES_H
#define GRADYN_CORE_DIFFERENCES_H

#include <stdbool.h>

#include <gradyn/status.h>

enum { GRADYN_DIFFERENCE_LEVELS = 12 };

/* The function at a distance s along the line; value [count]. */
typedef gradyn_status (*gradyn_line_fn)(void *user, double s, double *value);

typedef struct gradyn_differences {
  int count;
  double *value;  /* [count] at s = 0 */
  double *slope;  /* [count] derivative at s = 0 */
  double *error;  /* [count] its estimated error */
  bool *kink;     /* [count] the one-sided derivatives differ, or the function jumps at s = 0 */
  double *sample; /* [levels][2][count] scratch */
} gradyn_differences;

gradyn_status gradyn_differences_create(int count, gradyn_differences *out);
void gradyn_differences_clear(gradyn_differences *differences);

/* Differentiates the first `count` values of fn at s = 0 with steps first, first/2, ...; levels at
 * most GRADYN_DIFFERENCE_LEVELS. noise [count]: uncertainty of a value beyond round-off; NULL:
 * none. Steps at which fn fails recoverably, or is not finite, are left out; GRADYN_NON_FINITE if
 * too few are left. */
gradyn_status gradyn_differentiate(gradyn_differences *differences, int count, gradyn_line_fn fn,
                                   void *user, double first, int levels, const double *noise);

#endif
