/* First-order states of mechanisms, and controllers that act on joint coordinates. */
#ifndef GRADYN_CONTROL_H
#define GRADYN_CONTROL_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- First-order states ----------------------------------------------------------------------- */

/* A number z with z' = f(t, positions, velocities, z, data), such as a controller's memory. It is the
 * velocity of a coordinate of unit inertia: a custom force on it is f. In custom functions, the first
 * component at->vel[axes * number] is z, at->acc[..] is z', and at->pos[..] the integral of z since the
 * start. Columns: name, name.rate, name.integral. */
typedef struct gradyn_controller_state_spec {
  const char *name;
  const char *unit;      /* of z; NULL: none */
  gradyn_scalar initial; /* z at the start, in that unit */
  double size;           /* how large z usually is, in that unit, for tolerances; 0: 1 */
} gradyn_controller_state_spec;

/* Returns its number, for points[] of custom functions. Data: name.integral, 0, and name.initial. */
GRADYN_API gradyn_state_id gradyn_controller_state(gradyn_model *model,
                                                   const gradyn_controller_state_spec *spec);

/* --- Controllers: each returns its number among the forces ------------------------------------ */

/* A PID controller: with the error e = target (+ signal) - measured coordinate it acts with
 *   u = kp e + ki z + kd d,   z' = e,
 * on a coordinate, N m or N of a on b. d is minus the rate of the measured coordinate or, filtered,
 * d = (e - w)/T with w' = d, that is s/(T s + 1) applied to e. Limited, it acts with L tanh(u/L) in place
 * of u, and z goes on growing beyond the limit. */
typedef struct gradyn_pid_spec {
  const char *name;
  gradyn_coordinate_id coordinate; /* on which it acts */
  bool measures_other;             /* it measures another one than it acts on: */
  gradyn_coordinate_id measured;   /* that one */
  gradyn_scalar kp;                /* u per e */
  gradyn_scalar ki;                /* u per e and s */
  gradyn_scalar kd;                /* u per rate of e */
  gradyn_scalar target;            /* rad or m */
  bool has_signal;
  gradyn_signal_id signal; /* added to the target */
  bool filtered;
  gradyn_scalar filter_time; /* T, s, > 0 */
  bool limited;
  gradyn_scalar limit;          /* L, N m or N, > 0 */
  gradyn_scalar initial;        /* z at the start, rad s or m s */
  gradyn_scalar initial_filter; /* w at the start, rad or m */
} gradyn_pid_spec;

/* Adds it; the spec is copied. Data: name.kp, .ki, .kd, .target, .filter_time, .limit (the last two only
 * if used), and those of the states name.error_integral (z) and name.filtered_error (w). */
GRADYN_API gradyn_force_id gradyn_pid(gradyn_model *model, const gradyn_pid_spec *spec);

#define GRADYN_FEEDBACK_STATES 7

/* State feedback: u = offset (+ signal) + sum of gain_i (target_i - x_i) - rate_gain_i x_i' over joint
 * coordinates and first-order states, of which x_i is z and x_i' its rate of no use (rate_gain_i must be
 * 0). Limited like a PID controller. */
typedef struct gradyn_feedback_spec {
  const char *name;
  gradyn_coordinate_id coordinate; /* on which it acts */
  const gradyn_variable_id *of;    /* [count] the coordinates and states x_i */
  int count;                       /* at most GRADYN_FEEDBACK_STATES */
  const gradyn_scalar *gain;       /* [count], u per x_i */
  const gradyn_scalar *rate_gain;  /* [count], u per x_i'; NULL: zero */
  const gradyn_scalar *target;     /* [count]; NULL: zero */
  gradyn_scalar offset;            /* N m or N */
  bool has_signal;
  gradyn_signal_id signal; /* added u */
  bool limited;
  gradyn_scalar limit; /* N m or N, > 0 */
} gradyn_feedback_spec;

/* Adds it; the spec is copied. Data: name.offset, name.gain[i], name.rate_gain[i], name.target[i], and
 * name.limit if used. */
GRADYN_API gradyn_force_id gradyn_feedback(gradyn_model *model, const gradyn_feedback_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
