/* The classical Runge-Kutta method, which continues a motion from a recorded state over a part of a step. */
#ifndef GRADYN_DAE_CLASSICAL_H
#define GRADYN_DAE_CLASSICAL_H

#include <stddef.h>

#include <gradyn/gradyn.h>

/* Evaluates the rates [n] of the state z [n] at time t. */
typedef gradyn_status (*gradyn_classical_fn)(void *self, double t, const double *z, double *rate);

/* Integrates z [n] from one time to another, s, in four equal steps, in place; work [3 n]: overwritten.
 * self: first argument of rates(). Returns its first failure; z is then an intermediate state. */
gradyn_status gradyn_classical_follow(gradyn_classical_fn rates, void *self, size_t n, double from,
                                      double to, double *z, double *work);

#endif
