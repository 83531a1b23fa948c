/* Explicit Runge-Kutta methods of order 8 and 5 as schemes of a one-step method. */
#ifndef GRADYN_DAE_EXPLICIT_H
#define GRADYN_DAE_EXPLICIT_H

#include "dae/onestep/onestep.h"

/* Tolerance of a step relative to that of the run. Errors of steps add up and grow until the end; errors of
 * derivatives are two orders of magnitude larger in the tests. At order 8, a hundredth costs 1.8 times the
 * steps. */
#define GRADYN_EXPLICIT_SHARE 0.01

extern const gradyn_onestep_scheme gradyn_explicit_scheme;

/* Returns the method of order 8 or 5; 0: the default, order 8. NULL: no such method. */
const gradyn_tableau *gradyn_tableau_find(int order);

/* Returns the row [i] of stage i, from 1, in t->a; stages are counted from 0. */
static inline const double *gradyn_tableau_row(const gradyn_tableau *t, int i)
{
  return t->a + i * (i - 1) / 2;
}

#endif
