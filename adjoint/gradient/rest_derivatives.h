/* Accuracy of derivatives along directions. Derivatives of states have no functional whose gradient
 * accuracy.h could improve. Therefore sweeps are repeated until the derivatives of two sweeps agree. If the
 * motion is at rest, where error control has no error to control, steps are half as long in each repetition.
 * With idas, each repetition has a tenth of the tolerances. */
#ifndef GRADYN_ADJOINT_REST_DERIVATIVES_H
#define GRADYN_ADJOINT_REST_DERIVATIVES_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/tangents.h"

typedef struct gradyn_rest_derivatives {
  gradyn_evaluator *ev;
  const gradyn_directions *directions; /* with the tangents that the sweep records, if any */
  const double *gradient;              /* [functionals][directions] result of the sweep */
  double *before;                      /* result of the run before: count numbers, owned */
  size_t count;
  double change;           /* change from the run before relative to the largest number */
  double error;            /* of the last run, relative; from the second run on */
  int runs, order;         /* number of runs; order of the scheme */
  bool by_tolerance, back; /* tolerances are tightened; the run before is repeated */
  double part;             /* present tolerances as a part of the requested ones */
} gradyn_rest_derivatives;

/* Call before a sweep that writes gradient [functionals][directions]. All arguments are borrowed until
 * repeats() returns false, which also frees what the object owns. */
gradyn_rest_derivatives gradyn_rest_derivatives_begin(gradyn_evaluator *ev,
                                                      const gradyn_directions *directions,
                                                      const double *gradient);

/* Call after each sweep with its status, until it returns false. True: sweep again; the method has other
 * steps or tolerances. At the end, *status is that of all sweeps. A warning is added if the results do not
 * converge. */
bool gradyn_rest_derivatives_repeats(gradyn_rest_derivatives *s, gradyn_status *status);

#endif
