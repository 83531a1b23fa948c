/* Tyres: wheels that give way and slip. */
#ifndef GRADYN_TYRE_H
#define GRADYN_TYRE_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A tyre: a thin disc that stands on a plane of the ground with a spring and a damper along its radius and
 * is held there by friction. Pairs are along the way it rolls, ahead, and across that, aside. With the
 * velocity v of the disc where it meets the plane, the speed V of that place, the radial force P >= 0 and
 * the sine s of the angle between axle and normal, N = P/s is the force of the ground along its normal, and
 *   relaxation y' + |V| y = v,   eta = y/critical,   T = -friction N eta/(1 + |eta|^4)^(1/4)
 * are its slips and the forces ahead and aside: linear until eta is near 1, and never above friction N. */
typedef struct gradyn_tyre_spec {
  const char *name;
  gradyn_frame_id wheel; /* of a body: its origin is the centre, its axis z the axle */
  gradyn_frame_id
      ground; /* of the ground: the plane is that of x and y, the wheel is where z points */
  gradyn_scalar radius;        /* m, > 0, where it bears nothing */
  gradyn_scalar stiffness;     /* N/m, > 0, along the radius */
  gradyn_scalar damping;       /* N s/m, >= 0, while it is being pressed in */
  gradyn_scalar rebound;       /* N s/m, >= 0, while it springs back */
  gradyn_scalar critical[2];   /* slips, > 0, at which linear forces would reach the limit */
  gradyn_scalar friction[2];   /* coefficients of friction, >= 0 */
  gradyn_scalar relaxation[2]; /* m, > 0: the way on which slips come about */
  gradyn_scalar smoothing; /* N, > 0, a small part of the loads: up to there the spring sets in */
  gradyn_scalar slow;      /* m/s, > 0, a small part of the speeds: up to there |V| is smooth */
} gradyn_tyre_spec;

/* Returns its number among the forces. Data: name.radius, .stiffness, .damping, .rebound, .critical_ahead,
 * .critical_aside, .friction_ahead, .., .relaxation_ahead, .., .smoothing, .slow; first-order states:
 * name.slip_ahead and name.slip_aside, 0 at the start. */
GRADYN_API gradyn_force_id gradyn_tyre(gradyn_model *model, const gradyn_tyre_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
