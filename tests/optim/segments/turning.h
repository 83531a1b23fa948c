/* Mechanisms that turn by more than a quarter: the angle is an integral. */
#ifndef GRADYN_TESTS_OPTIM_TURNING_H
#define GRADYN_TESTS_OPTIM_TURNING_H

#include <gradyn/problem.h>

/* pole_problem of two points and a rod. */
extern const gradyn_problem turning_pole;

/* The cart on a track from -0.05 m to 1.05 m, a path constraint. */
extern const gradyn_problem turning_pole_on_short_track;

/* A mass on an arm, half a metre from its pin, by a torque that is linear between 11 knots: from rest ten
 * times round to rest in two seconds. The least integral of the squared torque is 12 J^2 angle^2 / T^3. */
extern const gradyn_problem turning_crank;

#endif
