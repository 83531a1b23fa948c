/* Computes gradients to the requested tolerance. A method with adaptive steps gives the derivative of the
 * discrete run. The error of this derivative differs from that of the values: it is larger where the run is
 * sensitive to its start, and for functionals that are small or cancel. So the run is repeated with three
 * steps joined into one. The difference of both gradients is the error of the joined steps, and the error
 * of the gradient is a known share of it. If that error is too large, the steps are divided.
 *
 * Joining and dividing require smooth rates. In three cases runs are repeated with a tenth of their
 * tolerances instead: if a sweep has found kinks of the rates that matter (onestep/kinks.c); for implicit
 * methods, whose steps may differ by decades or contain undetected kinks; and for adjoints of the
 * continuous equations, which have no such steps. Then the difference of both gradients is the error of the
 * first one: 0.8 to 1.9 times the true error on five shipped problems at three tolerances. If the error of
 * the second one is too large, tolerances are tightened further, by the ratio at which errors fall. Errors
 * of the values count too: a derivative need not show them.
 *
 * At rest, errors of the states are zero and do not limit the steps. The steps of all adaptive methods are
 * then divided until derivatives converge. A search compares values, and uses the gradients of its runs
 * without repetitions. */
#include "adjoint/gradient/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/model/limit.h"

/* Steps are divided more than twice only while errors fall, and only in runs of few steps. Example: the
 * derivative of a ball in free fall by a drag of zero takes four divisions, the last one of 150 steps,
 * since its parabola allows long steps. At the optimum of a search, and for integrals of noise, thousands
 * of steps would be divided. */
enum {
  JOINED = 3, /* steps that become one for the comparison */
  MANY = 12,  /* fewest steps of an arc that are joined */
  SURE_DIVISIONS = 2,
  MOST_DIVISIONS = 6,
  FEW_TO_DIVIDE = 200, /* steps */
  MOST_AT_REST = 10,   /* most divisions, each into at most two parts */
  /* a run at rest with more steps has them because of round-off: it is not divided */
  FEW_STEPS = 5000
};

/* Safety factor of estimated errors, because errors of long steps fall more slowly than the order of the
 * method. */
static const double safety = 4;

/* Relative differences below this size that do not fall are not caused by long steps. */
static const double falls = 1e-2;

double gradyn_accuracy_by_order(double longer, int order)
{
  return safety / (pow(longer, order) - 1);
}

double gradyn_accuracy_factor(const gradyn_accuracy *a, size_t f)
{
  return isnan(a->corner[f]) ? a->factor : safety;
}

bool gradyn_accuracy_stuck(double apart, double before)
{
  return apart < falls && apart > 0.5 * before;
}

/* Allocates functionals and gradients of repetitions. The next gradient uses the memory again. */
static gradyn_status reserve(gradyn_accuracy *a)
{
  gradyn_evaluator *ev = a->ev;
  size_t need = a->nf * (2 * a->columns + 4);
  if (need > ev->repetition.capacity) {
    double *grown = realloc(ev->repetition.numbers, need * sizeof *grown);
    if (!grown) {
      gradyn_message_add(&ev->message, "out of memory for a gradient");
      return GRADYN_NO_MEMORY;
    }
    ev->repetition.numbers = grown;
    ev->repetition.capacity = need;
  }
  /* one array: four numbers for each functional, then the gradient of a repetition */
  a->other_psi = ev->repetition.numbers;
  a->errors = a->other_psi + a->nf;
  a->corner = a->errors + a->nf;
  a->scale = a->corner + a->nf;
  a->other = a->scale + a->nf;
  a->apart = a->other + a->nf * a->columns;
  return GRADYN_OK;
}

/* Makes the next run take the steps of the last one: `merge` of them joined into one, or each divided into
 * `parts`. Returns whether that is possible. */
static bool ask(const gradyn_accuracy *a, int merge, int parts, gradyn_status *status)
{
  const gradyn_evaluator *ev = a->ev;
  /* all methods with adaptive steps have repeat() */
  *status = ev->method->repeat ? ev->method->repeat(ev->run, merge, parts) : GRADYN_UNSUPPORTED;
  return *status == GRADYN_OK;
}

/* Returns the number of parts of each step that reduces the error below its tolerance. `error` is relative
 * to the tolerance, with the present number `fine` of parts. */
