/* Tyres: wheels with radial compliance and slip. */
#ifndef GRADYN_TYRE_H
#define GRADYN_TYRE_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

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
 * both directions together, is near 1. The magnitude of T does not exceed friction N. */
typedef struct gradyn_tyre_spec {
  const char *name; /* copied, at most 80 characters; NULL: "tyre" */
  /* frame of a body: its origin is the centre of the disc, its axis z the axle */
  gradyn_frame_id wheel;
  /* frame of the ground: the plane is that of x and y; the wheel is on the side of positive z */
  gradyn_frame_id ground;
  gradyn_scalar radius;    /* radius without load, m, > 0 */
  gradyn_scalar stiffness; /* radial stiffness, N/m, > 0 */
  gradyn_scalar damping;   /* radial damping during compression, N s/m, >= 0 */
  gradyn_scalar rebound;   /* radial damping during rebound, N s/m, >= 0 */
  /* slips at which linear forces would reach the limit, dimensionless, > 0 */
  gradyn_scalar critical[2];
  gradyn_scalar friction[2];   /* coefficients of friction, dimensionless, >= 0 */
  gradyn_scalar relaxation[2]; /* relaxation lengths over which slip builds up, m, > 0 */
  /* load up to which the spring sets in, N, > 0; choose a small fraction of the loads */
  gradyn_scalar smoothing;
  /* speed up to which |V| is smoothed, m/s, > 0; choose a small fraction of the speeds */
  gradyn_scalar slow;
} gradyn_tyre_spec;

/* Declares a tyre. The spec is copied.
 *
 * Data: name.radius, .stiffness, .damping, .rebound, .critical_ahead, .critical_aside, .friction_ahead,
 * .friction_aside, .relaxation_ahead, .relaxation_aside, .smoothing, .slow. First-order states:
 * name.slip_ahead, name.slip_aside, dimensionless, 0 at the start.
 *
 * Returns its number among the forces. On failure gradyn_build_status() reports the error, and the number
 * returned has no meaning. */
GRADYN_API gradyn_force_id gradyn_tyre(gradyn_model *model, const gradyn_tyre_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
