/* First-order states of mechanisms, and controllers that act on joint coordinates.
 *
 * Errors of all functions here are reported by gradyn_build_status(). */
#ifndef GRADYN_CONTROL_H
#define GRADYN_CONTROL_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- First-order states ----------------------------------------------------------------------- */

/* A state z with z' = f(t, positions, velocities, z, data), for example the memory of a controller.
 *
 * z is the velocity of a coordinate of unit inertia, so a custom force on that coordinate is f. In
 * callbacks that list the state with index i, z is at->vel[axes * i] and z' is at->acc[axes * i]. The
 * integral of z since the start is at->pos[axes * i]. Columns: name, name.rate, name.integral. */
typedef struct gradyn_first_order_state_spec {
  const char *name;      /* copied, at most 80 characters; must be given */
  const char *unit;      /* unit of z; copied; NULL: dimensionless */
  gradyn_scalar initial; /* z at the start, in that unit */
  double size;           /* typical magnitude of z for tolerances, in that unit, > 0; 0: 1 */
} gradyn_first_order_state_spec;

/* Declares a first-order state. The spec is copied. Data: name.integral, which is 0, and name.initial.
 * Returns its number, for the lists of points of callbacks. On failure gradyn_build_status() reports the
 * error, and the number returned has no meaning. */
GRADYN_API gradyn_state_id gradyn_first_order_state(gradyn_model *model,
                                                    const gradyn_first_order_state_spec *spec);

/* --- Controllers ------------------------------------------------------------------------------- */

/* A PID controller. It exerts the torque (N m, on an angle) or force (N, on a distance) u of a on b. The
 * error is e = target + signal(t) - measured coordinate.
 *
 *     u = kp e + ki z + kd d,  z' = e
 *
 * Without filter, d is minus the rate of the measured coordinate. With filter, d = (e - w)/T and w' = d,
 * which is s/(T s + 1) applied to e. With a limit L, it exerts L tanh(u/L) instead of u; z continues to
 * grow beyond the limit. */
typedef struct gradyn_pid_spec {
  const char *name;                /* copied, at most 80 characters; NULL: "PID" */
  gradyn_coordinate_id coordinate; /* coordinate on which it acts */
  /* true: it measures `measured`; false: the coordinate on which it acts */
  bool measures_other;
  gradyn_coordinate_id measured; /* measured coordinate, if measures_other */
  gradyn_scalar kp;              /* proportional gain: unit of u per rad or m */
  gradyn_scalar ki;              /* integral gain: unit of u per rad s or m s */
  gradyn_scalar kd;              /* derivative gain: unit of u per rad/s or m/s */
  gradyn_scalar target;          /* target of the measured coordinate, rad or m */
  bool has_signal;               /* true: the signal is added to the target */
  gradyn_signal_id signal;       /* additional target, rad or m */
  bool filtered;                 /* true: the derivative is filtered */
  gradyn_scalar filter_time;     /* with filtered: time constant T, s, > 0 */
  bool limited;                  /* true: u is limited */
  gradyn_scalar limit;           /* with limited: L, N m or N, > 0 */
  gradyn_scalar initial;         /* z at the start, rad s or m s */
  gradyn_scalar initial_filter;  /* with filtered: w at the start, rad or m */
} gradyn_pid_spec;

/* Declares a PID controller. The spec is copied.
 *
 * Data: name.kp, .ki, .kd, .target and, if used, .filter_time and .limit. First-order states:
 * name.error_integral (z) and, with filter, name.filtered_error (w), with data of their own.
 *
 * Returns its number among the forces. On failure gradyn_build_status() reports the error, and the number
 * returned has no meaning. */
GRADYN_API gradyn_force_id gradyn_pid(gradyn_model *model, const gradyn_pid_spec *spec);

/* Largest number of quantities that one state feedback may use. */
#define GRADYN_FEEDBACK_STATES 7

/* A state feedback. It exerts the torque (N m, on an angle) or force (N, on a distance) u of a on b:
 *
 *     u = offset + signal(t) + sum of gain[i] (target[i] - x_i) - rate_gain[i] x_i'
 *
 * x_i are joint coordinates and first-order states. With a limit L, it exerts L tanh(u/L) instead of u. */
typedef struct gradyn_feedback_spec {
  const char *name;                /* copied, at most 80 characters; NULL: "feedback" */
  gradyn_coordinate_id coordinate; /* coordinate on which it acts */
  /* [count], joint coordinates and first-order states x_i, each once; copied */
  const gradyn_variable_id *of;
  int count;                 /* 1 to GRADYN_FEEDBACK_STATES */
  const gradyn_scalar *gain; /* [count], gains: unit of u per unit of x_i; copied */
  /* [count], unit of u per unit of x_i'; 0 for first-order states; copied; NULL: all 0 */
  const gradyn_scalar *rate_gain;
  const gradyn_scalar *target; /* [count], targets of x_i, in its unit; copied; NULL: all 0 */
  gradyn_scalar offset;        /* constant torque or force, N m or N */
  bool has_signal;             /* true: the signal is added */
  gradyn_signal_id signal;     /* additional torque or force, N m or N */
  bool limited;                /* true: u is limited */
  gradyn_scalar limit;         /* with limited: L, N m or N, > 0 */
} gradyn_feedback_spec;

/* Declares a state feedback. The spec is copied. Data: name.offset, name.gain[i], name.target[i],
 * name.rate_gain[i] of joint coordinates and, if used, name.limit. Returns its number among the forces.
 * On failure gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_force_id gradyn_feedback(gradyn_model *model, const gradyn_feedback_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
