/* Repeats forward sweeps with steps half as long, or with tighter tolerances, until the derivatives of two
 * sweeps agree. */
#include "adjoint/gradient/rest_derivatives.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "adjoint/gradient/accuracy.h"

/* Largest number of steps unless the options set one, the same as for runs that are not at rest.
 * Derivatives at tight tolerances take as many steps. Runs dominated by round-off stop before, because
 * their derivatives improve no more. */
enum { MOST_STEPS = 100000 };

/* Largest number of runs with tighter tolerances. */
enum { MOST_TIGHTENED = 4 };

/* Ratio by which errors of idas fall for a tenth of the tolerances: the median for gradients (accuracy.c),
 * and the largest ratio that is used. Measured in 368 analyses of random chains: the reported error is 1.6
 * times the true error in the median, and once less than a third of it. Half of the last difference as
 * estimate would be 3 times the error in the median, and three times less than a third of it. */
static const double usual_rate = 0.16, most_rate = 0.5;

gradyn_rest_derivatives gradyn_rest_derivatives_begin(gradyn_evaluator *ev,
                                                      const gradyn_directions *directions,
                                                      const double *gradient)
{
  return (gradyn_rest_derivatives){.ev = ev, .directions = directions, .gradient = gradient};
}

/* Returns the number of derivatives along a direction that are compared: of the states at all requested
 * times or, without requested times, at the last node. *first: array of these derivatives. */
static size_t numbers_of(const gradyn_tangents *tangents, int direction, const double **first)
{
  const gradyn_trajectory *column = tangents->column[direction];
  const size_t steps = gradyn_trajectory_read(column).steps,
               width = gradyn_trajectory_read(column).columns, last = steps > 0 ? steps - 1 : 0;
  *first = gradyn_trajectory_read(column).rows + (tangents->time ? 0 : last * width);
  return steps == 0 ? 0 : tangents->time ? steps * width : width;
}

/* Derivatives whose errors are relative to the largest one of the group. */
typedef struct group {
  const double *first;
  size_t count;
} group;

/* Sets group k: first the gradients of functionals, then the derivatives of states along each direction.
 * Returns false if there is no group k. */
static bool group_at(const gradyn_rest_derivatives *s, int k, group *out)
{
  const gradyn_model *model = s->ev->model;
  const gradyn_tangents *tangents = s->directions->tangents;
  const int functionals = model->functional_count, row = s->directions->count;
  if (k < functionals) {
    *out = (group){s->gradient + (size_t)k * (size_t)row,
                   model->functional[k].skipped ? 0 : (size_t)row};
    return true;
  }
  if (tangents == NULL || k - functionals >= row)
    return false;
  out->count = numbers_of(tangents, k - functionals, &out->first);
  return true;
}

static double largest_of(const group *g)
{
  double most = 0;
  for (size_t i = 0; i < g->count; i++)
    most = fmax(most, fabs(g->first[i]));
  return most;
}

/* Stores all derivatives of the last run, and returns their largest change since the run before, relative to
 * the largest of their group. Sums over N steps have a round-off of sqrt(N) eps times the largest derivative
 * of all; the scale of each group is so large that this counts as rtol at most. */
static double compare(gradyn_rest_derivatives *s, long steps, double rtol)
{
  const double noise = sqrt((double)steps) * DBL_EPSILON;
  double worst = 0, most = 0, *at = s->before;
  group g;
  for (int k = 0; group_at(s, k, &g); k++)
    most = fmax(most, largest_of(&g));
  for (int k = 0; group_at(s, k, &g); k++) {
    const double size = fmax(largest_of(&g), noise * most / rtol);
    /* one of both runs may end earlier, at an event: compare as many derivatives as are stored */
    for (size_t i = 0; i < g.count && at < s->before + s->count; i++, at++) {
      worst = size > 0 ? fmax(worst, fabs(g.first[i] - *at) / size) : worst;
      *at = g.first[i];
    }
  }
  return worst;
}

static bool reserve(gradyn_rest_derivatives *s)
{
  group g;
  s->count = 0;
  for (int k = 0; group_at(s, k, &g); k++)
    s->count += g.count;
  s->before = calloc(s->count + 1, sizeof *s->before);
  return s->before != NULL;
}

/* Restores adaptive steps and the requested tolerances. Returns false. */
static bool finish(gradyn_rest_derivatives *s)
{
  const gradyn_method *method = s->ev->method;
  if (s->before && s->by_tolerance)
    method->tighten(s->ev->run, 1);
  else if (s->before)
    (void)method->repeat(s->ev->run, 0, 0);
  free(s->before);
  s->before = NULL;
  return false;
}

/* Returns whether the first run has to be compared with others. */
static bool is_asked(gradyn_rest_derivatives *s)
{
  const gradyn_method *method = s->ev->method;
  /* with GRADYN_AS_IT_IS, the caller itself repeats the run where needed */
  const bool nearly = s->ev->exactness.care != GRADYN_AS_IT_IS;
  const bool rests = method->met &&
                     method->met(s->ev->run, nearly ? GRADYN_MET_NEAR_REST : GRADYN_MET_REST, 0);
  s->by_tolerance = nearly && method->tighten && !method->repeat;
  s->part = 1;
  return rests || s->by_tolerance;
}

