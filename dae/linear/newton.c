/* Newton's method for the step of a scheme: what to make of a correction d_k.
 *
 * With a matrix that is kept, corrections contract linearly, |d_k+1| ~ rate |d_k| with
 * rate = |d_k|/|d_k-1|, or at most a bound that is known before; with an exact one faster than that. */
#include "dae/linear/newton.h"

#include <math.h>

/* A correction of this many sizes of the mechanism leads to no assembly of it. */
static const double beyond = 1e3;
/* Slower than this, a matrix of the present place costs less than the iterations it saves. */
static const double slow = 0.05;
/* Faster than this, the rate foretells the next correction. */
static const double quick = 0.1;
/* Corrections that no longer contract, and are this small over the size, are what rounding leaves. */
static const double stalled = 0.3, rounding = 1e-13;
/* Behind a correction this small over the size, a matrix that was exact contracts at least so much, though
 * what is seen of the next one is rounding. */
static const double near = 1e-10, contracted = 1e-6;
/* Above this much of the size there is something left that a fresh matrix can gain. */
static const double worthwhile = 1e-12;

gradyn_newton_verdict gradyn_newton_judge(gradyn_newton *s, double step)
{
  const double known = s->rate > 0 && s->count == 0 ? s->rate : 1;
  const double rate = s->count > 0 && s->last > 0 ? step / s->last : known;
  const bool close = s->exact && s->count > 0 && s->last <= near * s->size;
  const double next = (close ? fmin(rate, contracted) : rate) * step;
  const int count = s->count++;
  s->last = step;
  /* NaN or infinite, or further than the mechanism is large */
  if (!isfinite(step) || step > beyond * s->size)
    return GRADYN_NEWTON_DIVERGED;
  /* nothing moves; the next would not; or round-off has been reached */
  if (step <= s->nothing || (rate < quick && next <= s->enough) ||
      (rate > stalled && count > 2 && step <= rounding * s->size))
    return GRADYN_NEWTON_CONVERGED;
  return count > 0 && rate > slow && step > worthwhile * s->size ? GRADYN_NEWTON_REFRESH
                                                                 : GRADYN_NEWTON_CONTINUE;
}

const char *gradyn_newton_worst(gradyn_mech *mech, const gradyn_mech_state *at, double *work,
                                double *off)
{
  int worst = 0;
  *off = 0;
  if (mech->m == 0)
    return "none";
  /* as far as the constraints can be evaluated there */
  if (mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, at, work) == GRADYN_OK)
    for (int i = 1; i < mech->m; i++)
      if (fabs(work[i]) > fabs(work[worst]))
        worst = i;
  *off = work[worst];
  return mech->constraint_name(mech, worst);
}
