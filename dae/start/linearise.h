/* Linearisation of a mechanism on the manifold of its constraints, or of general equations in their
 * differential states. */
#ifndef GRADYN_DAE_LINEARISE_H
#define GRADYN_DAE_LINEARISE_H

#include "core/model/model.h"
#include "dae/start/initial.h"
#include <gradyn/statics.h>

/* At t and a state q, v [n] that satisfies the constraints; the initial object has GRADYN_CONSTRAINT rows
 * and is left with the accelerations there. Free with gradyn_linearisation_clear() in any case. */
gradyn_status gradyn_linearise_at(gradyn_initial *s, gradyn_model *model, double t, const double *q,
                                  const double *v, gradyn_linearisation *out);

/* General equations at t and a state y [ny] that satisfies them, in linearise_equations.c; free likewise.
 * Their initial state, and their equilibrium near it under what holds at time 0: y [ny]. */
gradyn_status gradyn_linearise_equations(gradyn_model *model, double t, const double *y,
                                         gradyn_linearisation *out);
gradyn_status gradyn_start_equations(gradyn_model *model, double *y);
gradyn_status gradyn_balance_equations(gradyn_model *model, double *y);

/* Room for a result with these numbers of places, rates and first-order states, all zero; and eigenvalues
 * and modes of A with what Z tells. In linearise_modes.c. */
gradyn_status gradyn_linearise_reserve(gradyn_model *model, int n, const int count[3],
                                       gradyn_linearisation *out);
gradyn_status gradyn_linearise_modes(gradyn_model *model, gradyn_linearisation *out);

#endif
