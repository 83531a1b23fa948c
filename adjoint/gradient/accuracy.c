/* Gradients to the tolerance asked for. A method whose steps follow from an error gives the derivative
 * of the discrete run, which errs by its own amount: more than the values where a motion is sensitive
 * to its start, and for functionals that are small or cancel. So the same steps are taken once more,
 * three of them joined: the difference is what those err by, and the error of the gradient a known part
 * of it. If that is too much, steps are divided as far as it takes.
 *
 * That takes rates to be smooth. Where a sweep has met kinks of them that matter (onestep/kinks.c), for an
 * implicit method, whose steps may differ by decades or lie across kinks that it does not see, and for an
 * adjoint of the continuous equations, which has no such steps, runs have a tenth of their tolerances:
 * what both gradients differ by is the error of the first, 0.8 to 1.9 times the true one on five shipped
 * problems at three tolerances. If that of the second is still too much, tolerances are tightened further, by
 * what a tenth has left of the error. Values count besides: their errors may be such as no parameter shows.
 *
 * A motion at rest has no error, whatever the steps: those are divided, by all methods that have them.
 * A search, which compares values, has the gradients of its runs as they are. */
#include "adjoint/gradient/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/model/limit.h"

/* Few steps are divided more than twice while errors fall. The derivative of a ball in free fall by a drag of
 * zero, whose steps its parabola makes long, takes four divisions, the last one of 150 steps. A search that
 * has come to its optimum, and integrals of noise, would have thousands of steps divided. */
enum {
  JOINED = 3, /* steps of the run that is compared with */
  MANY = 12,  /* steps of an arc, enough to be joined */
  SURE_DIVISIONS = 2,
  MOST_DIVISIONS = 6,
  FEW_TO_DIVIDE = 200, /* steps */
  MOST_AT_REST = 10,   /* divisions, each by two at most */
  FEW_STEPS = 5000     /* more at rest are not divided: round-off has made them */
};

/* What estimates are multiplied by before they count: long steps err by a smaller power of their length
 * than the order says. */
static const double safety = 4;

/* Differences of this size that do not fall are not those of steps that are too long. */
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

/* Room for the functionals and gradients of repetitions; kept for the next gradient, which needs
 * as much. */
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
  /* one block: four numbers for each functional, then the gradient of a repetition */
  a->other_psi = ev->repetition.numbers;
  a->errors = a->other_psi + a->nf;
  a->corner = a->errors + a->nf;
  a->scale = a->corner + a->nf;
  a->other = a->scale + a->nf;
  a->apart = a->other + a->nf * a->columns;
  return GRADYN_OK;
}

/* Has the next run take the steps of the last one, joined and divided. */
static bool ask(const gradyn_accuracy *a, int merge, int parts, gradyn_status *status)
{
  const gradyn_evaluator *ev = a->ev;
  /* methods whose steps follow from an error all have it */
  *status = ev->method->repeat ? ev->method->repeat(ev->run, merge, parts) : GRADYN_UNSUPPORTED;
  return *status == GRADYN_OK;
}

/* Parts of which `fine` make a step now, so many that an error over the tolerance comes down to 1. */
static int parts_for(int fine, double error, int order)
{
  /* error of (parts/fine) times as many steps: error (fine/parts)^order = 1/2; at least one part more,
   * at most twice */
  double wanted = fine * pow(2 * error, 1.0 / order);
  return wanted > fine + 1 ? wanted < 2 * fine ? (int)ceil(wanted) : 2 * fine : fine + 1;
}

/* The gradient with steps of the last one divided becomes the best one. The values stay those of the first
 * run, which a simulation gives as well. */
static void take_over(gradyn_accuracy *a)
{
  const gradyn_statistics first = a->ev->cost;
  a->ev->cost = a->ev->method->statistics(a->ev->run);
  /* jumps are searched along the first run alone */
  a->ev->cost.jumps = first.jumps;
  memcpy(a->ev->cost.jump_time, first.jump_time, sizeof first.jump_time);
  memcpy(a->gradient, a->other, a->nf * a->columns * sizeof *a->gradient);
}

