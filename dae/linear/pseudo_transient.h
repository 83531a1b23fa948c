/* Step lengths of pseudo-transient continuation towards an equilibrium. */
#ifndef GRADYN_DAE_PSEUDO_TRANSIENT_H
#define GRADYN_DAE_PSEUDO_TRANSIENT_H

#include <math.h>
#include <stdbool.h>

/* Returns the factor of 1/h for the next step h of the implicit Euler method. ratio: the remaining rate
 * relative to that of the step before; infinite for the first step. While rates grow, as in a fall, steps
 * become shorter; while rates decay, steps become longer until they are Newton's. done: the rates are nearly
 * zero. */
static inline double gradyn_settle_by(double ratio, bool done)
{
  if (done)
    return 0.1;
  return ratio > 1 ? fmin(ratio, 2) : fmax(0.1, fmin(ratio, 0.7));
}

#endif
