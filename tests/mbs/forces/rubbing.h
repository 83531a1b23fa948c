/* A body on one joint of a kind with friction in it, in the plane or in space. */
#ifndef GRADYN_TESTS_MBS_RUBBING_H
#define GRADYN_TESTS_MBS_RUBBING_H

#include <gradyn/gradyn.h>

enum { RUBBING_KINDS = 9 };

/* A kind of joint, and what of it bears. */
typedef struct rubbing_kind {
  gradyn_joint_kind kind;
  int dim;
  bool journal, collar, ends, sides;
} rubbing_kind;

extern const rubbing_kind rubbing_kinds[RUBBING_KINDS];

/* Numbers of the friction as in its specification, and velocities of its slips at the start. */
typedef struct rubbing_numbers {
  double still, kinetic, viscous, smoothing, pressure, radius, thrust_radius, length, offset, width;
  double stiffness, damping, dwell;
  double turn, slide[2]; /* rad/s, m/s */
} rubbing_numbers;

extern const rubbing_numbers rubbing;

/* The model that the build functions declare, since they have no further arguments; transition in m/s. */
void rubbing_choose(const rubbing_kind *kind, gradyn_friction_law law, double transition);

/* On the ground, with columns P (power), E (effort on the first coordinate), F.x .. T.z (what the joint
 * carries). */
gradyn_status rubbing_build(gradyn_model *model, const gradyn_scalar rho[]);

/* On a body that moves freely, with the integrals of power and effort; lengths and the smoothing of loads
 * are ten times as large, so that differences of any step serve. */
gradyn_status rubbing_carried(gradyn_model *model, const gradyn_scalar rho[]);

#endif
