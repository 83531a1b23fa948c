/* Trajectories: the states of a simulation over time, at every accepted step. */
#ifndef GRADYN_TRAJECTORY_H
#define GRADYN_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* States over time, one row for each accepted step, filled by gradyn_evaluator_simulate() and other analyses.
 * At an event there are two rows with the same time: the states before and after it. Opaque. Several threads
 * may read a trajectory while no call fills it. */
typedef struct gradyn_trajectory gradyn_trajectory;

/* Creates an empty trajectory, without rows or columns. Returns NULL if memory is exhausted. The caller
 * owns the result and releases it with gradyn_trajectory_free(). */
GRADYN_API gradyn_trajectory *gradyn_trajectory_create(void);

/* Releases a trajectory and all arrays and names that it has returned; NULL is ignored. */
GRADYN_API void gradyn_trajectory_free(gradyn_trajectory *trajectory);

/* Returns the number of rows: the accepted steps with the start of the run. 0 if there are none or the
 * trajectory is NULL. */
GRADYN_API size_t gradyn_trajectory_steps(const gradyn_trajectory *trajectory);

/* Returns the number of columns without time; 0 for a trajectory that is empty or NULL. The states come
 * first, then the measures and other outputs of the model. The states of a mechanism are positions (m),
 * velocities (m/s), accelerations (m/s^2) and multipliers (N). */
GRADYN_API size_t gradyn_trajectory_columns(const gradyn_trajectory *trajectory);

/* Returns the name of column i, counted from 0 without time, for example "2.x"; "" if there is no such
 * column. The text belongs to the trajectory and lives until another run fills it or it is released. */
GRADYN_API const char *gradyn_trajectory_name(const gradyn_trajectory *trajectory, size_t i);

/* Returns the unit of column i, counted from 0 without time, for example "m"; "" if there is no such
 * column. The text belongs to the trajectory and lives until another run fills it or it is released. */
GRADYN_API const char *gradyn_trajectory_unit(const gradyn_trajectory *trajectory, size_t i);

/* Returns whether column i, counted from 0 without time, is internal to the library. Such a column stands
 * for a constraint that is absent in the present mode; it is zero. Files of a study omit it. */
GRADYN_API bool gradyn_trajectory_internal(const gradyn_trajectory *trajectory, size_t i);

/* Returns the time of row `step`, in s, counted from 0; NAN if there is no such row. Copies the row to
 * state [columns], each number in the unit of its column, unless state is NULL. */
GRADYN_API double gradyn_trajectory_step(const gradyn_trajectory *trajectory, size_t step,
                                         double state[]);

/* Returns the times of all rows, [steps], in s, without a copy; NULL if there are no rows. The array
 * belongs to the trajectory and lives until another run fills it or it is released. */
GRADYN_API const double *gradyn_trajectory_times(const gradyn_trajectory *trajectory);

/* Returns all values, [steps][columns], each in the unit of its column, without a copy; NULL if there are
 * no rows. The array belongs to the trajectory and lives until another run fills it or it is released. */
GRADYN_API const double *gradyn_trajectory_rows(const gradyn_trajectory *trajectory);

/* Requests states of the next simulation at equally spaced times, both ends of the run included.
 * `samples`: the number of times; 0 or 1: none. At these times gradyn_trajectory_sample() returns
 * accelerations and multipliers of a mechanism that satisfy the equations of motion. The request lasts
 * for later simulations. */
GRADYN_API void gradyn_trajectory_request(gradyn_trajectory *trajectory, size_t samples);

/* Interpolates the state at time t, in s, to state [columns], each number in the unit of its column. Before
 * and after the run the state is the first or last row. Hermite polynomials between the rows: quintic for
 * positions of mechanisms, cubic for velocities and for states of general equations. Accelerations,
 * multipliers and outputs of mechanisms are linear between the rows. An empty trajectory leaves `state`
 * unchanged. */
GRADYN_API void gradyn_trajectory_sample(const gradyn_trajectory *trajectory, double t,
                                         double state[]);

#ifdef __cplusplus
}
#endif

#endif
