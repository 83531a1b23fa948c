/* Exact maxima over a run, for comparison with smooth maxima, and exact ranges of signals. */
#ifndef GRADYN_EXTREMES_H
#define GRADYN_EXTREMES_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest value over a run of the function in a maximum. The function is a user's g, a measure or its
 * magnitude over the allowed value, or a stress over the allowed stress. */
typedef struct gradyn_extreme {
  double value;    /* in the unit of the functional; NAN: the functional is no maximum over time */
  double t;        /* time of the maximum, s; of several equal maxima one */
  double t_second; /* another time with the same value within 1e-6 of it, s; NAN: none */
} gradyn_extreme;

/* Simulates at rho [parameters] and finds exact maxima, also between steps. rho may be NULL without
 * parameters. Fills extreme [functionals]; a functional that is no maximum over time has the value NAN.
 * Errors: GRADYN_INVALID: an argument is NULL or a parameter is not finite. GRADYN_NO_MEMORY. The others
 * are those of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_evaluator_extremes(gradyn_evaluator *evaluator, const double rho[],
                                                   gradyn_extreme extreme[]);

/* Range of the values of a signal over the run, also between its knots. */
typedef struct gradyn_signal_range {
  double least, most;     /* smallest and largest value, in the unit of the signal */
  double t_least, t_most; /* times of these values, s */
  /* Widest bounds of its knots, in its unit; infinite: none, or a knot is no parameter */
  double lower, upper;
} gradyn_signal_range;

/* Computes the ranges of all signals at rho [parameters], without a simulation. rho may be NULL
 * without parameters. Fills range [gradyn_signal_count()]. Afterwards the evaluator has the data at rho.
 * Errors: GRADYN_INVALID: an argument is NULL or a parameter is not finite. A failure of build() returns its
 * own status. */
GRADYN_API gradyn_status gradyn_evaluator_signal_ranges(gradyn_evaluator *evaluator,
                                                        const double rho[],
                                                        gradyn_signal_range range[]);

#ifdef __cplusplus
}
#endif

#endif