/* Error of divided steps over the difference to those before, by how differences have shrunk from `before`
 * (0: not known yet), since steps so few that they cannot be joined may be too long for their order: half
 * of it is believed unseen. */
static double seen_left(double before, double apart, double gain)
{
  if (before == 0)
    return safety / (sqrt(gain) - 1);
  const double rate = apart / before;
  return rate < 0.5 ? fmin(1, safety * rate / (1 - rate)) : 1; /* rate + rate^2 + ... */
}

/* Takes the error from divided steps; whether that is enough. */
static bool divided_enough(gradyn_accuracy *a)
{
  /* parts_for() has divided so that at most half of the error is left: the difference is the other half */
  a->error = gradyn_accuracy_difference(a, 2);
  if (a->error <= a->rtol)
    return true;
  /* what the divided steps err by themselves: the difference over gain - 1, gain: an error over theirs */
  const double gain = pow((double)a->steps.parts / a->steps.fine, a->steps.order);
  const double apart = gradyn_accuracy_difference(a, 1);
  const double left = fmax(safety / (gain - 1),
                           a->steps.joined ? 0 : seen_left(a->before, apart, gain));
  a->error = gradyn_accuracy_difference(a, left);
  take_over(a);
  /* what is next to nothing at rest has derivatives of round-off, which no steps make exact */
  a->steps.falls = a->before == 0 || !gradyn_accuracy_stuck(apart, a->before);
  const bool stuck = a->steps.rests && !a->steps.falls;
  a->error = stuck ? apart : a->error;
  a->factor = stuck ? 1 : a->factor;
  a->before = apart;
  a->steps.fine = 1;
  return stuck;
}

/* Whether steps may be divided once more. */
static bool may_divide(const gradyn_accuracy *a)
{
  const int divisions = a->runs - a->steps.joined;
  const long steps = a->ev->cost.steps;
  if (a->steps.rests)
    return steps <= FEW_STEPS && divisions <= MOST_AT_REST;
  return divisions <= SURE_DIVISIONS || (steps <= FEW_TO_DIVIDE && a->steps.falls &&
                                         a->error < falls && divisions <= MOST_DIVISIONS);
}

/* Compares with longer steps, if arcs have enough to be joined, no event ending them, and with shorter ones
 * where that is too coarse; the shorter ones are kept if the ones before were too long. What fails
 * leaves things as they are, unless it is not to be recovered from. */
static bool divide(gradyn_accuracy *a, gradyn_status *status)
{
  const gradyn_statistics *cost = &a->ev->cost;
  if (a->runs == 1) {
    a->steps.joined = cost->steps >= MANY * cost->arcs && a->ev->model->event_count == 0;
    a->steps.fine = a->steps.joined ? JOINED : 1;
    if (a->steps.joined && ask(a, JOINED, 1, status))
      return true;
  } else if (a->steps.joined && a->runs == 2) {
    /* with e the error of the best run and J joined steps, the difference is (J^order - 1) e */
    if (*status == GRADYN_OK)
      a->error = gradyn_accuracy_difference(a, gradyn_accuracy_by_order(JOINED, a->steps.order));
  } else if (*status != GRADYN_OK || divided_enough(a)) {
    return false;
  }
  if (a->error <= a->rtol || !may_divide(a))
    return false;
  /* the comparison before it may have failed: shorter steps may do */
  if (*status != GRADYN_OK && gradyn_status_classify(*status) != GRADYN_CLASS_RECOVERABLE)
    return false;
  a->steps.parts = parts_for(a->steps.fine, a->error / a->rtol, a->steps.order);
  return ask(a, 1, a->steps.parts, status);
}

/* --- tolerances that are tightened --------------------------------------------------------------- */

enum { MOST_TIGHTENED = 4, SOME_STEPS = 100 };

/* Of the tolerances, for the first run to compare with; and what tolerances are tightened to. Below that runs
 * crawl more often than they gain. */
static const double tenth = 0.1, least_rtol = 1e-12;

/* Errors of idas with a tenth of the tolerances are a sixth in the median. */
static const double usual_power = 0.8;

