/* What is done with an evaluator in the library: data at parameters, gradients, and how exact they are. */
#ifndef GRADYN_ADJOINT_GRADIENT_H
#define GRADYN_ADJOINT_GRADIENT_H

#include "adjoint/evaluator/evaluator.h"

/* Takes the data at rho into use. */
gradyn_status gradyn_evaluator_load(gradyn_evaluator *ev, const double *rho);

/* A gradient [nf][columns] of the functionals psi [nf] by the run of the method in force. */
typedef gradyn_status gradyn_gradient_fn(gradyn_evaluator *ev, double *psi, double *gradient);

/* Calls `once`; where steps follow from an error, again with other steps, so as to know the error of the
 * gradient and to bring it within the tolerance. */
gradyn_status gradyn_to_tolerance(gradyn_evaluator *ev, gradyn_gradient_fn *once, double *psi,
                                  bool data, double *gradient);

/* Functionals at the data x [nx] and their gradient [nf][directions] in these directions, by the method's
 * direct sweep; derived data follow. */
gradyn_status gradyn_gradient_along(gradyn_evaluator *ev, double *x,
                                    const gradyn_directions *directions, double *psi,
                                    double *gradient);

/* gradyn_gradient() where a search has ended. */
gradyn_status gradyn_end_gradient(gradyn_evaluator *ev, const double *rho, double *psi,
                                  double *gradient);

#endif
