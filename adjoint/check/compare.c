/* Compares derivatives with differences: distinguishes errors from kinks, and bounds the accuracy of the
 * differences. */
#include "adjoint/check/check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Largest distance of a one-sided derivative from the central difference at a kink, relative to the
 * difference of both one-sided derivatives. The central difference is in the middle, so the exact value is
 * 0.5. */
static const double half = 0.6;

void gradyn_worst_compare(gradyn_worst *w, double exact, double other, double scale,
                          double uncertainty, const char *where)
{
  double difference = fabs(exact - other), least = w->least > 0 ? w->least : w->tolerance;
  /* requested tolerance; the uncertainty of the differences increases it */
  w->least = least;
  w->present = w->present || exact != 0 || other != 0;
  if (difference == 0)
    return;
  /* both are zero within the uncertainty */
  bool zero = fmax(fabs(exact), fabs(other)) <= uncertainty && uncertainty <= scale;
  scale = zero ? fmax(scale, uncertainty / GRADYN_CHECK_WIDEST) : scale;
  double error = isfinite(difference) && scale > 0 ? difference / scale : HUGE_VAL;
  double wide = scale > 0 ? fmin(GRADYN_CHECK_WIDEST, uncertainty / scale) : 0;
  double tolerance = fmax(least, wide);
  /* keep the largest error relative to its tolerance */
  if (error / tolerance <= w->ratio)
    return;
  w->ratio = error / tolerance;
  w->error = error;
  w->tolerance = tolerance;
  snprintf(w->where, sizeof w->where, "%s", where);
}

void gradyn_worst_leave_out(gradyn_worst *w, const char *reason)
{
  w->skipped++;
  w->reason = w->reason ? w->reason : reason;
}

double gradyn_check_value(const gradyn_differences *d, int i)
{
  return fmax(fabs(d->value[i]), d->noise[i] / (2 * DBL_EPSILON));
}

void gradyn_worst_differences(gradyn_worst *w, const gradyn_differences *d, int i, double exact,
                              double scale, double uncertainty, const char *where)
{
  const double apart = fabs(exact - d->slope[i]), least = w->least > 0 ? w->least : w->tolerance;
  const double widest = GRADYN_CHECK_WIDEST * scale;
  /* one-sided derivatives that agree within the uncertainty are no kink */
  const bool kink = d->kink[i] && d->gap[i] > fmin(uncertainty, widest);
  /* differences whose uncertainty exceeds the deviation allow no conclusion, for example at a jump */
  if (!kink && apart > widest && apart <= uncertainty) {
    gradyn_worst_leave_out(w, "differences too uncertain");
    return;
  }
  /* a value between the one-sided derivatives is neither confirmed nor refuted; one outside is wrong */
  if (!kink || !(apart <= half * d->gap[i]) || apart <= least * scale) {
    gradyn_worst_compare(w, exact, d->slope[i], scale, uncertainty, where);
    return;
  }
  w->present = true;
  if (apart / scale <= w->kink)
    return;
  w->kink = apart / scale;
  snprintf(w->kink_at, sizeof w->kink_at, "%s", where);
}

/* --- convergence ------------------------------------------------------------------------------ */

/* Two differences refute a number if both their distance from each other and their uncertainty are at most
 * this share of their distance from the number. */
static const double clearly = 0.5;

static const char *const no_limit = "cannot be compared here: differences do not converge";

/* Returns whether the differences refute a number. */
static bool contradicts(const gradyn_worst *w, const gradyn_differences *d, int i,
                        const gradyn_compared *c)
{
  gradyn_worst one = {.tolerance = w->tolerance, .least = w->least};
  gradyn_worst_differences(&one, d, i, c->exact, c->scale, c->uncertainty, "");
  return one.ratio > 1;
}

void gradyn_worst_accept(gradyn_worst *w, double exact, const char *where, gradyn_suspect *s)
{
  gradyn_worst_compare(w, exact, s->slope, s->scale, s->uncertainty, where);
  s->is = false;
}

bool gradyn_worst_confirm(gradyn_worst *w, const gradyn_differences *d, int i,
                          const gradyn_compared *number, bool shorter, gradyn_suspect *s)
{
  const gradyn_suspect before = *s;
  const double near = clearly * fabs(number->exact - before.slope);
  gradyn_compared c = *number;
  if (before.is && !(c.uncertainty < near)) { /* round-off */
    gradyn_worst_accept(w, c.exact, c.where, s);
    return false;
  }
  c.scale = before.is ? fmin(c.scale, before.scale) : c.scale;
  *s = (gradyn_suspect){contradicts(w, d, i, &c), d->slope[i], c.scale, c.uncertainty};
  const bool settled = before.is && fabs(s->slope - before.slope) <= near;
  if (!s->is || settled)
    gradyn_worst_differences(w, d, i, c.exact, c.scale, c.uncertainty, c.where);
  else if (shorter)
    return true;
  else
    gradyn_worst_leave_out(w, no_limit);
  s->is = false;
  return false;
}
