/* Forces: springs, dampers, bushings, friction, tyres and controllers. */
#ifndef GRADYN_FORCES_H
#define GRADYN_FORCES_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Forces on points of mechanisms. Springs and stops of joints are in <gradyn/joints.h>. Bushings, friction,
 * tyres and controllers are below.
 *
 * Names are copied; NULL stands for the kind, for example "spring". Names of bushings, tyres, PID controllers
 * and friction with bristles must differ: the names of their points or states begin with them. A point may be
 * any point of the mechanism: moving, of the ground, of a body or between others. Points, bodies, joints and
 * signals must be declared before the force that uses them. Errors of all functions here are reported by
 * gradyn_build_status(). The number of a force is for gradyn_force_set_modes(). */

/* A spring, damper and actuator along the line between two points. With the distance s of the points, the
 * tension is k (s - free_length) + c s' + force + signal(t). Positive tension pulls the points together. */
typedef struct gradyn_spring_spec {
  const char *name; /* copied; NULL: "spring" */
  /* points at its ends: moving, of the ground or of bodies; a run in which both coincide fails with
   * GRADYN_NON_FINITE */
  gradyn_point_id from, to;
  gradyn_scalar k;           /* stiffness, N/m, of any sign */
  gradyn_scalar c;           /* damping, N s/m, of any sign */
  gradyn_scalar free_length; /* length without spring force, m, >= 0 */
  gradyn_scalar force;       /* constant tension, N */
  gradyn_signal_id signal;   /* additional tension, N; declared before; 0: none */
} gradyn_spring_spec;

/* Declares a spring. The spec is copied. Data: name.stiffness, name.damping, name.free_length,
 * name.force. Returns its number. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_force_id gradyn_spring(gradyn_model *model, const gradyn_spring_spec *spec);

/* Declares a dashpot between two points that resists their relative velocity equally in all directions.
 *
 * a, b: points, moving, of the ground or of bodies; r_a, r_b are their positions.
 * c: damping, N s/m, >= 0; datum name.damping. The force on b is -c (r_b' - r_a'), N; the opposite acts
 *   on a. Ebrahimi et al. (2018), eq. (43). name NULL: "dashpot".
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_force_id gradyn_dashpot(gradyn_model *model, const char *name, gradyn_point_id a,
                                          gradyn_point_id b, gradyn_scalar c);

/* An attraction of two points by the inverse square of their distance s, as of masses or charges.
 *
 * The force on each point is strength s/(s^2 + core^2)^(3/2), N, towards the other one. The potential energy
 * is -strength/sqrt(s^2 + core^2). A positive core bounds the force near s = 0. If core is 0, a run in which
 * the points meet fails with GRADYN_NON_FINITE. */
typedef struct gradyn_attraction_spec {
  const char *name;         /* copied; NULL: "attraction" */
  gradyn_point_id from, to; /* points that attract each other: moving, of the ground or of bodies */
  gradyn_scalar strength;   /* N m^2; of masses G m_a m_b; negative: repulsion */
  gradyn_scalar core;       /* core radius, m, >= 0 */
} gradyn_attraction_spec;

/* Declares an attraction. The spec is copied. Data: name.strength, name.core. Returns its number. On
 * failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_force_id gradyn_attraction(gradyn_model *model,
                                             const gradyn_attraction_spec *spec);

/* A force on a point with a fixed direction, multiplied by a signal if there is one. */
typedef struct gradyn_force_spec {
  const char *name;      /* copied; NULL: "force" */
  gradyn_point_id point; /* point of application, moving or of a body */
  /* components along x and y of the ground, N; with a signal N over its unit */
  gradyn_scalar fx, fy;
  gradyn_signal_id signal; /* factor of the components, in any unit; declared before; 0: none */
  /* component along z, N; with a signal N over its unit; in the plane it must be 0 */
  gradyn_scalar fz;
} gradyn_force_spec;

/* Declares a force on a point. The spec is copied. Data: name.fx, name.fy and, in space, name.fz.
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_force_id gradyn_force(gradyn_model *model, const gradyn_force_spec *spec);

/* A torque on the line between two points, for example a rod, in the plane only. It is torque times the
 * signal, if there is one, minus c omega, where omega is the angular velocity of the line. Positive
 * torques are counter-clockwise. */
