/* Natural sizes of the states of a model, from which absolute tolerances follow that suit a mechanism of
 * micrometres as well as one of kilometres, and equations in any unit. */
#ifndef GRADYN_DAE_SIZES_H
#define GRADYN_DAE_SIZES_H

#include "dae/systems/index1.h"

/* Absolute tolerances that nobody has given, as parts of rtol and of the sizes that they are for. */
#define GRADYN_ABSOLUTE_SHARE 0.01

/* size [ny] > 0 of every state, from a consistent state y at the beginning of a run to t_end. Of mechanisms
 * (system and yp NULL): positions have the extent of the mechanism's points, directions 1, velocities what
 * accelerations bring about over that extent or the run takes for it. Of general equations, with the rates
 * yp and their system, which is linearised at (0, y, yp): see dae/systems/sizes_equations.c. */
gradyn_status gradyn_state_sizes(gradyn_model *model, gradyn_index1 *system, const double *y,
                                 const double *yp, double t_end, double *size);

/* The part of it for general equations. */
gradyn_status gradyn_equations_sizes(gradyn_index1 *system, const double *y, const double *yp,
                                     double t_end, double *size);

#endif
