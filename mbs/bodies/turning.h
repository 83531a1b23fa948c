/* How a mechanism may turn as a whole, and its bodies by themselves besides, in a motion that goes on as it
 * is. */
#ifndef GRADYN_MBS_TURNING_H
#define GRADYN_MBS_TURNING_H

#include "mbs/elements/mechanism.h"

/* Three components of an array at a point; of the plane, the last is zero. */
void mbs_take_vector(const gradyn_mbs *m, const double *x, int point, double r[3]);
/* Whether a point's coordinates are components of a vector of the motion. */
bool mbs_moves(const gradyn_mbs *m, int point);
/* x = sum of e_i x e_i^(order)/2 over the base vectors of a body at q, with rates of that order: omega, or
 * omega'. */
void mbs_find_turn(const gradyn_mbs *m, const mbs_body *body, const double *q, const double *rate,
                   double x[3]);
/* Omega of a guess; false: there is no such guess. */
bool mbs_find_turning(const gradyn_mbs *m, const gradyn_mech_state *at, int which, double omega[3]);

#endif
