/* How the steps of a motion that is to come to rest become longer. */
#ifndef GRADYN_DAE_PSEUDO_TRANSIENT_H
#define GRADYN_DAE_PSEUDO_TRANSIENT_H

#include <math.h>
#include <stdbool.h>

/* By what 1/h is multiplied for the next step h of Euler's implicit method, from the rate that is left over
 * the one before (infinite: there was none): what grows, as a fall does, is followed; what dies away is left
 * to longer and longer steps, until they are Newton's. done: next to nothing is left. */
static inline double gradyn_settle_by(double ratio, bool done)
{
  if (done)
    return 0.1;
  return ratio > 1 ? fmin(ratio, 2) : fmax(0.1, fmin(ratio, 0.7));
}

#endif
