/* The classical Runge-Kutta method, for what follows a motion from one of its rows over a part of a step. */
#ifndef GRADYN_DAE_CLASSICAL_H
#define GRADYN_DAE_CLASSICAL_H

#include <stddef.h>

#include <gradyn/gradyn.h>

/* Rates [n] at time t and the place z [n]. */
typedef gradyn_status (*gradyn_classical_fn)(void *self, double t, const double *z, double *rate);

/* Carries z [n] from a time over four steps to another; work [3 n]. What rates() fails with is returned, and
 * z is then somewhere between. */
gradyn_status gradyn_classical_follow(gradyn_classical_fn rates, void *self, size_t n, double from,
                                      double to, double *z, double *work);

#endif
