/* Derivatives along a line by differences, as accurate as round-off allows: central differences at
 * shrinking steps, extrapolated (Romberg). Of the tables that end at each step the one is chosen whose
 * estimated error is least; the estimate covers that of the table before and the difference to it,
 * because steps too long for a function that oscillates can agree by chance, but not repeatedly. Slow;
 * for checks of derivatives. */
#ifndef GRADYN_CORE_DIFFERENCES_H
#define GRADYN_CORE_DIFFERENCES_H

#include "core/linear/arena.h"

enum {
  GRADYN_DIFFERENCE_LEVELS = 12, /* enough for most functions */
  GRADYN_DIFFERENCE_MOST = 20
};

/* The function at a distance s along the line; value [count]. */
typedef gradyn_status (*gradyn_line_fn)(void *user, double s, double *value);

typedef struct gradyn_differences {
  int count;
  double *value; /* [count] at s = 0 */
  double *slope; /* [count] derivative at s = 0 */
  double *error; /* [count] its estimated error */
  bool *kink;    /* [count] the one-sided derivatives differ, or the function jumps at s = 0 */
  double *gap;   /* [count] by how much they differ, at the shortest step; 0: no kink */
  double *
      grain; /* [count] noise that round-off by steps hides from neighbours: the least change, where
                     shorter steps leave a value as it is to the bit; 0: none */
  double *noise;  /* [count] room for what gradyn_measure_noise() finds */
  double *sample; /* [levels][2][count] scratch */
  double *enough; /* [count] errors small enough to stop at; negative, as created: take all steps */
  double
      share; /* and over the slope, where they may be small enough; 0, as created: that is not asked */
  int least; /* steps at least before it stops; as created what even vibrations do not deceive */
  int side;  /* 1, -1: takes values above or below s = 0 alone; 0, as created: on both sides */
  gradyn_arena arena; /* of all these */
} gradyn_differences;

gradyn_status gradyn_differences_create(int count, gradyn_differences *out);
void gradyn_differences_clear(gradyn_differences *differences);

/* Differentiates the first `count` values of fn at s = 0 with steps first, first/1.9, ...; levels at
 * most GRADYN_DIFFERENCE_MOST. noise [count]: uncertainty of a value beyond round-off; NULL: none.
 * Ends early when every error is small enough or noise would spoil shorter steps. Steps at which fn
 * fails recoverably, or is not finite, are left out; GRADYN_NON_FINITE if too few are left. */
gradyn_status gradyn_differentiate(gradyn_differences *differences, int count, gradyn_line_fn fn,
                                   void *user, double first, int levels, const double *noise);

/* What the first `count` values of fn are uncertain by: noise [count] from the high differences of values
 * at neighbours of s = 0 on one side, so that a kink there is none; round-off at least. Values
 * that are not finite, or missing because fn fails recoverably, have none. */
gradyn_status gradyn_measure_noise(gradyn_differences *differences, int count, gradyn_line_fn fn,
                                   void *user, double spacing, double *noise);

#endif
