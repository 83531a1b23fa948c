/* Constraints between points. Joints between frames are in <gradyn/joints.h>.
 *
 * Each function returns the number of its constraint, which is the index of its multiplier. A constraint
 * Phi = 0 acts on the mechanism with the generalised force -(dPhi/dq) multiplier. Names are copied; NULL
 * stands for the kind, for example "pin". A law may be NULL where the comment allows it. */
#ifndef GRADYN_CONSTRAINTS_H
#define GRADYN_CONSTRAINTS_H

#include <gradyn/points.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declares a pin (in space a spherical joint): two points coincide.
 *
 * The constraints are r_b - r_a = 0: name.x, name.y and, in space, name.z. Their multipliers are the
 * components of the force that b exerts on a, N. Two ground points are refused.
 *
 * Returns the number of the constraint along x; the others follow. On failure gradyn_build_status() reports
 * the error, and the number returned has no meaning. */
GRADYN_API gradyn_constraint_id gradyn_pin(gradyn_model *model, const char *name, gradyn_point_id a,
                                           gradyn_point_id b);

/* --- Functions of time for driven constraints ------------------------------------------------- */

/* A prescribed function of time, in the unit [u] of the quantity that it prescribes, with t in s:
 *
 * value + rate t + acceleration t^2/2 + amplitude sin(frequency t + phase) + signal(t).
 *
 * All numbers are data of the constraint: name.value, .rate, .acceleration, .amplitude, .frequency,
 * .phase. */
typedef struct gradyn_time_function {
  /* value, u; rate at t = 0, u/s; acceleration, u/s^2; u is m for lengths and rad for angles */
  gradyn_scalar value, rate, acceleration;
  /* amplitude, u (m or rad); frequency, rad/s; phase, rad */
  gradyn_scalar amplitude, frequency, phase;
  bool has_signal; /* true: the signal is added */
  /* a cubic spline: driven constraints need two continuous derivatives */
  gradyn_signal_id signal;
} gradyn_time_function;

/* --- Constraints that may be driven ------------------------------------------------------------- */

/* Prescribes the distance of two points, |r_to - r_from| = law(t), in m.
 *
 * law: must be given, with value > 0 and law(t) > 0 throughout. For a constant distance give the value
 *   alone. The constraint is (|r|^2/s - s)/2 = 0 with s = law(t). Its multiplier is the axial force, N,
 *   positive in tension.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_constraint_id gradyn_distance(gradyn_model *model, const char *name,
                                                gradyn_point_id from, gradyn_point_id to,
                                                const gradyn_time_function *law);

/* Prescribes one coordinate of a point, r.axis = law(t), in m. law NULL: 0. The multiplier is minus the
 * force on the point along the axis, N. Returns its number. On failure gradyn_build_status() reports the
 * error, and the number returned has no meaning. */
GRADYN_API gradyn_constraint_id gradyn_coordinate(gradyn_model *model, const char *name,
                                                  gradyn_point_id point, gradyn_axis axis,
                                                  const gradyn_time_function *law);

/* Prescribes the direction from one point to another in the plane: angle = law(t), in rad,
 * counter-clockwise from the x axis.
 *
 * law NULL: 0. The constraint is r.n = 0 with n = (-sin law, cos law). Its multiplier is minus the force
 * on `to` along n, N; gradyn_measure_drive() gives the torque.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_constraint_id gradyn_angle(gradyn_model *model, const char *name,
                                             gradyn_point_id from, gradyn_point_id to,
                                             const gradyn_time_function *law);

/* Evaluates a constraint of the user's.
 *
 * order 0: stores phi(t, pos, data); order 1: its first time derivative, with vel; order 2: its second
 * time derivative, with vel and acc. value: one number. Jacobians are computed by complex step. `gradyn
 * check` tests that the three orders agree.
 *
 * Returns GRADYN_OK, or an error code, usually that of gradyn_callback_error(); the run then fails with
 * it. */
typedef gradyn_status (*gradyn_constraint_fn)(const gradyn_at *at, int order, gradyn_scalar *value);

/* A constraint of the user's. */
typedef struct gradyn_custom_constraint_spec {
  const char *name; /* copied; NULL: "constraint" or "rolling" */
  /* [point_count], points, base vectors and joint coordinates that it uses, each once; copied. The arrays
   * at->pos, at->vel and at->acc have these only, in this order. First-order states are refused */
  const gradyn_variable_id *points;
  int point_count;         /* 1 to GRADYN_CUSTOM_POINTS */
  gradyn_constraint_fn fn; /* must be given */
  /* [data_count], data of its own, named name.<datum>; copied; may be NULL */
  const gradyn_datum *data;
  int data_count; /* number of data; 0: none */
  void *user;     /* pointer passed on as at->user; the same in all calls of build() */
} gradyn_custom_constraint_spec;

/* Declares a constraint phi(t, pos, data) = 0 by a function of the user's. The unit of its multiplier is
 * J over the unit of phi. Returns its number. On failure gradyn_build_status() reports the error, and the
 * number returned has no meaning. */
GRADYN_API gradyn_constraint_id gradyn_custom_constraint(gradyn_model *model,
                                                         const gradyn_custom_constraint_spec *spec);

/* Declares a nonholonomic (velocity-level) constraint psi(t, pos, vel, data) = 0 by a function of the
 * user's.
 *
 * psi must be linear in vel and must not be the rate of a function of positions. Order 1 of spec->fn
 * stores psi, order 2 its time derivative; order 0 is not requested. The methods variational and
 * kinematic refuse it.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_constraint_id
gradyn_custom_nonholonomic(gradyn_model *model, const gradyn_custom_constraint_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
