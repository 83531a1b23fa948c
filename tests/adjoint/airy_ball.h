/* A ball in air on a rubber band, above a floor that swings: general equations whose first state, the drag,
 * is algebraic. Another state, the density of the air, has no rate; events reduce it. */
#ifndef GRADYN_TESTS_ADJOINT_AIRY_BALL_H
#define GRADYN_TESTS_ADJOINT_AIRY_BALL_H

#include <gradyn/gradyn.h>

enum { AIRY_DRAG, AIRY_HEIGHT, AIRY_AIR, AIRY_SPEED }; /* states */

/* The datum is the band's stiffness over the mass. */
gradyn_status airy_ball_rates(const gradyn_at *at, gradyn_scalar F[]);

/* Above the floor, which swings by the datum; the drag above minus the datum. */
gradyn_status airy_ball_gap(const gradyn_at *at, gradyn_scalar *value);
gradyn_status airy_ball_rush(const gradyn_at *at, gradyn_scalar *value);

/* v+ = -e v/(1 - v/100) + y/10, air+ = (0.9 + 0.1 sin t) air; e is the datum. */
gradyn_status airy_ball_rebound(const gradyn_at *at, gradyn_scalar value[]);

/* A functional of all states but one, and of time. */
gradyn_status airy_ball_mixture(const gradyn_at *at, gradyn_scalar *value);

#endif