static double rtol_of(const gradyn_rest_derivatives *s)
{
  const gradyn_options *options = &s->ev->options;
  return options->rtol_sens > 0 ? options->rtol_sens : options->rtol;
}

/* Reports the error of the last run, if it is more than the tolerance. */
static void report_error(gradyn_rest_derivatives *s, double error)
{
  if (gradyn_accuracy_missed(error, rtol_of(s)))
    gradyn_warnings_add(&s->ev->found,
                        GRADYN_WARNING(GRADIENT_ACCURACY, .value = error, .limit = rtol_of(s)));
}

/* A run has failed because its tolerances are tighter than the equations allow. Repeats the run before it,
 * the best possible one, whose error is known if it was compared with another run. */
static bool go_back(gradyn_rest_derivatives *s, gradyn_status *status)
{
  gradyn_evaluator *ev = s->ev;
  if (s->back || gradyn_status_describe(*status).kind != GRADYN_CLASS_RECOVERABLE)
    return finish(s);
  if (s->runs > 2)
    report_error(s, s->error);
  else
    gradyn_warnings_add(&ev->found,
                        GRADYN_WARNING(ACCURACY_UNKNOWN, .subject = *ev->message.text
                                                                        ? ev->message.text
                                                                        : ev->model->message.text));
  gradyn_message_clear(&ev->message);
  gradyn_message_clear(&ev->model->message);
  s->back = true;
  ev->method->tighten(ev->run, 10 * s->part);
  return true;
}

/* Returns the error of the last of three runs, each with a tenth of the tolerances of the one before.
 * before: difference of the first two runs; change: difference of the last two runs. At a constant ratio,
 * later differences would be a geometric series. Two runs may agree by chance, so the last difference
 * counts as at least the usual ratio times the one before. */
static double error_of_last(double before, double change)
{
  const double rate = fmin(most_rate, fmax(usual_rate, change / before));
  return rate / (1 - rate) * fmax(change, usual_rate * before);
}

/* Repeats with a tenth of the tolerances. Returns whether another run is needed. */
static bool tighten(gradyn_rest_derivatives *s, gradyn_status *status)
{
  gradyn_evaluator *ev = s->ev;
  const double rtol = rtol_of(s);
  ev->method->limit(ev->run, 0);
  if (*status != GRADYN_OK)
    return go_back(s, status);
  const long steps = ev->method->report(ev->run)->cost.steps;
  const double before = s->change, change = compare(s, steps, rtol);
  /* the order of a multistep method varies, so half of the difference may remain as error */
  const bool settled = s->back || (s->runs > 1 && change / 2 <= rtol);
  s->change = s->runs > 1 ? change : 0;
  s->error = before > 0 ? error_of_last(before, change) : change / 2;
  if (!settled && s->runs <= MOST_TIGHTENED && gradyn_accuracy_tighten(ev, &s->part, steps))
    return true;
  if (!settled)
    report_error(s, s->error);
  return finish(s);
}

/* Repeats with steps half as long. Returns whether another run is needed. */
static bool halve(gradyn_rest_derivatives *s, gradyn_status *status)
{
  const gradyn_method *method = s->ev->method;
  const gradyn_options *options = &s->ev->options;
  const double rtol = rtol_of(s);
  if (*status != GRADYN_OK)
    return finish(s);
  s->order = s->runs == 1 ? method->order(s->ev->run) : s->order;
  const long steps = method->report(s->ev->run)->cost.steps;
  const double change = compare(s, steps, rtol),
               error = change * gradyn_accuracy_by_order(2, s->order);
  const bool settled = s->runs > 1 && error <= rtol;
  const bool stuck = s->runs > 2 && gradyn_accuracy_stuck(change, s->change);
  const long most = options->max_steps > 0 ? options->max_steps : MOST_STEPS;
  const bool last = s->runs > 1 && 2 * steps > most;
  const double left = stuck ? change : error;
  s->change = change;
  if ((stuck || last) && left > rtol)
    gradyn_warnings_add(&s->ev->found,
                        GRADYN_WARNING(GRADIENT_ACCURACY, .value = left, .limit = rtol));
  if (settled || stuck || last)
    return finish(s);
  *status = method->repeat(s->ev->run, 1, 2);
  return *status == GRADYN_OK || finish(s);
}

bool gradyn_rest_derivatives_repeats(gradyn_rest_derivatives *s, gradyn_status *status)
{
  if (s->runs++ == 0) {
    if (*status != GRADYN_OK || !is_asked(s))
      return false;
    if (!reserve(s)) {
      *status = gradyn_fail(&s->ev->message, GRADYN_NO_MEMORY, "out of memory for derivatives");
      return false;
    }
  }
  return s->by_tolerance ? tighten(s, status) : halve(s, status);
}