typedef struct gradyn_torque_spec {
  const char *name; /* copied; NULL: "torque" */
  gradyn_point_id from,
      to;               /* points of any kind; opposite forces normal to their line act on both */
  gradyn_scalar torque; /* N m; with a signal N m over its unit */
  gradyn_scalar c;      /* viscous damping, N m s */
  gradyn_signal_id signal; /* factor of `torque`, in any unit; declared before; 0: none */
} gradyn_torque_spec;

/* Declares a torque. The spec is copied. Data: name.torque, name.damping. Returns its number. On
 * failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_force_id gradyn_torque(gradyn_model *model, const gradyn_torque_spec *spec);

/* Evaluates a force law of the user's; it is differentiated by complex step.
 *
 * It may use at->t, at->pos and at->vel of its points, at->data, at->u of the signals declared before, and
 * at->lam of the constraints in `reads`.
 *
 * force [point_count][axes]: receives the components along the axes of the ground, N; axes is 2 in the plane,
 *   3 in space. Components of base vectors and angles are in N m. Those of first-order states are the rates
 *   of these states. Of joint coordinates and states only the first component is used. All are 0 before the
 *   call.
 *
 * A force that depends on multipliers, such as friction, must be smooth in them: use sqrt(lam^2 + small^2)
 * for |lam|. Returns GRADYN_OK, or an error code, usually that of gradyn_callback_error(); the run then fails
 * with it. A component that is not finite fails with GRADYN_NON_FINITE. */
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
  int data_count; /* 0: none; at most 16, and at most 31 together with the signals declared before */
  /* pointer passed on as at->user; the same in all calls of build(), valid as long as the evaluator */
  void *user;
  /* [read_count], names of scalar constraints whose multipliers it reads; at->lam has these only, in this
   * order. Each name is listed once, and must be that of one constraint only. The constraints may be declared
   * later; gradyn_evaluator_create() refuses unknown names with GRADYN_INVALID. Copied; NULL: none */
  const char *const *reads;
  int read_count; /* 0 to GRADYN_CUSTOM_READS; the method variational refuses values above 0 */
} gradyn_custom_force_spec;

/* Largest number of multipliers that one custom force may read. */
#define GRADYN_CUSTOM_READS 8

/* Declares a force of the user's. The spec is copied. Returns its number. On failure gradyn_build_status()
 * reports the error, and the number returned is 0. */
GRADYN_API gradyn_force_id gradyn_custom_force(gradyn_model *model,
                                               const gradyn_custom_force_spec *spec);

/* Bushings: elastic joints between two bodies. */

/* A bushing at a common point of two bodies at the initial time, where it is unloaded.
 *
 * Its axes x, y, z are fixed to body a and are those of the ground at the initial time. Let d be the
 * displacement of b's point from a's point along these axes. Let theta be the rotation of b relative to a
 * about these axes (sines of angles). For each axis, force and torque on b are:
 *
 *     -(stiffness d + damping d'),  -(torsion theta + torsion_damping theta')
 *
 * The opposite acts on a, in a form that conserves energy except for damping. In the plane the bushing
 * has displacements along x and y and a rotation about z; all other coefficients must be 0. */
typedef struct gradyn_bushing_spec {
  const char *name;                 /* copied, at most 80 characters; NULL: "bushing" */
  gradyn_body_id body_a, body_b;    /* two different bodies; GRADYN_GROUND is refused */
  gradyn_scalar position[3];        /* position of the common point at the initial time, m */
  gradyn_scalar stiffness[3];       /* translational stiffness along x, y, z, N/m, >= 0 */
  gradyn_scalar damping[3];         /* translational damping along x, y, z, N s/m, >= 0 */
  gradyn_scalar torsion[3];         /* rotational stiffness about x, y, z, N m/rad, >= 0 */
  gradyn_scalar torsion_damping[3]; /* rotational damping about x, y, z, N m s/rad, >= 0 */
} gradyn_bushing_spec;

/* Declares a bushing. The spec is copied. Data: name.stiffness_x, ..., name.damping_x, ...,
 * name.torsion_x, ..., name.torsion_damping_x, ... for the axes that it has; name.a.local_x, ...,
 * name.b.local_x, ... for its points in the bodies, m. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_force_id gradyn_bushing(gradyn_model *model, const gradyn_bushing_spec *spec);

/* Friction in joints, with normal forces from the multipliers of the joints: Verulkar et al. (2023). */

