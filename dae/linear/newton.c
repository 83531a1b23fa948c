/* Newton's method for the step of a scheme: the decision after a correction d_k.
 *
 * With a constant matrix, corrections contract linearly, |d_k+1| ~ rate |d_k|. The rate is |d_k|/|d_k-1|,
 * or at most a known bound. With the exact matrix they contract faster. */
#include "dae/linear/newton.h"

#include <math.h>

/* A correction of this many sizes of the mechanism cannot lead to a solution. */
static const double beyond = 1e3;
/* At a slower rate, a new matrix costs less than the iterations it saves. */
static const double slow = 0.05;
/* At a faster rate, the rate predicts the next correction. */
static const double quick = 0.1;
/* Corrections that no longer contract and are this small relative to the size are round-off. */
static const double stalled = 0.3, rounding = 1e-13;
/* After a correction this small relative to the size, an exact matrix contracts at least by `contracted`,
 * even if the measured correction is round-off. */
static const double near = 1e-10, contracted = 1e-6;
/* Above this part of the size, a new matrix can still improve the result. */
static const double worthwhile = 1e-12;

gradyn_newton_verdict gradyn_newton_judge(gradyn_newton *s, double step)
{
  const double known = s->rate > 0 && s->count == 0 ? s->rate : 1;
  const double rate = s->count > 0 && s->last > 0 ? step / s->last : known;
  const bool close = s->exact && s->count > 0 && s->last <= near * s->size;
  const double next = (close ? fmin(rate, contracted) : rate) * step;
  const int count = s->count++;
  s->last = step;
  /* NaN, infinite, or much larger than the mechanism */
  if (!isfinite(step) || step > beyond * s->size)
    return GRADYN_NEWTON_DIVERGED;
  /* the correction is zero; the next one would be; or round-off is reached */
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
