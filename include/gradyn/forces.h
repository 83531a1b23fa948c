/* Forces on points of mechanisms. Other forces: <gradyn/joints.h> (springs and stops),
 * <gradyn/bushing.h>, <gradyn/friction.h>, <gradyn/tyre.h>, <gradyn/control.h>.
 *
 * Names are copied; NULL stands for the kind, for example "spring". A signal must be declared before the
 * force that uses it. Errors of all functions here are reported by gradyn_build_status(). */
#ifndef GRADYN_FORCES_H
#define GRADYN_FORCES_H

#include <gradyn/points.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A spring, damper and actuator along the line between two points. With the distance s of the points, the
 * tension is k (s - free_length) + c s' + force + signal(t). Positive tension pulls the points together. */
typedef struct gradyn_spring_spec {
  const char *name; /* copied; NULL: "spring" */
  /* points at its ends; a run in which they coincide fails with GRADYN_NON_FINITE */
  gradyn_point_id from, to;
  gradyn_scalar k;           /* stiffness, N/m */
  gradyn_scalar c;           /* damping, N s/m */
  gradyn_scalar free_length; /* length without spring force, m, >= 0 */
  gradyn_scalar force;       /* constant tension, N */
  bool has_signal;           /* true: the signal is added to the tension */
  gradyn_signal_id signal;   /* additional tension, N */
} gradyn_spring_spec;

/* Declares a spring. The spec is copied. Data: name.stiffness, name.damping, name.free_length,
 * name.force. Returns its number. On failure gradyn_build_status() reports the error, and the number returned
 * has no meaning. */
GRADYN_API gradyn_force_id gradyn_spring(gradyn_model *model, const gradyn_spring_spec *spec);

/* Declares a dashpot between two points that resists their relative velocity equally in all directions.
 *
 * c: damping, N s/m, >= 0; datum name.damping. The force on b is -c (r_b' - r_a'), N; the opposite acts
 *   on a. Ebrahimi et al. (2018), eq. (43). name NULL: "dashpot".
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_force_id gradyn_dashpot(gradyn_model *model, const char *name, gradyn_point_id a,
                                          gradyn_point_id b, gradyn_scalar c);

/* An attraction of two points by the inverse square of their distance s, as of masses or charges.
 *
 * The force is strength s/(s^2 + core^2)^(3/2). The potential energy is -strength/sqrt(s^2 + core^2). A
 * positive core bounds the force near s = 0. If core is 0, a run in which the points meet fails with
 * GRADYN_NON_FINITE. */
typedef struct gradyn_attraction_spec {
  const char *name;         /* copied; NULL: "attraction" */
  gradyn_point_id from, to; /* points that attract each other */
  gradyn_scalar strength;   /* N m^2; of masses G m_a m_b; negative: repulsion */
  gradyn_scalar core;       /* core radius, m, >= 0 */
} gradyn_attraction_spec;

/* Declares an attraction. The spec is copied. Data: name.strength, name.core. Returns its number. On
 * failure gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_force_id gradyn_attraction(gradyn_model *model,
                                             const gradyn_attraction_spec *spec);

/* A force on a point with a fixed direction, multiplied by a signal if there is one. */
typedef struct gradyn_force_spec {
  const char *name;      /* copied; NULL: "force" */
  gradyn_point_id point; /* point of application */
  /* components along x and y of the ground, N; with a signal N over its unit */
  gradyn_scalar fx, fy;
  bool has_signal;         /* true: the components are multiplied by the signal */
  gradyn_signal_id signal; /* factor of the components, in any unit */
  /* component along z, N; with a signal N over its unit; in the plane 0 */
  gradyn_scalar fz;
} gradyn_force_spec;

/* Declares a force on a point. The spec is copied. Data: name.fx, name.fy and, in space, name.fz.
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_force_id gradyn_force(gradyn_model *model, const gradyn_force_spec *spec);

/* A torque on the line between two points, for example a rod, in the plane. It is torque times the
 * signal, if there is one, minus c omega, where omega is the angular velocity of the line. Positive
 * torques are counter-clockwise. */
typedef struct gradyn_torque_spec {
  const char *name;         /* copied; NULL: "torque" */
  gradyn_point_id from, to; /* points, on which opposite forces normal to their line act */
  gradyn_scalar torque;     /* N m; with a signal N m over its unit */
  gradyn_scalar c;          /* viscous damping, N m s */
  bool has_signal;          /* true: `torque` is multiplied by the signal */
  gradyn_signal_id signal;  /* factor of `torque`, in any unit */
} gradyn_torque_spec;

/* Declares a torque. The spec is copied. Data: name.torque, name.damping. Returns its number. On
 * failure gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_force_id gradyn_torque(gradyn_model *model, const gradyn_torque_spec *spec);

/* Evaluates a force law of the user's; it is differentiated by complex step.
 *
 * It sees at->t, at->pos, at->vel, at->data, at->u and, if it lists constraints, at->lam.
 *
 * force [point_count][axes]: receives the components, N. Those of base vectors and angles are in N m;
 *   those of first-order states are their rates. The number of axes is 2 in the plane, 3 in space. Joint
 *   coordinates and states have one component, the first. All are 0 before the call.
 *
 * A force that depends on multipliers, such as friction, must be smooth in them: use sqrt(lam^2 +
 * small^2) for |lam|. Returns GRADYN_OK, or an error code, usually that of gradyn_callback_error(); the
 * run then fails with it. */
typedef gradyn_status (*gradyn_force_fn)(const gradyn_at *at, gradyn_scalar force[]);

/* A force of the user's. */
typedef struct gradyn_custom_force_spec {
  const char *name; /* copied; NULL: "force" */
  /* [point_count], variables that it reads and on which it acts: points, base vectors of bodies, joint
   * coordinates, first-order states, each once; copied. The arrays at->pos and at->vel have these only,
   * in this order */
  const gradyn_variable_id *points;
  int point_count;    /* 1 to GRADYN_CUSTOM_POINTS */
  gradyn_force_fn fn; /* must be given */
  /* [data_count], data of its own, named name.<datum>; copied; may be NULL */
  const gradyn_datum *data;
  int data_count; /* number of data; 0: none */
  void *user;     /* pointer passed on as at->user; the same in all calls of build() */
  /* [read_count], names of the constraints whose multipliers it reads; at->lam has these only, in this
   * order; the constraints may be declared later; copied */
  const char *const *reads;
  int read_count; /* 0 to GRADYN_CUSTOM_READS; the method variational refuses values above 0 */
} gradyn_custom_force_spec;

/* Largest number of multipliers that one custom force may read. */
#define GRADYN_CUSTOM_READS 8

/* Declares a force of the user's. The spec is copied. Returns its number. On failure gradyn_build_status()
 * reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_force_id gradyn_custom_force(gradyn_model *model,
                                               const gradyn_custom_force_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
