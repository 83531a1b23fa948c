/* Gradients by differences of whole runs, for comparison. */
#ifndef GRADYN_ADJOINT_BY_DIFFERENCES_H
#define GRADYN_ADJOINT_BY_DIFFERENCES_H

#include "adjoint/evaluator/evaluator.h"

/* psi [nf] at rho [p] and gradient [nf][p] by simulations at moved parameters, one parameter at a
 * time, none of which leaves its bounds. A run that fails ends it with that run's status and a
 * message that names the parameter. The evaluator's cost sums up all runs. */
gradyn_status gradyn_gradient_by_differences(gradyn_evaluator *evaluator, const double *rho,
                                             double *psi, double *gradient);

#endif
