/* Points at which the uncertainty of functionals is evaluated: unscented points, then draws. */
#ifndef GRADYN_OPTIM_DRAWS_H
#define GRADYN_OPTIM_DRAWS_H

#include "optim/jobs/points.h"
#include <gradyn/inference.h>

/* Independent parts of the draws, from which errors are estimated. With more, each part of a Sobol sequence
 * is short: for Ishigami's function and 2^16 draws, the errors of indices are 4e-4 by 8 and by 16 parts, and
 * 2e-3 by 32. With fewer, their estimates vary more. */
enum { GRADYN_DRAW_PARTS = 8 };

typedef struct gradyn_draws {
  size_t count;                            /* number of uncertain numbers */
  const gradyn_distribution *distribution; /* [count], borrowed */
  size_t unscented;                        /* number of unscented points */
  size_t draws, width;                     /* number of draws, and of evaluations of each */
  bool random;
  uint64_t seed;
  struct gradyn_sobol *sobol[GRADYN_DRAW_PARTS]; /* owned; NULL: not needed */
} gradyn_draws;

/* Returns the variance of an offset, in spreads squared: 1 of a normal one, 1/3 of a uniform one. */
static inline double gradyn_offset_variance(gradyn_distribution distribution)
{
  return distribution == GRADYN_NORMAL ? 1 : 1 / 3.0;
}
/* Returns the fourth moment of an offset, in spreads to the power 4: 3 of a normal one, 1/5 of a uniform
 * one. */
static inline double gradyn_offset_fourth(gradyn_distribution distribution)
{
  return distribution == GRADYN_NORMAL ? 3 : 1 / 5.0;
}

/* Creates the points of a specification for `count` uncertain numbers. distribution [count] is kept, not
 * copied. Clear *out in any case. Error: GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_draws_create(const gradyn_uncertainty_spec *spec, size_t count,
                                  const gradyn_distribution distribution[], gradyn_draws *out);

/* Frees the members and sets them to zero; may be repeated. */
void gradyn_draws_clear(gradyn_draws *draws);

/* Returns the number of points, unscented ones and draws. */
static inline size_t gradyn_draws_points(const gradyn_draws *draws)
{
  return draws->unscented + draws->draws * draws->width;
}

/* Fills the offsets z [count] of point i, from 0, in spreads. */
void gradyn_draws_offsets(const gradyn_draws *draws, size_t i, double z[]);

/* Returns the weight of unscented point i, from 0. None is negative, and their sum is 1. */
double gradyn_draws_weight(const gradyn_draws *draws, size_t i);

/* Returns mean and variance of functional k, from 0, from the unscented points; NAN if one is missing or
 * failed. */
gradyn_moments gradyn_draws_unscented(const gradyn_draws *draws, const gradyn_points *points,
                                      size_t k);

/* Returns mean and variance of functional k, from 0, from the draws, and fills its indices main_index and
 * total_index [count], both NULL: not requested. NAN if evaluations are missing. sample [draws * width]:
 * workspace. */
gradyn_moments gradyn_draws_sampled(const gradyn_draws *draws, const gradyn_points *points,
                                    size_t k, double sample[], gradyn_sobol_index main_index[],
                                    gradyn_sobol_index total_index[]);

#endif
