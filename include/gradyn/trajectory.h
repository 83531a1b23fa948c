/* States over time, as simulations record them. */
#ifndef GRADYN_TRAJECTORY_H
#define GRADYN_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* States over time, every accepted step. Opaque; see the functions below. */
typedef struct gradyn_trajectory gradyn_trajectory;

GRADYN_API gradyn_trajectory *gradyn_trajectory_create(void); /* NULL: out of memory */
GRADYN_API void gradyn_trajectory_free(gradyn_trajectory *trajectory);
GRADYN_API size_t gradyn_trajectory_steps(const gradyn_trajectory *trajectory);
GRADYN_API size_t gradyn_trajectory_columns(const gradyn_trajectory *trajectory);
/* Name and unit of column i (without time), e.g. "2.x", "m". Lives with the trajectory. */
GRADYN_API const char *gradyn_trajectory_name(const gradyn_trajectory *trajectory, size_t i);
GRADYN_API const char *gradyn_trajectory_unit(const gradyn_trajectory *trajectory, size_t i);
/* Whether column i is the library's own: it stands for a constraint that its mode leaves out, is zero, and
 * is in no file of a study. */
GRADYN_API bool gradyn_trajectory_internal(const gradyn_trajectory *trajectory, size_t i);
/* Time of a step and, if state is not NULL, its values [columns]. */
GRADYN_API double gradyn_trajectory_step(const gradyn_trajectory *trajectory, size_t step,
                                         double state[]);
/* All times [steps] and all values [steps][columns], without a copy, a row for each step. They belong to the
 * trajectory and stay until it takes another run or is freed. NULL: there are none. */
GRADYN_API const double *gradyn_trajectory_times(const gradyn_trajectory *trajectory);
GRADYN_API const double *gradyn_trajectory_rows(const gradyn_trajectory *trajectory);
/* Asks for the states at so many equally spaced times, both ends included, of the next simulation (0:
 * none): what gradyn_trajectory_sample() then tells there of the accelerations and multipliers of a
 * mechanism comes from the equations of motion. */
GRADYN_API void gradyn_trajectory_request(gradyn_trajectory *trajectory, size_t samples);
/* State at any time by interpolation (positions quintic, velocities and general states
 * cubic, accelerations and multipliers linear); clamped to the run. */
GRADYN_API void gradyn_trajectory_sample(const gradyn_trajectory *trajectory, double t,
                                         double state[]);

#ifdef __cplusplus
}
#endif

#endif