/* A step of length h across a kink of a force, whose slope jumps there by D, leaves c h D of a
 * derivative: c, some 0.25 at most, follows from where in the step the kink is, as if by chance. Errors
 * of states, c h^2 D, limit h, so that derivatives err by the root of a step's tolerance, which is
 * rtol^0.7 of radau. */
static const double kink_power = 0.35;

/* Two runs that err by chance may err alike: of 153 gradients by radau of random mechanisms with
 * friction 6 were off by more than five times what two runs differed by. So where friction has brought
 * a motion to rest a third run, with this part of the tolerances of the second, confirms it, and errors
 * are `alike` times the differences. */
static const double third_run = 0.3, alike = 3;

/* With a tenth of the tolerances a smooth motion by radau errs by 0.13 to 0.3 times as much: its error
 * is at most so many times the difference. */
static const double one_decade = 1.5;

/* The power of tolerances by which errors fall, from two runs whose tolerances have this ratio. */
static double power_of(double before, double now, double ratio)
{
  const double power = log(now / before) / log(ratio);
  return isfinite(power) ? fmin(usual_power, fmax(power, 0)) : usual_power;
}

/* Whether errors of runs may be those of kinks: of rates, as a sweep has met them, or of friction where it
 * brings motions to rest. */
static bool has_kinks(const gradyn_accuracy *a)
{
  return a->steps.kinks || a->steps.rests;
}

/* Error of the last run over what it and the one before differ by. */
static double left_of(const gradyn_accuracy *a, double apart)
{
  if (has_kinks(a))
    return alike * pow(a->tighter.ratio, kink_power) * a->tighter.chance / apart;
  /* orders of a multistep method come and go: half of that is believed, no more than a half unseen */
  return a->before == 0 ? 0.5 : fmin(1, 2 * pow(a->tighter.ratio, a->tighter.power));
}

/* The first run will do, as it would without the comparison; whether a third one is to confirm it. */
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

/* Takes the run with tighter tolerances for the best one; whether another one is needed. */
static bool continues(gradyn_accuracy *a, double least, gradyn_status *status)
{
  if (a->tighter.confirms && *status != GRADYN_OK) /* what is known has to do */
    return false;
  if (*status == GRADYN_STEP_LIMIT ||
      (*status != GRADYN_OK && gradyn_status_classify(*status) != GRADYN_CLASS_RECOVERABLE))
    return false;
  if (*status != GRADYN_OK) { /* tighter than the equations allow: half the way */
    a->tighter.ratio = sqrt(a->tighter.ratio);
    return true;
  }
  /* what the best one errs by, and the power by which errors have fallen to that */
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
  if (a->ev->method->sizes) { /* values, too, are those of this run */
    memcpy(a->psi, a->other_psi, a->nf * sizeof *a->psi);
    *status = gradyn_accuracy_keep_log(a);
  }
  if (*status != GRADYN_OK)
    return false;
  take_over(a);
  /* a third of what is asked for, by the same power */
  a->before = apart;
  a->tighter.last = a->tighter.ratio;
  const double wanted = 0.3 * a->rtol / (apart * pow(a->tighter.ratio, a->tighter.power));
  a->tighter.ratio = fmax(1e-2, fmin(0.5, pow(wanted, 1 / fmax(a->tighter.power, 0.4))));
  a->tighter.ratio = a->tighter.part * a->tighter.ratio < least && a->tighter.part > 2 * least
                         ? least / a->tighter.part
                         : a->tighter.ratio;
  return left * apart > a->rtol;
}

/* Has the next run take a part of the tolerances, `ratio` times those of the last one. */
static void take_part(gradyn_evaluator *ev, double part, double ratio, long steps)
{
  ev->method->tighten(ev->run, part);
  gradyn_functionals_place(
      ev->model); /* the place of a maximum is as exact as the run that finds it */
  ev->method->limit(ev->run, (long)((1 - 2 * log10(ratio)) * (double)(steps + SOME_STEPS)));
}

