/* Linearisation of a mechanism on the manifold of its constraints, or of general equations in their
 * differential states. */
#ifndef GRADYN_DAE_LINEARISE_H
#define GRADYN_DAE_LINEARISE_H

#include "core/model/model.h"
#include "dae/start/initial.h"
#include <gradyn/analysis.h>

/* Linearises at time t, s, and a state q, v [n] that satisfies the constraints. s must have GRADYN_CONSTRAINT
 * rows; afterwards s->a and s->lam are those at this state. Free *out with gradyn_linearisation_clear() in
 * any case. Errors: GRADYN_SINGULAR, GRADYN_NO_MEMORY; failures of the equations of motion. */
gradyn_status gradyn_linearise_at(gradyn_initial *s, gradyn_model *model, double t, const double *q,
                                  const double *v, gradyn_linearisation *out);

/* Linearises general equations at t, s, and a state y [ny] that satisfies the equations. Free *out with
 * gradyn_linearisation_clear() in any case. Errors: GRADYN_NO_MEMORY; failures of the equations. */
gradyn_status gradyn_linearise_equations(gradyn_model *model, double t, const double *y,
                                         gradyn_linearisation *out);

/* Sets y [ny] to the initial state of general equations for the present data of the model. Errors:
 * GRADYN_NO_MEMORY; failures of the equations. */
gradyn_status gradyn_start_equations(gradyn_model *model, double *y);

/* Sets y [ny] to the equilibrium near the initial state of general equations, with the present data, and
 * signals as at time 0. Errors: GRADYN_NOT_CONVERGED; GRADYN_NO_MEMORY; failures of the equations. */
gradyn_status gradyn_balance_equations(gradyn_model *model, double *y);

/* Adds to *out the totals that general equations conserve, with their values at the equilibrium y [ny].
 * Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_linearise_totals(gradyn_model *model, const double *y,
                                      gradyn_linearisation *out);

/* Allocates *out with zeros for n coordinates (or states of general equations), and count [3] independent
 * positions, rates and first-order states. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_linearise_reserve(gradyn_model *model, int n, const int count[3],
                                       gradyn_linearisation *out);

/* Sets the eigenvalues of out->A, ascending by magnitude, and the modes, expanded to all coordinates with
 * out->Z, in the arrays of *out. Errors: GRADYN_NO_MEMORY; GRADYN_NOT_CONVERGED, the eigenvalues have not
 * been found. */
gradyn_status gradyn_linearise_modes(gradyn_model *model, gradyn_linearisation *out);

#endif