/* Laws for the coefficient of friction as a function of the slip velocity v. */
typedef enum gradyn_friction_law {
  /* Brown and McPhee (2016), with s = v/transition:
   *
   *     kinetic tanh(4 s) + (still - kinetic) s/(s^2/4 + 3/4)^2
   *
   * Smooth: a sticking contact creeps at a part of the transition velocity. */
  GRADYN_BROWN_MCPHEE,
  /* Canudas de Wit et al. (1995): the deflections z of bristles are first-order states, so that a
   * sticking contact does not creep. The damping of the bristles fades with exp(-(v/transition)^2). */
  GRADYN_LUGRE,
  /* Gonthier et al. (2004): bristles, and a sticking force that grows with the time at rest. The law has
   * kinks. */
  GRADYN_GONTHIER
} gradyn_friction_law;

/* Sum of the pressures on half a journal over the force that it carries, dimensionless: pi^3/24, for a
 * pressure that is parabolic in the angle. */
#define GRADYN_PARABOLIC_PRESSURE 1.2919281950124925

/* Friction in a joint. The friction force is opposite to the slip. Its magnitude is coefficient times
 * normal force plus viscous times slip velocity. The normal force follows from the multipliers of the
 * joint. Magnitudes of a force F are sqrt(F^2 + smoothing^2).
 *
 * A revolute joint is a journal of `radius`, in space with a collar that carries the thrust along the
 * axis. A cylindrical joint is such a journal that turns and slides; its slip is a vector. A prismatic
 * joint is a slider that carries forces at its two ends and, in space, moments about its axis at its
 * sides. Planar and point-on-plane joints are flat contacts; their slip is a vector. A point-on-line
 * joint is a runner. In the plane, friction exists in revolute, prismatic and point-on-line joints.
 *
 * In space, the frame of a rod can be b of planar, point-on-plane and point-on-line joints only. The method
 * variational refuses joint friction. Members that the joint and the law do not use must be 0, except
 * pressure and thrust_radius. */
typedef struct gradyn_joint_friction_spec {
  const char *name; /* copied, at most 80 characters; NULL: "friction" */
  /* joint with friction, of a kind named above; origins of a revolute joint must not be rigidly connected
   * without the joint */
  gradyn_joint_id joint;
  gradyn_friction_law law; /* law for the coefficient of friction */
  /* still: coefficient of friction while sticking; kinetic: while sliding; dimensionless, >= 0; with
   * GRADYN_LUGRE > 0 */
  gradyn_scalar still, kinetic;
  /* slip velocity between sticking and sliding, m/s, > 0; usually 1e-3 to 1e-2 */
  gradyn_scalar transition;
  gradyn_scalar viscous; /* viscous friction, N s/m, >= 0 */
  /* smoothing of magnitudes, N, > 0; choose a small fraction of the loads */
  gradyn_scalar smoothing;
  /* journals: factor of the load, dimensionless, > 0; 0: 1; see GRADYN_PARABOLIC_PRESSURE */
  gradyn_scalar pressure;
  /* revolute and cylindrical joints: radius of the journal, m, > 0 */
  gradyn_scalar radius;
  /* revolute joints in space: radius of the collar, m, > 0; 0: radius */
  gradyn_scalar thrust_radius;
  /* prismatic joints and, in space, journals: distance of the two ends that carry moments, m, >= 0;
   * 0: moments have no effect */
  gradyn_scalar length;
  /* with length: first end minus b's origin along the axis, m; with symmetric ends -length/2 */
  gradyn_scalar offset;
  /* prismatic joints in space: distance of the sides, m, >= 0; 0: the moment about the direction of sliding
   * has no effect */
  gradyn_scalar width;
  /* laws with bristles (GRADYN_LUGRE, GRADYN_GONTHIER): coefficient of friction per deflection, 1/m, > 0 */
  gradyn_scalar stiffness;
  /* laws with bristles: coefficient of friction per rate of deflection, s/m, > 0 */
  gradyn_scalar damping;
  /* GRADYN_GONTHIER only: time constant with which the sticking force grows, s, > 0 */
  gradyn_scalar dwell;
} gradyn_joint_friction_spec;