bool gradyn_accuracy_tighten(gradyn_evaluator *ev, double *part, long steps)
{
  if (*part < 1 && !(tenth * *part * ev->options.rtol > 0.99 * least_rtol)) /* but for round-off */
    return false;
  *part *= tenth;
  take_part(ev, *part, tenth, steps);
  return true;
}

/* Compares with runs of tighter tolerances. What takes many more steps than a decade of tolerances does is on
 * its way to the round-off of the equations. */
static bool tighten(gradyn_accuracy *a, gradyn_status *status)
{
  const gradyn_evaluator *ev = a->ev;
  const double least = least_rtol / ev->options.rtol;
  ev->method->limit(ev->run, 0);
  if (a->runs == 1)
    a->tighter.part = 1, a->tighter.ratio = a->tighter.last = tenth, a->tighter.power = usual_power;
  else if (!continues(a, least, status))
    return false;
  if (a->runs > MOST_TIGHTENED ||
      (a->runs > 1 && !(a->tighter.part * a->tighter.ratio > 0.99 * least))) /* but for round-off */
    return false;
  const long steps = ev->cost.steps > ev->cost.steps_backward ? ev->cost.steps
                                                              : ev->cost.steps_backward;
  take_part(a->ev, a->tighter.part * a->tighter.ratio, a->tighter.ratio, steps);
  return true;
}

/* Goes over to tolerances where the steps of a motion that was at rest have been divided: what has moved
 * before and after may have kinks, which divided steps do not resolve. Steps stay as short as they are. */
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

/* --- to the tolerance --------------------------------------------------------------------------- */

/* Whether the first run is to be compared with others. */
static bool is_asked(gradyn_accuracy *a, gradyn_status *status)
{
  gradyn_evaluator *ev = a->ev;
  const gradyn_method *method = ev->method;
  a->steps.order = *status == GRADYN_OK && method->order ? method->order(ev->run) : 0;
  if (*status != GRADYN_OK || (a->steps.order == 0 && (method->order || !method->tighten)))
    return false;
  ev->cost = method->statistics(ev->run);
  /* steps may be unstable for derivatives alone, which is no matter of a tolerance */
  a->steps.rests = method->met && method->met(ev->run, GRADYN_MET_REST, 0);
  const bool as_it_is = ev->exactness.care == GRADYN_AS_IT_IS;
  a->steps.kinks = !as_it_is && method->met && method->met(ev->run, GRADYN_MET_KINKS, a->rtol);
  a->tighter.asked = method->tighten && !a->steps.rests && (!method->joins || a->steps.kinks);
  if (as_it_is && !gradyn_is_undetermined(&ev->cost) && !a->steps.rests)
    return false;
  *status = gradyn_accuracy_keep_log(a);
  if (*status == GRADYN_OK)
    *status = reserve(a);
  if (*status != GRADYN_OK)
    return false;
  /* a method that has come to the end is not given up for steps of repetitions */
  if (method->limit)
    method->limit(ev->run, 0);
  for (size_t f = 0; f < a->nf; f++) { /* of the first run: repetitions overwrite them */
    a->errors[f] = a->scale[f] = 0;
    memset(a->apart + f * a->columns, 0, a->columns * sizeof *a->apart);
    a->corner[f] = method->corners ? method->corners(ev->run)[f] : (double)NAN;
  }
  return true;
}

/* After the last run: reports, and has simulations be as they were asked for. */
static gradyn_status finish(gradyn_accuracy *a, gradyn_status status)
{
  gradyn_evaluator *ev = a->ev;
  const gradyn_method *method = ev->method;
  const bool passes = status == GRADYN_OK ||
                      gradyn_status_classify(status) == GRADYN_CLASS_RECOVERABLE;
  /* an error that is known is reported as such */
  if (status != GRADYN_OK && passes && method->tighten && !isfinite(a->error))
    gradyn_message_add(
        &ev->corners,
        "the gradient could not be made as exact as asked for: with tighter tolerances the run "
        "fails: %.300s",
        *ev->message.text ? ev->message.text : ev->model->message.text);
  /* the next run chooses its steps again */
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
  ev->cost.time_gradient = gradyn_seconds() - a->clock;
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
