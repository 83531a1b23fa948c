/* Natural sizes of the states of a model. They define absolute tolerances that suit mechanisms of micrometres
 * as well as of kilometres, and equations in any unit. */
#ifndef GRADYN_DAE_SIZES_H
#define GRADYN_DAE_SIZES_H

#include "dae/systems/index1.h"

/* Default absolute tolerance relative to rtol and the natural size. */
#define GRADYN_ABSOLUTE_SHARE 0.01

/* Computes size [ny] > 0 of every state, in its unit, from a consistent state y at the start of a run to
 * t_end, s. Mechanisms (system and yp NULL): positions have the extent of the mechanism's points, directions
 * 1. Velocities follow from accelerations over this extent or from the length of the run. General equations:
 * see dae/systems/sizes_equations.c; system is linearised at (0, y, yp). Errors: GRADYN_NO_MEMORY; failures
 * of the model. */
gradyn_status gradyn_state_sizes(gradyn_model *model, gradyn_index1 *system, const double *y,
                                 const double *yp, double t_end, double *size);

/* Computes size [ny] > 0 of every state of general equations, in its unit, for a run to t_end, s. y, yp
 * [ny]: consistent states and rates at its start. Errors: GRADYN_NO_MEMORY; failures of the equations. */
gradyn_status gradyn_equations_sizes(gradyn_index1 *system, const double *y, const double *yp,
                                     double t_end, double *size);

#endif
