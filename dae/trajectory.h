/* States over time, as a march records them. */
#ifndef GRADYN_DAE_TRAJECTORY_H
#define GRADYN_DAE_TRAJECTORY_H

#include "dae/start/initial.h"
#include "core/model/model.h"
#include <gradyn/trajectory.h>

RELEASE(gradyn_trajectory)

/* What else a run is determined by, of which the model has that of its last run only. */
typedef struct gradyn_past {
  const gradyn_model *model;   /* NULL: there is none */
  double *x;                   /* [nx] data */
  gradyn_event_record *record; /* [events] */
  double *captured;            /* [events][captures of the model] */
  int events;
} gradyn_past;

/* Empties a trajectory and prepares it for the states of a model. */
gradyn_status gradyn_trajectory_begin(gradyn_trajectory *trajectory, gradyn_model *model);
/* The same for derivatives of the states: without what the model tells of states. */
gradyn_status gradyn_trajectory_begin_tangent(gradyn_trajectory *trajectory, gradyn_model *model);

/* Adds an instant: y [ny] and, for general equations, its rates yp (NULL: none). */
gradyn_status gradyn_trajectory_add(gradyn_trajectory *trajectory, double t, const double *y,
                                    const double *yp);

/* Adds the rows of another trajectory of the same states and numbers, from the second on where `joined`. */
gradyn_status gradyn_trajectory_append(gradyn_trajectory *trajectory,
                                       const gradyn_trajectory *other, bool joined);

/* State [columns] at a time between step `step` and the next: positions and velocities
 * interpolated, accelerations and multipliers of a mechanism by its equations (NULL: interpolated
 * too, as they are where the equations have no solution), with the signals and the mode in force. What fails
 * otherwise is returned. */
gradyn_status gradyn_trajectory_solve(const gradyn_trajectory *trajectory,
                                      gradyn_initial *equations, size_t step, double t,
                                      double *state);

/* The same to the accuracy of the rows: from the row `step`, by a few steps of a Runge-Kutta
 * method along the equations of motion; work [6 n]. Of general equations, or where these have no
 * solution, as above. */
gradyn_status gradyn_trajectory_follow(const gradyn_trajectory *trajectory,
                                       gradyn_initial *equations, size_t step, double t,
                                       double *state, double *work);

/* After a run with the model's present data: keeps these and its events. */
gradyn_status gradyn_trajectory_keep(gradyn_trajectory *trajectory, gradyn_model *model);
const gradyn_past *gradyn_trajectory_past(const gradyn_trajectory *trajectory);

/* After a march with the model's present data: at the times that gradyn_trajectory_request() asked
 * for, accelerations and multipliers of a mechanism from the equations of motion. */
gradyn_status gradyn_trajectory_complete(gradyn_trajectory *trajectory, gradyn_model *model);

#endif
