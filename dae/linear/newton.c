/* Newton's method for the step of a scheme: the decision after each correction d_k.
 *
 * With a constant matrix, corrections decrease linearly, |d_k+1| ~ rate |d_k|. The rate is |d_k|/|d_k-1|,
 * or at most a known bound. With the exact matrix they decrease faster. */
#include "dae/linear/newton.h"

#include <math.h>

/* A correction larger than this number of sizes of the mechanism counts as divergence. */
static const double beyond = 1e3;
/* If the rate is larger, a new matrix costs less than the iterations that it saves. */
static const double slow = 0.05;
/* If the rate is smaller, it predicts the next correction. */
static const double quick = 0.1;
/* If the rate exceeds `stalled`, corrections below `rounding` times the size are round-off. */
static const double stalled = 0.3, rounding = 1e-13;
/* After a correction below `near` times the size, an exact matrix reduces the next one at least by
 * `contracted`, even if the measured next correction is round-off. */
static const double near = 1e-10, contracted = 1e-6;
/* If the correction is above this part of the size, a new matrix can still improve the result. */
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
  /* the correction is zero, or the next one is negligible, or round-off is reached */
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
  /* if the constraints can be evaluated at this position */
  if (mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, at, work) == GRADYN_OK)
    for (int i = 1; i < mech->m; i++)
      if (fabs(work[i]) > fabs(work[worst]))
        worst = i;
  *off = work[worst];
  return mech->constraint_name(mech, worst);
}
