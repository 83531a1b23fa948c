/* Rotation of a mechanism as a whole, and of its bodies relative to this rotation, in a motion that
 * continues steadily. */
#ifndef GRADYN_MBS_TURNING_H
#define GRADYN_MBS_TURNING_H

#include "mbs/elements/mechanism.h"

/* Copies the components of x, a full array or [n], at the point with an index to r [3]; in the plane the
 * third one is 0. Not for scalars. */
void mbs_take_vector(const gradyn_mbs *m, const double *x, int point, double r[3]);

/* Returns whether the point with an index, from 0, is a moving point, and not a scalar. */
bool mbs_moves(const gradyn_mbs *m, int point);

/* Sets x to the angular velocity of a body, 1/2 sum of e_i x e_i' over its base vectors e_i, rad/s, along
 * axes of the ground. q [n] or full has e_i, and `rate` their rates e_i'. With second derivatives in
 * `rate`, x is the angular acceleration, rad/s^2. */
void mbs_find_turn(const gradyn_mbs *m, const mbs_body *body, const double *q, const double *rate,
                   double x[3]);

/* Sets omega, rad/s, along axes of the ground, to the angular velocity with which the mechanism turns as a
 * whole at a state. The state has q, v, a; which: number of the guess. Guess 0 always exists, with omega =
 * 0 if nothing turns; guess 1 exists for some states. Returns whether the guess exists. */
bool mbs_find_turning(const gradyn_mbs *m, const gradyn_mech_state *at, int which, double omega[3]);

#endif
