/* Points of mechanisms, and their initial positions and velocities.
 *
 * Lengths are in m, velocities in m/s. A mechanism is planar or, with the functions whose names end in
 * _3d, spatial; one model cannot mix both. Names are copied; names of points are unique and must be
 * given. Errors of all functions here are reported by gradyn_build_status(). */
#ifndef GRADYN_POINTS_H
#define GRADYN_POINTS_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An axis of the ground. */
typedef enum gradyn_axis { GRADYN_X = 0, GRADYN_Y = 1, GRADYN_Z = 2 } gradyn_axis;

/* Largest number of points that one custom force, constraint or measure may list. */
#define GRADYN_CUSTOM_POINTS 8

/* --- Points ----------------------------------------------------------------------------------- */

/* Declares a point fixed to the ground, in the plane.
 *
 * x, y: position, m. Data: name.x, name.y.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_point_id gradyn_ground_point(gradyn_model *model, const char *name,
                                               gradyn_scalar x, gradyn_scalar y);

/* Declares a moving point in the plane. It has no mass of its own: see gradyn_point_mass().
 *
 * x, y: approximate initial position, m. The initial velocity is 0 unless gradyn_initial_velocity() sets
 *   another approximate value. The run starts at the nearest position that satisfies all constraints and
 *   all fixed initial conditions. Data: name.x, name.y (m), name.vx, name.vy (m/s).
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_point_id gradyn_point(gradyn_model *model, const char *name, gradyn_scalar x,
                                        gradyn_scalar y);

/* Sets the approximate initial velocity of a moving point in the plane. vx, vy: components, m/s. Ground
 * points and attached points are refused. */
GRADYN_API void gradyn_initial_velocity(gradyn_model *model, gradyn_point_id point,
                                        gradyn_scalar vx, gradyn_scalar vy);

/* Declares a point fixed to the ground, in space. x, y, z: position, m. Data: name.x, name.y, name.z.
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_point_id gradyn_ground_point_3d(gradyn_model *model, const char *name,
                                                  gradyn_scalar x, gradyn_scalar y,
                                                  gradyn_scalar z);

/* Declares a moving point in space. x, y, z: approximate initial position, m, as for gradyn_point().
 * Data: name.x, name.y, name.z (m), name.vx, name.vy, name.vz (m/s). Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_point_id gradyn_point_3d(gradyn_model *model, const char *name, gradyn_scalar x,
                                           gradyn_scalar y, gradyn_scalar z);

/* Sets the approximate initial velocity of a moving point in space. vx, vy, vz: components, m/s. Ground
 * points and attached points are refused. */
GRADYN_API void gradyn_initial_velocity_3d(gradyn_model *model, gradyn_point_id point,
                                           gradyn_scalar vx, gradyn_scalar vy, gradyn_scalar vz);

/* Declares a point on the line through two points, for example along a rod. Its position is from + share
 * (to - from).
 *
 * from, to: two different points; neither may itself be attached to others.
 * share: dimensionless; any value, 0 at `from` and 1 at `to`. Datum: name.share.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_point_id gradyn_point_between(gradyn_model *model, const char *name,
                                                gradyn_point_id from, gradyn_point_id to,
                                                gradyn_scalar share);

/* --- Fixed initial conditions ------------------------------------------------------------------ */

/* Fixes one coordinate of a moving point, and its velocity, at the initial time. The values are those
 * given with the point (m, m/s); without it they are only approximate. */
GRADYN_API void gradyn_fix_initial_coordinate(gradyn_model *model, gradyn_point_id point,
                                              gradyn_axis axis);

/* Fixes the distance of two points at the initial time. value: distance, m, > 0. rate: its rate, m/s.
 * Data: name.value, name.rate. */
GRADYN_API void gradyn_fix_initial_distance(gradyn_model *model, const char *name,
                                            gradyn_point_id from, gradyn_point_id to,
                                            gradyn_scalar value, gradyn_scalar rate);

/* Fixes the direction from one point to another at the initial time, in the plane. value: angle, rad,
 * positive counter-clockwise from the x axis. rate: its rate, rad/s. Data: name.value, name.rate. */
GRADYN_API void gradyn_fix_initial_angle(gradyn_model *model, const char *name,
                                         gradyn_point_id from, gradyn_point_id to,
                                         gradyn_scalar value, gradyn_scalar rate);

/* Starts the mechanism in static equilibrium under the forces, signals and prescribed motions at the
 * initial time.
 *
 * The given positions are the starting point of the search for the equilibrium. The search follows the
 * forces, so it finds a stable equilibrium, unless the given positions are an unstable equilibrium
 * already. The mechanism starts at rest, except for parts that prescribed motions move at once. Fixed
 * initial conditions and initial velocities have no effect. */
GRADYN_API void gradyn_start_in_equilibrium(gradyn_model *model);

#ifdef __cplusplus
}
#endif

#endif
