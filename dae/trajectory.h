/* States over time, as a march records them. */
#ifndef GRADYN_DAE_TRAJECTORY_H
#define GRADYN_DAE_TRAJECTORY_H

#include "core/model.h"

/* Empties a trajectory and prepares it for the states of a model. */
gradyn_status gradyn_trajectory_begin(gradyn_trajectory *trajectory, gradyn_model *model);
/* The same for derivatives of the states: without what the model tells of states. */
gradyn_status gradyn_trajectory_begin_tangent(gradyn_trajectory *trajectory, gradyn_model *model);

/* Adds an instant: y [ny] and, for general equations, its rates yp (NULL: none). */
gradyn_status gradyn_trajectory_add(gradyn_trajectory *trajectory, double t, const double *y,
                                    const double *yp);

/* After a march with the model's present data: at the times that gradyn_trajectory_request() asked for,
 * accelerations and multipliers of a mechanism from the equations of motion. */
gradyn_status gradyn_trajectory_complete(gradyn_trajectory *trajectory, gradyn_model *model);

#endif
