/* Derivatives along one line through the parameters, by one direct sweep. */
#ifndef GRADYN_ADJOINT_SLOPE_H
#define GRADYN_ADJOINT_SLOPE_H

#include "adjoint/evaluator/evaluator.h"

/* psi [nf] at rho [p] and dpsi/drho.line [nf], line [p] of about the parameters' sizes, whatever route the
 * evaluator takes for gradients. GRADYN_UNSUPPORTED: its method has no direct sweep. */
gradyn_status gradyn_slope(gradyn_evaluator *evaluator, const double *rho, const double *line,
                           double *psi, double *slope);

#endif