static int parts_for(int fine, double error, int order)
{
  /* (fine/parts)^order error = 1/2, but at least one part more and at most twice the parts */
  double requested = fine * pow(2 * error, 1.0 / order);
  return requested > fine + 1 ? requested < 2 * fine ? (int)ceil(requested) : 2 * fine : fine + 1;
}

/* Accepts the gradient of the repeated run. The values remain those of the first run, because a simulation
 * gives the same ones. */
static void take_over(gradyn_accuracy *a)
{
  gradyn_evaluator *ev = a->ev;
  const gradyn_findings first = ev->kept.found;
  ev->kept = *ev->method->report(ev->run);
  /* jumps are those found by the first run, since repetitions do not search for them */
  ev->kept.found.jumps = first.jumps;
  memcpy(ev->kept.found.jump_time, first.jump_time, sizeof first.jump_time);
  memcpy(a->gradient, a->other, a->nf * a->columns * sizeof *a->gradient);
}

/* Returns the ratio of the error of divided steps to the difference `apart` from the longer steps. It
 * follows from the reduction of differences since `before` (0: unknown). Arcs with too few steps to be
 * joined may not reach the order of the method. Without a measured reduction, half of the order is
 * therefore assumed. */
static double seen_left(double before, double apart, double gain)
{
  if (before == 0)
    return safety / (sqrt(gain) - 1);
  const double rate = apart / before;
  return rate < 0.5 ? fmin(1, safety * rate / (1 - rate)) : 1; /* sum of rate^k for k = 1, 2, ... */
}

/* Estimates the error from divided steps. Returns whether the error is small enough. */
static bool divided_enough(gradyn_accuracy *a)
{
  /* half of the error remains at most, so the difference of both gradients is at least half of the error */
  a->error = gradyn_accuracy_difference(a, 2);
  if (a->error <= a->rtol)
    return true;
  /* error of the divided steps: difference / (gain - 1), where gain is the ratio of both errors */
  const double gain = pow((double)a->steps.parts / a->steps.fine, a->steps.order);
  const double apart = gradyn_accuracy_difference(a, 1);
  const double left = fmax(safety / (gain - 1),
                           a->steps.joined ? 0 : seen_left(a->before, apart, gain));
  a->error = gradyn_accuracy_difference(a, left);
  take_over(a);
  /* at rest, derivatives of negligible quantities are round-off, which shorter steps do not reduce */
  a->steps.falls = a->before == 0 || !gradyn_accuracy_stuck(apart, a->before);
  const bool stuck = a->steps.rests && !a->steps.falls;
  a->error = stuck ? apart : a->error;
  a->factor = stuck ? 1 : a->factor;
  a->before = apart;
  a->steps.fine = 1;
  return stuck;
}

/* Returns whether steps may be divided again. */
static bool may_divide(const gradyn_accuracy *a)
{
  const int divisions = a->runs - a->steps.joined;
  const long steps = a->ev->kept.cost.steps;
  if (a->steps.rests)
    return steps <= FEW_STEPS && divisions <= MOST_AT_REST;
  return divisions <= SURE_DIVISIONS || (steps <= FEW_TO_DIVIDE && a->steps.falls &&
                                         a->error < falls && divisions <= MOST_DIVISIONS);
}

/* Compares with longer steps if arcs have enough steps and no events, and with shorter steps if the error
 * is too large. Accepts the gradient with shorter steps if the error of the longer ones was too large.
 * Recoverable failures of a repetition leave the gradient unchanged. Returns whether another run is needed.
 */
static bool divide(gradyn_accuracy *a, gradyn_status *status)
{
  const gradyn_statistics *cost = &a->ev->kept.cost;
  if (a->runs == 1) {
    a->steps.joined = cost->steps >= MANY * cost->arcs && a->ev->model->event_count == 0;
    a->steps.fine = a->steps.joined ? JOINED : 1;
    if (a->steps.joined && ask(a, JOINED, 1, status))
      return true;
  } else if (a->steps.joined && a->runs == 2) {
    /* the difference is (J^order - 1) times the error of the best run, with J joined steps */
    if (*status == GRADYN_OK)
      a->error = gradyn_accuracy_difference(a, gradyn_accuracy_by_order(JOINED, a->steps.order));
  } else if (*status != GRADYN_OK || divided_enough(a)) {
    return false;
  }
  if (a->error <= a->rtol || !may_divide(a))
    return false;
  /* shorter steps may succeed after a comparison with longer steps has failed */
  if (*status != GRADYN_OK && gradyn_status_describe(*status).kind != GRADYN_CLASS_RECOVERABLE)
    return false;
  a->steps.parts = parts_for(a->steps.fine, a->error / a->rtol, a->steps.order);
  return ask(a, 1, a->steps.parts, status);
}

