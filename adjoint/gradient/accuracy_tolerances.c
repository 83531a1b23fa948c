/* Gradients of methods whose adjoint is that of the continuous equations, and the values with them, as exact
 * as asked for: by runs with tighter tolerances. The difference of two runs is the error of the first: with a
 * tenth of the tolerances 0.8 to 1.9 times the true one on five shipped problems at three tolerances. Values
 * count besides, since their errors may be such as no parameter shows. */
#include "adjoint/gradient/accuracy.h"

#include <math.h>
#include <string.h>

enum { MOST_TIGHTENED = 4, SOME_STEPS = 100 };

/* Of the tolerances, for the first run to compare with; and what tolerances are tightened to. Below that runs
 * crawl more often than they gain. */
static const double tenth = 0.1, least_rtol = 1e-12;

/* Errors of idas with a tenth of the tolerances are a sixth in the median. */
static const double usual_power = 0.8;

/* The power of tolerances by which errors fall, from two runs whose tolerances have this ratio. */
static double power_of(double before, double now, double ratio)
{
  const double power = log(now / before) / log(ratio);
  return isfinite(power) ? fmin(usual_power, fmax(power, 0)) : usual_power;
}

/* The gradient with a part of the tolerances, a ratio of those before. What takes many more steps than a
 * decade of tolerances does is on its way to the round-off of the equations. */
static gradyn_status rerun(gradyn_accuracy *a, double part, double ratio)
{
  gradyn_evaluator *ev = a->ev;
  const gradyn_statistics cost = ev->cost;
  const long steps = cost.steps > cost.steps_backward ? cost.steps : cost.steps_backward;
  ev->method->tighten(ev->run, part);
  ev->method->limit(ev->run, (long)((1 - 2 * log10(ratio)) * (double)(steps + SOME_STEPS)));
  const gradyn_status status = a->once(ev, a->other_psi, a->other);
  ev->method->limit(ev->run, 0);
  return status;
}

/* Compares with runs of tighter tolerances, each of which is the best one from then on. */
gradyn_status gradyn_accuracy_tighten(gradyn_accuracy *a, double *error)
{
  gradyn_evaluator *ev = a->ev;
  const double least = least_rtol / ev->options.rtol;
  double part = 1, ratio = tenth, last = tenth, before = 0, power = usual_power;
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < MOST_TIGHTENED && (k == 0 || part * ratio >= least); k++) {
    status = rerun(a, part * ratio, ratio);
    if (status == GRADYN_STEP_LIMIT ||
        (status != GRADYN_OK && gradyn_status_classify(status) != GRADYN_CLASS_RECOVERABLE))
      break;
    if (status != GRADYN_OK) { /* tighter than the equations allow: half the way */
      ratio = sqrt(ratio);
      continue;
    }
    /* what the best one errs by, and the power by which errors have fallen to that */
    gradyn_accuracy_keep_spread(a);
    const double values = gradyn_accuracy_of_values(a);
    const double apart = fmax(gradyn_accuracy_difference(a, 1), values);
    const bool first = before == 0;
    power = first ? power : power_of(before, apart, last);
    if (first && apart <= a->rtol) { /* the first will do: so it would without the comparison */
      *error = gradyn_accuracy_difference(a, 1);
      break;
    }
    /* orders of a multistep method come and go: half of that is believed, no more than a half unseen */
    const double left = first ? 0.5 : fmin(1, 2 * pow(ratio, power));
    part *= ratio;
    *error = gradyn_accuracy_difference(a, left);
    a->value = left * values;
    memcpy(a->psi, a->other_psi, a->nf * sizeof *a->psi); /* values, too, are those of this run */
    GRADYN_TRY(gradyn_accuracy_keep_log(a));
    gradyn_accuracy_take_over(a);
    if (left * apart <= a->rtol)
      break;
    /* a third of what is asked for, by the same power */
    before = apart;
    last = ratio;
    const double wanted = 0.3 * a->rtol / (apart * pow(ratio, power));
    ratio = fmax(1e-2, fmin(0.5, pow(wanted, 1 / fmax(power, 0.4))));
    ratio = part * ratio < least && part > 2 * least ? least / part : ratio;
  }
  return status;
}
