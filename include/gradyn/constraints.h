/* Constraints between points: each function returns the number of its constraint, the index of its
 * multiplier. Joints between frames are in <gradyn/joints.h>. */
#ifndef GRADYN_CONSTRAINTS_H
#define GRADYN_CONSTRAINTS_H

#include <gradyn/points.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pin (spherical joint): two points coincide. Returns the number of the constraint along x; those along
 * y and z follow. Their multipliers are the force that b exerts on a, N. */
GRADYN_API gradyn_constraint_id gradyn_pin(gradyn_model *model, const char *name, gradyn_point_id a,
                                           gradyn_point_id b);

/* --- Functions of time for driven constraints ------------------------------------------------- */

/* value + rate t + acceleration t^2/2 + amplitude sin(frequency t + phase) (+ a cubic-spline
 * signal). All of them are data. */
typedef struct gradyn_law {
  gradyn_scalar value, rate, acceleration;
  gradyn_scalar amplitude, frequency, phase; /* frequency in rad/s, phase in rad */
  bool has_signal;
  gradyn_signal_id signal; /* a cubic spline: driven constraints need two continuous derivatives */
} gradyn_law;

/* --- Constraints that may be driven ------------------------------------------------------------- */

/* |r_to - r_from| = law(t), law > 0, m. */
GRADYN_API gradyn_constraint_id gradyn_distance(gradyn_model *model, const char *name,
                                                gradyn_point_id from, gradyn_point_id to,
                                                const gradyn_law *law);

/* One coordinate of a point = law(t), m. */
GRADYN_API gradyn_constraint_id gradyn_coordinate(gradyn_model *model, const char *name,
                                                  gradyn_point_id point, gradyn_axis axis,
                                                  const gradyn_law *law);

/* Direction from one point to another, counter-clockwise from the x axis = law(t), rad. The multiplier is
 * minus the force of the drive on `to`, N, to the left across the line; gradyn_measure_drive() has the
 * torque. */
GRADYN_API gradyn_constraint_id gradyn_angle(gradyn_model *model, const char *name,
                                             gradyn_point_id from, gradyn_point_id to,
                                             const gradyn_law *law);

/* A constraint written by the user in position, velocity and acceleration form: order 0 gives
 * phi(t, pos), order 1 its time derivative (uses vel), order 2 the second one (uses vel, acc).
 * The Jacobians come by complex step; `gradyn check` tests that the three forms agree. */
typedef gradyn_status (*gradyn_constraint_fn)(const gradyn_at *at, int order, gradyn_scalar *value);

typedef struct gradyn_custom_constraint_spec {
  const char *name;
  const gradyn_variable_id
      *points;     /* [point_count], those whose coordinates it uses; at->pos etc. hold only
                        these, in this order */
  int point_count; /* at most GRADYN_CUSTOM_POINTS */
  gradyn_constraint_fn fn;
  const gradyn_datum *data; /* [data_count] */
  int data_count;
  void *user;
} gradyn_custom_constraint_spec;

/* Adds such a constraint; returns its number. */
GRADYN_API gradyn_constraint_id gradyn_custom_constraint(gradyn_model *model,
                                                         const gradyn_custom_constraint_spec *spec);

/* The same of velocities alone, psi(t, pos, vel) = 0, linear in vel and the rate of no phi, as of what rolls:
 * order 1 gives psi, order 2 its time derivative, and order 0 is not asked for. The methods variational and
 * kinematic refuse it. Returns its number. */
GRADYN_API gradyn_constraint_id gradyn_custom_rolling(gradyn_model *model,
                                                      const gradyn_custom_constraint_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
