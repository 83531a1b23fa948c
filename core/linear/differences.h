/* Derivatives along a line by differences, as accurate as round-off permits. Central differences at
 * decreasing steps are extrapolated (Romberg).
 *
 * The result is the one with the smallest estimated error among the tables that end at each step. The
 * estimate includes the error of the previous table and the difference from it. Steps that are too long for
 * an oscillating function can agree by chance, but not repeatedly. The method is slow and used for checks
 * of derivatives. */
#ifndef GRADYN_CORE_DIFFERENCES_H
#define GRADYN_CORE_DIFFERENCES_H

#include "core/linear/arena.h"

enum {
  GRADYN_DIFFERENCE_LEVELS = 12, /* enough for most functions */
  GRADYN_DIFFERENCE_MOST = 20
};

/* The function at a distance s, in the unit of `first` or `spacing`, along the line; fills value [count]. */
typedef gradyn_status (*gradyn_line_fn)(void *user, double s, double *value);

typedef struct gradyn_differences {
  int count;
  double *value; /* [count], at s = 0 */
  double *slope; /* [count], derivative at s = 0 */
  double *error; /* [count], estimated error of slope */
  bool *kink;    /* [count], one-sided derivatives differ, or the function jumps, at s = 0 */
  double
      *gap; /* [count], difference of the one-sided derivatives at the shortest step; 0: no kink */
  /* [count], resolution of values: where the shortest steps leave a value unchanged to the bit, the smallest
   * change that was seen; 0: no such steps */
  double *grain;
  double *noise;      /* [count], workspace for gradyn_measure_noise() */
  double *sample;     /* [levels][2][count], workspace */
  double *enough;     /* [count], errors at which to stop; negative, as created: uses all steps */
  double share;       /* errors at which to stop, relative to the slope; 0, as created: not used */
  int least;          /* smallest number of steps; as created, enough even for vibrations */
  int side;           /* 1, -1: only values above or below s = 0; 0, as created: both sides */
  gradyn_arena arena; /* owner of all these arrays */
} gradyn_differences;

/* Allocates all arrays for `count` values. Call clear() also after a failure. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_differences_create(int count, gradyn_differences *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_differences_clear(gradyn_differences *differences);

/* Differentiates the first `count` values of fn, at most those of create(), at s = 0, into value, slope,
 * error, kink, gap and grain. Steps are first, first/1.9, ..., at most `levels` of them, itself at most
 * GRADYN_DIFFERENCE_MOST. noise [count]: uncertainty of each value beyond round-off; NULL: none.
 *
 * Stops early if every error is small enough, or if shorter steps would only increase errors from noise.
 * Steps at which fn fails recoverably or is not finite are omitted. GRADYN_INVALID counts as recoverable.
 * Errors: GRADYN_NON_FINITE if too few steps remain; other failures of fn; any failure at s = 0. */
gradyn_status gradyn_differentiate(gradyn_differences *differences, int count, gradyn_line_fn fn,
                                   void *user, double first, int levels, const double *noise);

/* Estimates the uncertainty of the first `count` values of fn, noise [count], at least round-off. The
 * estimate uses high differences of values at s = spacing, 2 spacing, ..., so a kink at 0 has no effect.
 * The noise is 0 if a value is not finite or fn fails recoverably. Errors: other failures of fn. */
gradyn_status gradyn_measure_noise(gradyn_differences *differences, int count, gradyn_line_fn fn,
                                   void *user, double spacing, double *noise);

#endif
