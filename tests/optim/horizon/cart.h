/* A cart with a pole that a force balances, for receding-horizon control. */
#ifndef GRADYN_TESTS_OPTIM_HORIZON_CART_H
#define GRADYN_TESTS_OPTIM_HORIZON_CART_H

#include <gradyn/problem.h>

enum { CART_KNOTS = 20, CART_STATES = 4 };

/* Two seconds in 20 intervals of constant force, at most 40 N. Minimised: the integral of 10 x^2 + 0.1 v^2 +
 * 100 angle^2 + 0.1 omega^2 + 0.01 u^2, plus 10 x^2 + v^2 + 100 angle^2 + omega^2 at the end. It begins at
 * x = 0.5 m, with the pole at 0.6 rad from the upright position. Parameter CART_KNOTS is the initial x,
 * within -3 m and 3 m, CART_KNOTS + 1 a goal of x. The least cost is 14.33417 with a Runge-Kutta method in 4
 * steps an interval. */
extern const gradyn_problem cart_problem;

/* The same on a track, x at most 0.6 m. */
extern const gradyn_problem cart_problem_on_track;

/* The same as the first, but the force is linear between CART_KNOTS knots. */
extern const gradyn_problem cart_problem_in_lines;

/* Fills the state after an interval with the force u, by Runge and Kutta's method in `steps` steps. */
void cart_moves(const double state[CART_STATES], double u, int steps, double out[CART_STATES]);

/* The same after `time` seconds; out may be `state`. */
void cart_moves_for(double time, const double state[CART_STATES], double u, int steps,
                    double out[CART_STATES]);

#endif
