/* Functionals of uncertain numbers with moments in closed form, for tests of uncertainty. */
#ifndef GRADYN_TESTS_OPTIM_UNCERTAIN_H
#define GRADYN_TESTS_OPTIM_UNCERTAIN_H

#include "tests/runs.h"

/* y_i' = data, so that y(1) = (p + 1/2, b, c): a quadratic and a linear function of y(1). Uncertain are the
 * parameter p and the data b, with a spread that depends on p, and c, which is uniform. */
enum { QUADRATIC, LINEAR, SUMS_F, SUMS_P = 2, SUMS_N = 3 };
extern const gradyn_problem uncertain_sums;

/* What else build() does, by the setting "fault". */
enum {
  SUMS_GOOD,
  SUMS_UNKNOWN,   /* a name that does not exist */
  SUMS_TWICE,     /* a number twice */
  SUMS_NO_SPREAD, /* spread 0 */
  SUMS_NAN,       /* spread NAN */
  SUMS_KIND,      /* a distribution that does not exist */
  SUMS_NONE,      /* no declaration */
  SUMS_STEEP      /* the equations fail for c > 0 */
};

/* Moments of a functional to second order, in closed form, at p = 1. */
gradyn_moments uncertain_second(int functional);

/* Computes in a new folder, which is removed. */
gradyn_status uncertain_compute(gradyn_evaluator *ev, gradyn_uncertainty_spec spec,
                                gradyn_uncertainty *out);

/* Whether all numbers of two results are equal to the last bit. */
void uncertain_equal(const gradyn_uncertainty *a, const gradyn_uncertainty *b);

#endif
