/* Friction in joints, with normal forces from the multipliers of the joints: Verulkar et al. (2023). */
#ifndef GRADYN_FRICTION_H
#define GRADYN_FRICTION_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Sum of the pressures on half a journal over the force that it carries, for a cosine-like pressure:
 * pi^3/24, dimensionless. */
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
 * In space, the frame of a rod can be b of planar, point-on-plane and point-on-line joints only. The
 * method variational refuses joint friction. Numbers that the joint and the law do not use must be 0,
 * except pressure and thrust_radius. */
typedef struct gradyn_joint_friction_spec {
  const char *name; /* copied, at most 80 characters; NULL: "friction" */
  /* joint with friction; its origins must not be rigidly connected without it */
  gradyn_joint_id joint;
  gradyn_friction_law law; /* law for the coefficient of friction */
  /* coefficients of friction, sticking and sliding, dimensionless, >= 0 */
  gradyn_scalar still, kinetic;
  /* slip velocity between sticking and sliding, m/s, > 0; usually 1e-3 to 1e-2 */
  gradyn_scalar transition;
  gradyn_scalar viscous; /* viscous friction, N s/m, >= 0 */
  /* smoothing of magnitudes, N, > 0; choose a small fraction of the loads */
  gradyn_scalar smoothing;
  /* of journals: factor of the load, dimensionless, > 0; 0: 1; see GRADYN_PARABOLIC_PRESSURE */
  gradyn_scalar pressure;
  /* of revolute and cylindrical joints: radius of the journal, m, > 0 */
  gradyn_scalar radius;
  /* of revolute joints in space: radius of the collar, m, > 0; 0: radius */
  gradyn_scalar thrust_radius;
  /* distance of the two ends that carry moments, m, >= 0; 0: moments have no effect */
  gradyn_scalar length;
  /* first end minus b's origin along the axis, m; with symmetric ends -length/2 */
  gradyn_scalar offset;
  /* of prismatic joints in space: distance of the sides, m, >= 0; 0: no effect of that moment */
  gradyn_scalar width;
  /* of bristles: coefficient of friction per deflection, 1/m, > 0 */
  gradyn_scalar stiffness;
  /* of bristles: coefficient of friction per rate of deflection, s/m, > 0 */
  gradyn_scalar damping;
  /* of GRADYN_GONTHIER: time constant of the growing sticking force, s, > 0 */
  gradyn_scalar dwell;
} gradyn_joint_friction_spec;

/* Declares friction in a joint. The spec is copied.
 *
 * Data: name.still, .kinetic, .transition, .viscous, .smoothing and the others that the joint and the law
 * use. First-order states of bristles: name.bristle or name.bristle_x and name.bristle_y, m; of
 * GRADYN_GONTHIER also name.dwell_state, dimensionless.
 *
 * Returns its number among the forces. On failure gradyn_build_status() reports the error, and the number
 * returned has no meaning. */
GRADYN_API gradyn_force_id gradyn_joint_friction(gradyn_model *model,
                                                 const gradyn_joint_friction_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