/* --- tighter tolerances -------------------------------------------------------------------------- */

enum { MOST_TIGHTENED = 4, SOME_STEPS = 100 };

/* Ratio of the tolerances of the first repetition, and the smallest rtol of repetitions. Smaller tolerances
 * mostly cost steps without reducing errors. */
static const double tenth = 0.1, least_rtol = 1e-12;

/* Power of the tolerances with which errors of idas fall: in the median, to a sixth for a tenth of the
 * tolerances. */
static const double usual_power = 0.8;

/* A step of length h across a kink of a force, whose slope jumps by D, causes an error c h D of a derivative.
 * c <= 0.25 depends on the position of the kink in the step and is practically random. The errors c h^2 D of
 * states limit h, so derivatives err by the square root of a step's tolerance, rtol^0.7 for radau. */
static const double kink_power = 0.35;

/* Two runs with random errors may agree by chance: of 153 gradients by radau of random mechanisms with
 * friction, 6 erred by more than five times the difference of two runs. If friction has stopped a motion, a
 * third run with this share of the second tolerances therefore confirms the gradient, and the estimated
 * error is `alike` times the difference. */
static const double third_run = 0.3, alike = 3;

/* With a tenth of the tolerances, errors of smooth motions by radau fall to 0.13 to 0.3: the error is at most
 * this multiple of the difference. */
static const double one_decade = 1.5;

/* Returns the power of the tolerances with which errors fall, from the differences of two runs whose
 * tolerances have this ratio. */
static double power_of(double before, double now, double ratio)
{
  const double power = log(now / before) / log(ratio);
  return isfinite(power) ? fmin(usual_power, fmax(power, 0)) : usual_power;
}

/* Returns whether errors may be caused by kinks: by kinks of rates that a sweep has found, or by friction
 * that stops motions. */
static bool has_kinks(const gradyn_accuracy *a)
{
  return a->steps.kinks || a->steps.rests;
}

/* Returns the ratio of the error of the last run to its difference from the one before. */
static double left_of(const gradyn_accuracy *a, double apart)
{
  if (has_kinks(a))
    return alike * pow(a->tighter.ratio, kink_power) * a->tighter.chance / apart;
  /* the order of a multistep method varies: assume half of the measured power, and a ratio of 0.5 if none is
   * measured */
  return a->before == 0 ? 0.5 : fmin(1, 2 * pow(a->tighter.ratio, a->tighter.power));
}

/* Accepts the gradient of the first run. Returns whether a third run has to confirm it. */
static bool confirm(gradyn_accuracy *a)
{
  const bool again = has_kinks(a) && !a->tighter.confirms;
  a->error = gradyn_accuracy_difference(a, has_kinks(a)            ? alike
                                           : a->ev->method->repeat ? one_decade
                                                                   : 1);
  a->tighter.ratio *= again ? third_run : 1;
  a->tighter.confirms = again;
  return again;
}

