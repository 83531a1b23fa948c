/* Explicit Runge-Kutta methods of order 8 and 5 as schemes of a one-step method. */
#ifndef GRADYN_DAE_EXPLICIT_H
#define GRADYN_DAE_EXPLICIT_H

#include "dae/onestep/onestep.h"

/* Tolerances of a step over those asked of the run: errors of steps add up and grow on their way to the
 * end, those of derivatives by two further orders of magnitude in the tests. At order 8 a hundredth
 * costs 1.8 times the steps. */
#define GRADYN_EXPLICIT_SHARE 0.01

extern const gradyn_onestep_scheme gradyn_explicit_scheme;

/* The method of an order, 8 or 5; NULL: there is none. */
const gradyn_tableau *gradyn_tableau_find(int order);

/* Row of stage i (from 0) in a. */
static inline const double *gradyn_tableau_row(const gradyn_tableau *t, int i)
{
  return t->a + i * (i - 1) / 2;
}

#endif
