/* Friction in joints, from the forces that the joints carry. */
#ifndef GRADYN_FRICTION_H
#define GRADYN_FRICTION_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Laws for the coefficient of friction against the slip velocity v. */
typedef enum gradyn_friction_law {
  /* Brown and McPhee (2016): kinetic tanh(4 s) + (still - kinetic) s/(s^2/4 + 3/4)^2, s = v/transition.
   * Smooth: what "sticks" creeps at a part of the transition velocity. */
  GRADYN_BROWN_MCPHEE,
  /* With first-order states, the deflections z of bristles, where what sticks does not creep. The law by
   * Canudas de Wit et al. (1995), whose damping fades with exp(-(v/transition)^2), and that by Gonthier et
   * al. (2004), where the force that sticking bears grows with the time at rest and which has kinks. */
  GRADYN_LUGRE,
  GRADYN_GONTHIER
} gradyn_friction_law;

/* pi^3/24: the ratio of what a cosine-like pressure on half a journal adds up to and the force it bears. */
#define GRADYN_PARABOLIC_PRESSURE 1.2919281950124925

/* Friction in a joint. It resists slip with coefficient times normal force (+ viscous v), the normal force
 * following from the multipliers of the joint:
 *   revolute     a journal of `radius` and, in space, a collar that bears the thrust along the axis
 *   cylindrical  the same journal, turning and sliding: the slip is a vector
 *   prismatic    a slider that bears forces at its two ends and, in space, moments about its axis at its
 *                sides
 *   planar, point-on-plane   a flat contact: the slip is a vector
 *   point-on-line            a runner
 * In the plane: revolute, prismatic, point-on-line. Absolute values of forces F are sqrt(F^2 + smoothing^2).
 * In space b cannot be a bar, unless the contact is flat. Not with the method `variational`. */
typedef struct gradyn_joint_friction_spec {
  const char *name;
  gradyn_joint_id joint;
  gradyn_friction_law law;
  gradyn_scalar still, kinetic; /* coefficients of friction, >= 0 */
  gradyn_scalar transition;     /* m/s, > 0: 1e-3 to 1e-2 are usual */
  gradyn_scalar viscous;        /* N s/m, >= 0, of the slip */
  gradyn_scalar smoothing;      /* N, > 0: a small part of the loads */
  gradyn_scalar pressure;       /* factor of journals' loads; 0: 1 */
  gradyn_scalar radius;         /* of revolute and cylindrical joints, m, > 0 */
  gradyn_scalar thrust_radius;  /* of revolute joints in space, m; 0: radius */
  gradyn_scalar length;         /* m, between the ends that bear moments; 0: none are borne */
  gradyn_scalar
      offset; /* m, of the first end from b's origin along the axis; for both ends alike: -length/2 */
  gradyn_scalar width; /* of prismatic joints in space, m, between their sides; 0: no such moment */
  gradyn_scalar stiffness; /* of bristles, coefficient per deflection, 1/m, > 0 */
  gradyn_scalar damping;   /* of bristles, coefficient per rate, s/m, > 0 */
  gradyn_scalar dwell;     /* Gonthier's: time constant of growing adhesion, s, > 0 */
} gradyn_joint_friction_spec;

/* Adds it; the spec is copied. Data: name.still, .kinetic, .transition, .viscous, .smoothing and those of
 * the others that the joint and the law use; bristles are the states name.bristle (.bristle_x, .bristle_y)
 * and Gonthier's name.dwell_state. Returns its number among the forces. */
GRADYN_API gradyn_force_id gradyn_joint_friction(gradyn_model *model,
                                                 const gradyn_joint_friction_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
