/* Derivatives along directions of a motion at rest: it has no error by which steps are chosen, and what
 * states become along directions is no functional whose gradient is made exact. */
#ifndef GRADYN_ADJOINT_SETTLE_H
#define GRADYN_ADJOINT_SETTLE_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/tangents.h"

typedef struct gradyn_settling {
  gradyn_evaluator *ev;
  const gradyn_directions *directions; /* with the tangents that the sweep records, if any */
  const double *gradient;              /* [functionals][directions] that it leaves */
  double *before;                      /* what the run before has left: count numbers, owned */
  size_t count;
  double change;   /* of the last run to the one before, over the largest number */
  int runs, order; /* of the scheme */
} gradyn_settling;

gradyn_settling gradyn_settling_begin(gradyn_evaluator *ev, const gradyn_directions *directions,
                                      const double *gradient);

/* Behind a sweep that has ended so: whether it is to be repeated, with the steps that its method has been
 * told by now, each half as long as before; asked until it is not. What does not settle is told. */
bool gradyn_settling_repeats(gradyn_settling *s, gradyn_status *status);

#endif
