/* Rotation of a mechanism as a whole, and of its bodies relative to this rotation, in a motion that
 * continues steadily. */
#ifndef GRADYN_MBS_TURNING_H
#define GRADYN_MBS_TURNING_H

#include "mbs/elements/mechanism.h"

/* Components of a full array x at a point, r [3]; in the plane the third one is 0. */
void mbs_take_vector(const gradyn_mbs *m, const double *x, int point, double r[3]);
/* Whether a point is moving and its coordinates are components of a vector, so that it is no scalar. */
bool mbs_moves(const gradyn_mbs *m, int point);
/* x = sum of e_i x e_i^(order)/2 over the base vectors e_i of a body at q. `rate` has their rates of order
 * 1 or 2: x is omega or omega'. */
void mbs_find_turn(const gradyn_mbs *m, const mbs_body *body, const double *q, const double *rate,
                   double x[3]);
/* Angular velocity omega [3], rad/s, of the mechanism for guess number `which`; returns false if there is
 * no such guess. Guess 0 always exists; omega is 0 if nothing turns. */
bool mbs_find_turning(const gradyn_mbs *m, const gradyn_mech_state *at, int which, double omega[3]);

#endif
