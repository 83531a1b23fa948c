/* Step lengths of pseudo-transient continuation towards an equilibrium. */
#ifndef GRADYN_DAE_PSEUDO_TRANSIENT_H
#define GRADYN_DAE_PSEUDO_TRANSIENT_H

#include <math.h>
#include <stdbool.h>

/* Returns the factor by which 1/h changes for the next step h of the implicit Euler method. ratio: size of
 * the rates relative to the step before; infinite for the first step. done: the rates are nearly zero.
 * While rates grow, steps become shorter. While rates decay, steps become longer and approach those of
 * Newton's method. */
static inline double gradyn_pseudo_transient_factor(double ratio, bool done)
{
  if (done)
    return 0.1;
  return ratio > 1 ? fmin(ratio, 2) : fmax(0.1, fmin(ratio, 0.7));
}

#endif