/* Compares the run with tighter tolerances. Returns whether a further run is needed. */
static bool continues(gradyn_accuracy *a, double least, gradyn_status *status)
{
  /* without the third run, the estimate of the second one remains */
  if (a->tighter.confirms && *status != GRADYN_OK)
    return false;
  if (*status == GRADYN_STEP_LIMIT ||
      (*status != GRADYN_OK && gradyn_status_describe(*status).kind != GRADYN_CLASS_RECOVERABLE))
    return false;
  /* the tolerances were too tight for the equations: try the geometric mean of them and the last successful
   * ones */
  if (*status != GRADYN_OK) {
    a->tighter.ratio = sqrt(a->tighter.ratio);
    return true;
  }
  /* difference of the last two runs, and the power of the tolerances with which differences fall */
  const double values = gradyn_accuracy_of_values(a);
  const double apart = fmax(gradyn_accuracy_difference(a, 1), values);
  const bool first = a->before == 0;
  a->tighter.power = first ? a->tighter.power : power_of(a->before, apart, a->tighter.last);
  if (first && (has_kinks(a) ? alike : 1) * apart <= a->rtol)
    return confirm(a);
  a->tighter.chance = fmax(apart, first ? 0 : a->tighter.chance * pow(a->tighter.last, kink_power));
  const double left = left_of(a, apart);
  a->tighter.part *= a->tighter.ratio;
  a->error = gradyn_accuracy_difference(a, left);
  a->tighter.confirms = false;
  a->value = left * values;
  if (a->ev->method->sizes) { /* methods with sizes() also take the values of this run */
    memcpy(a->psi, a->other_psi, a->nf * sizeof *a->psi);
    *status = gradyn_accuracy_keep_log(a);
  }
  if (*status != GRADYN_OK)
    return false;
  take_over(a);
  /* tolerances for 0.3 times the requested error, by this power */
  a->before = apart;
  a->tighter.last = a->tighter.ratio;
  const double requested = 0.3 * a->rtol / (apart * pow(a->tighter.ratio, a->tighter.power));
  a->tighter.ratio = fmax(1e-2, fmin(0.5, pow(requested, 1 / fmax(a->tighter.power, 0.4))));
  a->tighter.ratio = a->tighter.part * a->tighter.ratio < least && a->tighter.part > 2 * least
                         ? least / a->tighter.part
                         : a->tighter.ratio;
  return left * apart > a->rtol;
}

/* Gives the next run `part` of the tolerances, `ratio` times those of the last run, and limits its steps. */
static void take_part(gradyn_evaluator *ev, double part, double ratio, long steps)
{
  ev->method->tighten(ev->run, part);
  gradyn_sampled_times_update(
      ev->model); /* maxima are located again: their times are only as exact as the run that finds them */
  ev->method->limit(ev->run, (long)((1 - 2 * log10(ratio)) * (double)(steps + SOME_STEPS)));
}

bool gradyn_accuracy_tighten(gradyn_evaluator *ev, double *part, long steps)
{
  if (*part < 1 &&
      !(tenth * *part * ev->options.rtol > 0.99 * least_rtol)) /* except for round-off */
    return false;
  *part *= tenth;
  take_part(ev, *part, tenth, steps);
  return true;
}

/* Compares with runs at tighter tolerances. A run that needs many more steps than a tenth of the tolerances
 * explains has reached the round-off of the equations, and is ended. Returns whether another run is needed.
 */
static bool tighten(gradyn_accuracy *a, gradyn_status *status)
{
  const gradyn_evaluator *ev = a->ev;
  const double least = least_rtol / ev->options.rtol;
  ev->method->limit(ev->run, 0);
  if (a->runs == 1)
    a->tighter.part = 1, a->tighter.ratio = a->tighter.last = tenth, a->tighter.power = usual_power;
  else if (!continues(a, least, status))
    return false;
  if (a->runs > MOST_TIGHTENED || (a->runs > 1 && !(a->tighter.part * a->tighter.ratio >
                                                    0.99 * least))) /* except for round-off */
    return false;
  const long steps = ev->kept.cost.steps > ev->kept.cost.steps_backward
                         ? ev->kept.cost.steps
                         : ev->kept.cost.steps_backward;
  take_part(a->ev, a->tighter.part * a->tighter.ratio, a->tighter.ratio, steps);
  return true;
}

/* Switches from divided steps to tighter tolerances, for a motion that was at rest: before and after rest
 * it may have kinks, which divided steps do not resolve. The steps remain as short as they are. */
static bool change_over(gradyn_accuracy *a, gradyn_status *status)
{
  const gradyn_method *method = a->ev->method;
  const bool joined = a->steps.joined && a->runs == 2;
  if (a->tighter.asked || !method->tighten || (method->joins && !a->steps.kinks) ||
      *status != GRADYN_OK || a->ev->exactness.care == GRADYN_AS_IT_IS)
    return false;
  if (!ask(a, 0, joined ? JOINED : 1, status))
    return false;
  a->tighter.asked = true;
  a->runs = 1;
  a->before = 0;
  return tighten(a, status);
}

/* --- sequence of runs --------------------------------------------------------------------------- */

