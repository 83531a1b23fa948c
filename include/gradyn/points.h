/* Points of mechanisms, and what is known of where they start. */
#ifndef GRADYN_POINTS_H
#define GRADYN_POINTS_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gradyn_axis { GRADYN_X = 0, GRADYN_Y = 1, GRADYN_Z = 2 } gradyn_axis;

#define GRADYN_CUSTOM_POINTS 8 /* that an element of the user's own may name */

/* --- Points ----------------------------------------------------------------------------------- */

/* A point fixed to the ground at (x, y), m. Returns its number. Data: name.x, name.y. */
GRADYN_API gradyn_point_id gradyn_ground_point(gradyn_model *model, const char *name,
                                               gradyn_scalar x, gradyn_scalar y);

/* A moving point with an approximate initial position, m; at rest. Data: name.x, name.y, name.vx,
 * name.vy. The initial position is the one nearest to all these that satisfies the constraints and
 * everything that is held. */
GRADYN_API gradyn_point_id gradyn_point(gradyn_model *model, const char *name, gradyn_scalar x,
                                        gradyn_scalar y);

/* Gives a moving point an approximate initial velocity, m/s. */
GRADYN_API void gradyn_initial_velocity(gradyn_model *model, gradyn_point_id point,
                                        gradyn_scalar vx, gradyn_scalar vy);

/* The same in space: positions in m, velocities in m/s. */
GRADYN_API gradyn_point_id gradyn_ground_point_3d(gradyn_model *model, const char *name,
                                                  gradyn_scalar x, gradyn_scalar y,
                                                  gradyn_scalar z);
GRADYN_API gradyn_point_id gradyn_point_3d(gradyn_model *model, const char *name, gradyn_scalar x,
                                           gradyn_scalar y, gradyn_scalar z);
GRADYN_API void gradyn_initial_velocity_3d(gradyn_model *model, gradyn_point_id point,
                                           gradyn_scalar vx, gradyn_scalar vy, gradyn_scalar vz);

/* A point on the line through two points, at from + share (to - from), for example along a rod. Neither
 * may itself be attached. Data: name.share. */
GRADYN_API gradyn_point_id gradyn_point_between(gradyn_model *model, const char *name,
                                                gradyn_point_id from, gradyn_point_id to,
                                                gradyn_scalar share);

/* --- What is held when the initial position and velocity are solved --------------------------- */

/* Holds a coordinate of a point, with its initial velocity, at the values given with the point. */
GRADYN_API void gradyn_hold_coordinate(gradyn_model *model, gradyn_point_id point,
                                       gradyn_axis axis);

/* Holds the distance of two points (m) and its rate (m/s). Data: name.value, name.rate. */
GRADYN_API void gradyn_hold_distance(gradyn_model *model, const char *name, gradyn_point_id from,
                                     gradyn_point_id to, gradyn_scalar value, gradyn_scalar rate);

/* Holds the direction from one point to another (rad) and its rate (rad/s). */
GRADYN_API void gradyn_hold_angle(gradyn_model *model, const char *name, gradyn_point_id from,
                                  gradyn_point_id to, gradyn_scalar value, gradyn_scalar rate);

/* The mechanism starts in static equilibrium: the initial position is not the one nearest to the points as
 * given but an equilibrium, stable unless they are one already, to which it falls from there under the
 * forces, signals and laws of motion at the initial time. It starts at rest (laws that move at once leave no
 * choice); what is held, and initial velocities, do not count. */
GRADYN_API void gradyn_start_in_equilibrium(gradyn_model *model);

#ifdef __cplusplus
}
#endif

#endif
