/* A ball with drag that bounces, by the classical Runge-Kutta method with short steps in complex arithmetic.
 * Newton's method in complex numbers finds the times of impacts, so that these times carry derivatives by
 * complex step, too. */
#ifndef GRADYN_TESTS_REFERENCE_BOUNCING_BALL_H
#define GRADYN_TESTS_REFERENCE_BOUNCING_BALL_H

#include <complex.h>

enum { BALL_PARAMETERS = 4, BALL_RESULTS = 7 }; /* height, gravity, restitution, drag */

/* x, y, vy at the end, integrals of |r|^2 and |v|^2, time and impulse of bounce number `bounce`. */
void bouncing_ball(const double complex p[BALL_PARAMETERS], double t_end, int bounce,
                   double complex result[BALL_RESULTS]);

#endif