/* Returns whether the first run has to be compared with others. Prepares the comparison. */
static bool is_asked(gradyn_accuracy *a, gradyn_status *status)
{
  gradyn_evaluator *ev = a->ev;
  const gradyn_method *method = ev->method;
  a->steps.order = *status == GRADYN_OK && method->order ? method->order(ev->run) : 0;
  if (*status != GRADYN_OK || (a->steps.order == 0 && (method->order || !method->tighten)))
    return false;
  ev->kept = *method->report(ev->run);
  /* at rest, steps may be unstable for derivatives although not for states, at any tolerance */
  a->steps.rests = method->met && method->met(ev->run, GRADYN_MET_REST, 0);
  const bool as_it_is = ev->exactness.care == GRADYN_AS_IT_IS;
  a->steps.kinks = !as_it_is && method->met && method->met(ev->run, GRADYN_MET_KINKS, a->rtol);
  a->tighter.asked = method->tighten && !a->steps.rests && (!method->joins || a->steps.kinks);
  if (as_it_is && !gradyn_is_undetermined(&ev->kept.found) && !a->steps.rests)
    return false;
  *status = gradyn_accuracy_keep_log(a);
  if (*status == GRADYN_OK)
    *status = reserve(a);
  if (*status != GRADYN_OK)
    return false;
  /* a repetition may exceed the step limit, since the first run has reached the end within it */
  if (method->limit)
    method->limit(ev->run, 0);
  /* store the kinks of the first run, which repetitions overwrite */
  for (size_t f = 0; f < a->nf; f++) {
    a->errors[f] = a->scale[f] = 0;
    memset(a->apart + f * a->columns, 0, a->columns * sizeof *a->apart);
    a->corner[f] = method->corners ? method->corners(ev->run)[f] : (double)NAN;
  }
  return true;
}

/* Reports after the last run, and restores the options of later simulations. */
static gradyn_status finish(gradyn_accuracy *a, gradyn_status status)
{
  gradyn_evaluator *ev = a->ev;
  const gradyn_method *method = ev->method;
  const bool passes = status == GRADYN_OK ||
                      gradyn_status_describe(status).kind == GRADYN_CLASS_RECOVERABLE;
  /* a known error is reported by gradyn_accuracy_conclude() */
  if (status != GRADYN_OK && passes && method->tighten && !isfinite(a->error))
    gradyn_warnings_add(&ev->found,
                        GRADYN_WARNING(ACCURACY_UNKNOWN, .subject = *ev->message.text
                                                                        ? ev->message.text
                                                                        : ev->model->message.text));
  /* the next run chooses its own steps */
  if (method->repeat)
    (void)method->repeat(ev->run, 0, 0);
  if (method->tighten)
    method->tighten(ev->run, 1);
  if (passes) {
    gradyn_message_clear(&ev->message);
    gradyn_message_clear(&ev->model->message);
    status = gradyn_accuracy_conclude(a);
  }
  gradyn_accuracy_restore_log(a);
  ev->kept.cost.time_gradient = gradyn_seconds() - a->clock;
  ev->repetition.use_cost = true;
  return status;
}

bool gradyn_accuracy_repeats(gradyn_accuracy *a, gradyn_status *status)
{
  if (!a->asked || (++a->runs == 1 && !is_asked(a, status)))
    return false;
  if (a->runs > 1 && *status == GRADYN_OK)
    gradyn_accuracy_keep_spread(a);
  *a->to_psi = a->other_psi;
  *a->to = a->other;
  if ((a->tighter.asked ? tighten(a, status) : divide(a, status)) || change_over(a, status))
    return true;
  *a->to_psi = a->psi;
  *a->to = a->gradient;
  *status = finish(a, *status);
  return false;
}

gradyn_accuracy gradyn_accuracy_begin(gradyn_evaluator *ev, bool asked, bool data, double **psi,
                                      double **gradient)
{
  /* tolerance of sensitivities */
  const double own = ev->options.rtol_sens;
  return (gradyn_accuracy){.ev = ev,
                           .nf = (size_t)ev->model->functional_count,
                           .columns = data ? (size_t)ev->public_count : ev->parameters.count,
                           .data = data,
                           .rtol = own > 0 ? own : ev->options.rtol,
                           .psi = *psi,
                           .gradient = *gradient,
                           .to_psi = psi,
                           .to = gradient,
                           .spread = -1,
                           .asked = asked,
                           .error = HUGE_VAL,
                           .clock = gradyn_seconds()};
}