/* Declares friction in a joint. The spec is copied.
 *
 * Data: name.still, .kinetic, .transition, .viscous, .smoothing and the others that the joint and the law
 * use. First-order states of bristles: name.bristle or name.bristle_x and name.bristle_y, m, 0 at the
 * start; of GRADYN_GONTHIER also name.dwell_state, dimensionless, 1 at the start.
 *
 * Returns its number among the forces. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_force_id gradyn_joint_friction(gradyn_model *model,
                                                 const gradyn_joint_friction_spec *spec);

/* Tyres: wheels with radial compliance and slip. */

/* A tyre in space: a thin disc on a plane of the ground. It has a spring and a damper along its radius,
 * and friction in the plane.
 *
 * Arrays of two have the entry [0] ahead, along the rolling direction, and [1] aside, normal to it. Let v
 * be the velocity of the disc at the contact point and P >= 0 the radial force. Let V^2 be |v|^2 plus the
 * square of the speed of the contact point ahead. Let s be the sine of the angle between axle and normal.
 * The normal force of the ground is N = P/s. For each direction:
 *
 *     relaxation y' + |V| y = v,  eta = y/critical,  T = -friction N eta/(1 + |eta|^4)^(1/4)
 *
 * The slips y are first-order states, and T is the force of the ground. T is linear in y until |eta|, for
 * both directions together, is near 1. The magnitude of T does not exceed friction N. A run in which the
 * wheel lies flat fails with GRADYN_NON_FINITE. */
typedef struct gradyn_tyre_spec {
  const char *name; /* copied, at most 80 characters; NULL: "tyre" */
  /* frame of a body: its origin is the centre of the disc, its axis z the axle */
  gradyn_frame_id wheel;
  /* frame of the ground: the road is its plane of x and y; the wheel is on the side of positive z */
  gradyn_frame_id ground;
  gradyn_scalar radius;    /* radius without load, m, > 0 */
  gradyn_scalar stiffness; /* radial stiffness, N/m, > 0 */
  gradyn_scalar damping;   /* radial damping during compression, N s/m, >= 0 */
  gradyn_scalar rebound;   /* radial damping during rebound, N s/m, >= 0 */
  /* slips at which linear forces would reach the limit, dimensionless, > 0 */
  gradyn_scalar critical[2];
  gradyn_scalar friction[2];   /* coefficients of friction, dimensionless, >= 0 */
  gradyn_scalar relaxation[2]; /* relaxation lengths over which slip builds up, m, > 0 */
  /* load below which the onset of the spring is smoothed, N, > 0; choose a small fraction of the loads */
  gradyn_scalar smoothing;
  /* speed up to which |V|, and the change from damping to rebound, are smoothed, m/s, > 0; choose a small
   * fraction of the speeds */
  gradyn_scalar slow;
} gradyn_tyre_spec;

/* Declares a tyre. The spec is copied.
 *
 * Data: name.radius, .stiffness, .damping, .rebound, .critical_ahead, .critical_aside, .friction_ahead,
 * .friction_aside, .relaxation_ahead, .relaxation_aside, .smoothing, .slow. First-order states:
 * name.slip_ahead, name.slip_aside, dimensionless, 0 at the start.
 *
 * Returns its number among the forces. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_force_id gradyn_tyre(gradyn_model *model, const gradyn_tyre_spec *spec);

/* First-order states of mechanisms, and controllers that act on joint coordinates.
 *
 * Errors of all functions here are reported by gradyn_build_status(). */

/* --- First-order states ----------------------------------------------------------------------- */

/* A state z with z' = f(t, positions, velocities, z, data), for example the memory of a controller.
 *
 * z is the velocity of a coordinate of unit inertia, so a custom force on that coordinate is f. Without a
 * force z is constant. Let i be the index of the state in the list of points of a callback, from 0. Then z is
 * at->vel[axes * i] and z' is at->acc[axes * i]. The integral of z since the start is at->pos[axes * i].
 * Columns: name, name.rate, name.integral. */
typedef struct gradyn_first_order_state_spec {
  /* copied, at most 80 characters; must be given; unique among points and states */
  const char *name;
  const char *unit;      /* unit of z; copied; NULL: dimensionless */
  gradyn_scalar initial; /* z at the start, in that unit */
  double size;           /* typical magnitude of z for tolerances, in that unit, > 0; 0: 1 */
} gradyn_first_order_state_spec;

