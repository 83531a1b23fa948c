/* Derivatives along directions: what states become along them is no functional whose gradient is made exact
 * (accuracy.h). So sweeps are repeated until they agree: with half the steps where the motion is at rest and
 * has no error by which steps are chosen, by idas with a tenth of the tolerances. */
#ifndef GRADYN_ADJOINT_REST_DERIVATIVES_H
#define GRADYN_ADJOINT_REST_DERIVATIVES_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/tangents.h"

typedef struct gradyn_rest_derivatives {
  gradyn_evaluator *ev;
  const gradyn_directions *directions; /* with the tangents that the sweep records, if any */
  const double *gradient;              /* [functionals][directions] that it leaves */
  double *before;                      /* what the run before has left: count numbers, owned */
  size_t count;
  double change;           /* of the last run to the one before, over the largest number */
  int runs, order;         /* of the scheme */
  bool by_tolerance, back; /* tolerances are tightened; the run before is made once more */
  double part;             /* of the tolerances asked for */
} gradyn_rest_derivatives;

gradyn_rest_derivatives gradyn_rest_derivatives_begin(gradyn_evaluator *ev,
                                                      const gradyn_directions *directions,
                                                      const double *gradient);

/* After a sweep that has ended so: whether it is to be repeated, with the steps or tolerances that its method
 * has been told by now; asked until it is not. What does not settle is reported. */
bool gradyn_rest_derivatives_repeats(gradyn_rest_derivatives *s, gradyn_status *status);

#endif
