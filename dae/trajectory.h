/* Trajectories: states over time, as a run records them. */
#ifndef GRADYN_DAE_TRAJECTORY_H
#define GRADYN_DAE_TRAJECTORY_H

#include "dae/start/initial.h"
#include "core/model/model.h"
#include <gradyn/evaluate.h>

RELEASE(gradyn_trajectory)

/* The data and events of a recorded run. The model has those of its last run only. */
typedef struct gradyn_past {
  const gradyn_model *model;   /* NULL: nothing is stored */
  double *x;                   /* [nx] data */
  gradyn_event_record *record; /* [events] */
  double *captured;            /* [events][latched data of the model] values after each event */
  int events;
} gradyn_past;

/* Clears a trajectory, but not its request for samples, and prepares it for the states and outputs of a
 * model. The model is kept, and must exist while rows are added. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_trajectory_begin(gradyn_trajectory *trajectory, gradyn_model *model);
/* Clears a trajectory and prepares it for derivatives of the states: the columns are the states without the
 * outputs. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_trajectory_begin_tangent(gradyn_trajectory *trajectory, gradyn_model *model);

/* Appends a copy of a row: time t, s, not before that of the last row, the state y [ny] and, for general
 * equations, its rates yp [ny]; yp NULL: zero. Outputs of the model are evaluated. Errors:
 * GRADYN_NO_MEMORY; failures of the outputs; no row is then appended. */
gradyn_status gradyn_trajectory_add(gradyn_trajectory *trajectory, double t, const double *y,
                                    const double *yp);

/* Appends the rows of *other, a trajectory with the same columns. joined: without its first row, which
 * repeats the last row of this one. Error: GRADYN_NO_MEMORY, without a message; some rows may then be
 * appended. */
gradyn_status gradyn_trajectory_append(gradyn_trajectory *trajectory,
                                       const gradyn_trajectory *other, bool joined);

/* Computes state [columns] at time t, s, between rows `step`, from 0, and step + 1, which must exist.
 * Positions and velocities are interpolated. Accelerations, multipliers and outputs of a mechanism follow
 * from `equations`, with the model's present signals and mode. If equations is NULL, or has no solution
 * there, accelerations, multipliers and outputs are interpolated as well. Errors: other failures of the
 * equations. */
gradyn_status gradyn_trajectory_solve(const gradyn_trajectory *trajectory,
                                      gradyn_initial *equations, size_t step, double t,
                                      double *state);

/* Computes state [columns] as gradyn_trajectory_solve(), with the accuracy of the recorded rows: integrates
 * the equations of motion from row `step` to t, s, by a few Runge-Kutta steps; work [6 n]. If equations is
 * NULL, and where the equations of motion have no solution, the result is that of
 * gradyn_trajectory_solve(). Errors: other failures of the equations. */
gradyn_status gradyn_trajectory_follow(const gradyn_trajectory *trajectory,
                                       gradyn_initial *equations, size_t step, double t,
                                       double *state, double *work);

/* Stores copies of the present data and events of the model, after a run; the pointer to the model is kept.
 * Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_trajectory_keep(gradyn_trajectory *trajectory, gradyn_model *model);

/* Returns the copies of gradyn_trajectory_keep(), which belong to the trajectory, until the next begin() or
 * keep(). Member model is NULL if nothing is stored. */
const gradyn_past *gradyn_trajectory_past(const gradyn_trajectory *trajectory);

/* Returns the time of row `step`, in s; NAN if there is no such row. Copies the row to state [columns],
 * unless state is NULL. */
GRADYN_API double gradyn_trajectory_step(const gradyn_trajectory *trajectory, size_t step,
                                         double state[]);

/* Requests states of the next simulations at equally spaced times, both ends of the run included. samples:
 * the number of times; 0 or 1: none. A trajectory NULL: no effect. */
GRADYN_API void gradyn_trajectory_request(gradyn_trajectory *trajectory, size_t samples);

/* Interpolates the state [columns] at time t, in s; before and after the run it is the first or last row.
 * Polynomials of Hermite between the rows: quintic for positions of mechanisms, cubic for velocities and
 * states of general equations. Accelerations, multipliers and outputs of mechanisms are linear between
 * rows, but satisfy the equations of motion at requested times. An empty trajectory, or one that is NULL,
 * leaves `state` unchanged; state NULL: no effect. */
GRADYN_API void gradyn_trajectory_sample(const gradyn_trajectory *trajectory, double t,
                                         double state[]);

/* Computes the samples that gradyn_trajectory_request() has requested, after a run with the model's present
 * data; no effect for general equations, without a request, or for less than two rows. Accelerations and
 * multipliers of a mechanism follow from the equations of motion. The model's discrete state is then that of
 * the last sample. Errors: GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the equations
 * other than a missing solution; GRADYN_NO_MEMORY. */
gradyn_status gradyn_trajectory_complete(gradyn_trajectory *trajectory, gradyn_model *model);

#endif