/* Declares a first-order state. The spec is copied. A point, a body or gravity must be declared before, so
 * that the dimension is known. Data: name.integral, which is 0, and name.initial. Returns its number, for
 * the lists of points of callbacks. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_state_id gradyn_first_order_state(gradyn_model *model,
                                                    const gradyn_first_order_state_spec *spec);

/* --- Controllers ------------------------------------------------------------------------------- */

/* A PID controller. It exerts the torque (N m, on an angle) or force (N, on a distance) u of frame a on frame
 * b of its coordinate. The error is e = target + signal(t) - measured coordinate.
 *
 *     u = kp e + ki z + kd d,  z' = e
 *
 * Without filter, d is minus the rate of the measured coordinate. With filter, d = (e - w)/T and w' = d,
 * which is s/(T s + 1) applied to e. With a limit L, it exerts L tanh(u/L) instead of u; z continues to grow
 * beyond the limit. Gains may have any sign; members that are not used are ignored. */
typedef struct gradyn_pid_spec {
  const char *name;                /* copied, at most 80 characters; NULL: "PID" */
  gradyn_coordinate_id coordinate; /* joint coordinate on which it acts */
  gradyn_coordinate_id measured;   /* measured joint coordinate; 0: the one on which it acts */
  gradyn_scalar kp;                /* proportional gain: unit of u per rad or m */
  gradyn_scalar ki;                /* integral gain: unit of u per rad s or m s */
  gradyn_scalar kd;                /* derivative gain: unit of u per rad/s or m/s */
  gradyn_scalar target;            /* target of the measured coordinate, rad or m */
  gradyn_signal_id signal;         /* additional target, rad or m; 0: none */
  bool filtered;                   /* true: the derivative is filtered */
  gradyn_scalar filter_time;       /* with filtered: time constant T, s, > 0 */
  bool limited;                    /* true: u is limited */
  gradyn_scalar limit;             /* with limited: L, N m or N, > 0 */
  gradyn_scalar initial;           /* z at the start, rad s or m s */
  gradyn_scalar initial_filter;    /* with filtered: w at the start, rad or m */
} gradyn_pid_spec;

/* Declares a PID controller. The spec is copied.
 *
 * Data: name.kp, .ki, .kd, .target and, if used, .filter_time and .limit. First-order states:
 * name.error_integral (z) and, with filter, name.filtered_error (w), with the data of
 * gradyn_first_order_state().
 *
 * Returns its number among the forces. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_force_id gradyn_pid(gradyn_model *model, const gradyn_pid_spec *spec);

/* Largest number of quantities that one state feedback may use. */
#define GRADYN_FEEDBACK_STATES 7

/* A state feedback. It exerts the torque (N m, on an angle) or force (N, on a distance) u of frame a on frame
 * b of its coordinate:
 *
 *     u = offset + signal(t) + sum of gain[i] (target[i] - x_i) - rate_gain[i] x_i'
 *
 * x_i are joint coordinates and first-order states. With a limit L, it exerts L tanh(u/L) instead of u. */
typedef struct gradyn_feedback_spec {
  const char *name;                /* copied, at most 80 characters; NULL: "feedback" */
  gradyn_coordinate_id coordinate; /* joint coordinate on which it acts; need not be among `of` */
  /* [count], joint coordinates and first-order states x_i, each once; copied */
  const gradyn_variable_id *of;
  int count;                 /* 1 to GRADYN_FEEDBACK_STATES */
  const gradyn_scalar *gain; /* [count], unit of u per unit of x_i; must be given; copied */
  /* [count], unit of u per unit of x_i'; must be 0 for first-order states; copied; NULL: all 0 */
  const gradyn_scalar *rate_gain;
  const gradyn_scalar *target; /* [count], targets of x_i, in its unit; copied; NULL: all 0 */
  gradyn_scalar offset;        /* constant torque or force, N m or N */
  gradyn_signal_id signal;     /* additional torque or force, N m or N; 0: none */
  bool limited;                /* true: u is limited */
  gradyn_scalar limit;         /* with limited: L, N m or N, > 0 */
} gradyn_feedback_spec;

/* Declares a state feedback. The spec is copied. Data: name.offset, name.gain[i], name.target[i],
 * name.rate_gain[i] of joint coordinates and, if used, name.limit. Returns its number among the forces.
 * On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_force_id gradyn_feedback(gradyn_model *model, const gradyn_feedback_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
