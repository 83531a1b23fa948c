/* What fixed steps leave of a gradient. */
#ifndef GRADYN_ADJOINT_STEP_ERROR_H
#define GRADYN_ADJOINT_STEP_ERROR_H

#include "adjoint/evaluator/evaluator.h"

/* Behind a gradient at rho, by all data or by parameters, that has succeeded: tells where its fixed steps err
 * by more than a thousandth. Costs a run with steps three times as long, and where that differs too much one
 * with half the step. */
gradyn_status gradyn_step_error(gradyn_evaluator *ev, bool data, const double *rho,
                                const double *psi, const double *gradient);

#endif
