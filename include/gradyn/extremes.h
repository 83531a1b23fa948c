/* True extremes of a run: what smooth maxima stand for, and how far signals go between their
 * knots. */
#ifndef GRADYN_EXTREMES_H
#define GRADYN_EXTREMES_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest value over a run of the function behind a maximum: of a user's g, of a measure or its
 * magnitude over what is allowed, of a stress over the allowed one. */
typedef struct gradyn_extreme {
  double value; /* NAN: the functional is no maximum over time */
  double t;     /* s, when; one of the times if there are several */
  double again; /* s, another time with the same value but for 1e-6 of it; NAN: there is none */
} gradyn_extreme;

/* Simulates at rho [parameters] and looks for them, also between steps: extreme [functionals]. */
GRADYN_API gradyn_status gradyn_extremes(gradyn_evaluator *evaluator, const double rho[],
                                         gradyn_extreme extreme[]);

/* Between which values a signal goes, and between which bounds its knots are kept where they are
 * parameters: those that all of them have in common. */
typedef struct gradyn_signal_range {
  double least, most;     /* of the signal, in its unit */
  double t_least, t_most; /* s */
  double lower, upper; /* widest bounds of its knots; infinite: none, or they are no parameters */
} gradyn_signal_range;

/* The ranges at rho [parameters], without a simulation: range [gradyn_signal_count()]. */
GRADYN_API gradyn_status gradyn_signal_ranges(gradyn_evaluator *evaluator, const double rho[],
                                              gradyn_signal_range range[]);

#ifdef __cplusplus
}
#endif

#endif
