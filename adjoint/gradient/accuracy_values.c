/* Errors of values, from the values of repeated runs, and the final report of errors. */
#include "adjoint/gradient/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Errors above this multiple of the request are reported. */
static const double missed = 3;

/* Values of runs with different steps whose relative difference is below `determined` count as accurate,
 * even if local errors times adjoints are large. Without this rule, 600 random systems gave six false
 * reports. If the relative error is above `hopeless`, no digit of a gradient is correct. */
static const double determined = 1e-3, hopeless = 1;

bool gradyn_accuracy_missed(double error, double rtol)
{
  return error > missed * rtol && isfinite(error);
}

double gradyn_accuracy_of_values(gradyn_accuracy *a)
{
  const gradyn_evaluator *ev = a->ev;
  const double *size = ev->method->sizes ? ev->method->sizes(ev->run) : NULL;
  double worst = 0;
  for (size_t f = 0; f < a->nf && size; f++) {
    const double *g = a->gradient + f * a->columns;
    /* size of psi: its value, its change for a change of a parameter by its size, or the size that follows
     * from its states */
    double most = fmax(fabs(a->psi[f]), size[f]);
    for (size_t j = 0; j < a->columns && !ev->model->functional[f].skipped; j++)
      most = fmax(most, fabs(g[j]) * gradyn_accuracy_size(a, j));
    const double apart = fabs(a->psi[f] - a->other_psi[f]);
    if (apart > worst * most && !ev->model->functional[f].skipped) {
      worst = apart / most;
      a->value_of = f;
    }
  }
  return worst * a->rtol / ev->options.rtol;
}

void gradyn_accuracy_keep_spread(gradyn_accuracy *a)
{
  a->spread = fmax(a->spread, 0);
  for (size_t f = 0; f < a->nf; f++) {
    const double apart = fabs(a->psi[f] - a->other_psi[f]);
    if (apart > 0 && !a->ev->model->functional[f].skipped)
      a->spread = fmax(a->spread, apart / fmax(fabs(a->psi[f]), fabs(a->other_psi[f])));
  }
}

/* Returns whether runs with different steps agree in their values. */
static bool values_stand(const gradyn_accuracy *a)
{
  return a->spread >= 0 && a->spread < determined;
}

/* --- errors of derivatives ----------------------------------------------------------------------- */

gradyn_inexact gradyn_accuracy_worst_of(const gradyn_accuracy *a, const gradyn_floors *floors,
                                        size_t f)
{
  const double factor = gradyn_accuracy_factor(a, f);
  gradyn_inexact worst = {.functional = f};
  for (size_t j = 0; j < a->columns; j++) {
    double size = a->scale[f];
    if (floors->functional)
      size = fmax(size, floors->functional[f] / floors->number[j]);
    gradyn_inexact d = {f, j, factor * a->apart[f * a->columns + j], a->rtol * size};
    if (a->ev->exactness.negligible && floors->functional)
      d.allowed = fmax(d.allowed, a->ev->exactness.negligible[f] / floors->number[j]);
    worst = gradyn_inexact_excess(&d) > gradyn_inexact_excess(&worst) ? d : worst;
  }
  return worst;
}

const char *gradyn_accuracy_by(const gradyn_accuracy *a, size_t number)
{
  const gradyn_evaluator *ev = a->ev;
  return a->data ? ev->model->entry[ev->public_data[number]].name
                 : ev->parameters.info[number].name;
}

static const char *unit_of(const gradyn_accuracy *a, size_t number)
{
  const gradyn_evaluator *ev = a->ev;
  return a->data ? ev->model->entry[ev->public_data[number]].unit
                 : ev->parameters.info[number].unit;
}

void gradyn_accuracy_unit(const gradyn_accuracy *a, const gradyn_inexact *d, char *text,
                          size_t size)
{
  const char *unit = a->ev->model->functional[d->functional].unit, *per = unit_of(a, d->number);
  char over[32], under[32];
  (void)snprintf(over, sizeof over, strchr(unit, '/') ? "(%s)" : "%s", *unit ? unit : "1");
  (void)snprintf(under, sizeof under, per[strcspn(per, " /*")] ? "(%s)" : "%s", per);
  if (*per)
    (void)snprintf(text, size, "%s/%s", over, under);
  else
    (void)snprintf(text, size, "%s", unit);
}

/* Reports a derivative that misses the requested accuracy. */
static void report(const gradyn_accuracy *a, const gradyn_inexact *d)
{
  gradyn_evaluator *ev = a->ev;
  const char *functional = ev->model->functional[d->functional].name;
  char unit[sizeof ev->exactness.unit], subject[GRADYN_WARNING_SUBJECT];
  const double kink = a->corner[d->functional];
  gradyn_accuracy_unit(a, d, unit, sizeof unit);
  (void)snprintf(subject, sizeof subject, "%s by %s", functional, gradyn_accuracy_by(a, d->number));
  gradyn_warning w = {.code = GRADYN_WARNING_GRADIENT_ACCURACY,
                      .subject = subject,
                      .unit = unit,
                      .value = d->error,
                      .limit = d->allowed};
  if (!isnan(kink)) {
    w.code = GRADYN_WARNING_KINK;
    w.t = kink;
  }
  gradyn_warnings_add(&ev->found, &w);
}

/* Returns the worst derivative of functionals without kinks. */
static gradyn_inexact worst_smooth(const gradyn_accuracy *a, const gradyn_floors *floors)
{
  gradyn_inexact worst = {0};
  for (size_t f = 0; f < a->nf; f++) {
    const gradyn_inexact d = gradyn_accuracy_worst_of(a, floors, f);
    worst = isnan(a->corner[f]) && gradyn_inexact_excess(&d) > gradyn_inexact_excess(&worst)
                ? d
                : worst;
  }
  return worst;
}

/* Reports derivatives of functionals with kinks that miss the requested accuracy. */
static void report_corners(const gradyn_accuracy *a, const gradyn_floors *floors)
{
  for (size_t f = 0; f < a->nf; f++) {
    const gradyn_inexact d = gradyn_accuracy_worst_of(a, floors, f);
    if (!isnan(a->corner[f]) && gradyn_inexact_excess(&d) > 1)
      report(a, &d);
  }
}

/* Returns whether errors exceed the request, so that a report needs the smallest scales. */
static bool is_dubious(const gradyn_accuracy *a)
{
  bool corners = false;
  for (size_t f = 0; f < a->nf; f++)
    corners = corners || (!isnan(a->corner[f]) && a->errors[f] > a->rtol);
  return corners || (isfinite(a->error) && a->error > missed * a->rtol);
}

/* Finds the worst derivative, relative to its scale and, if a report may be needed, to the smallest
 * scales. */
static gradyn_status measure(gradyn_accuracy *a, gradyn_inexact *worst)
{
  LOCAL(gradyn_floors) floors = {0};
  if (is_dubious(a)) {
    GRADYN_TRY(gradyn_accuracy_floors(a, &floors));
    report_corners(a, &floors);
  }
  *worst = worst_smooth(a, &floors);
  if (isfinite(a->error) && floors.functional)
    a->error = fmin(a->error, gradyn_inexact_excess(worst) * a->rtol);
  return GRADYN_OK;
}

/* Stores the error for statistics and reports. */
static void note(const gradyn_accuracy *a, const gradyn_inexact *worst)
{
  gradyn_exactness *exactness = &a->ev->exactness;
  a->ev->kept.cost.gradient_error = isfinite(a->error) ? a->error : 0;
  exactness->error = isfinite(a->error) ? worst->error : 0;
  exactness->functional = a->ev->model->functional[worst->functional].name;
  exactness->by = a->columns > 0 ? gradyn_accuracy_by(a, worst->number) : "";
  if (a->columns > 0)
    gradyn_accuracy_unit(a, worst, exactness->unit, sizeof exactness->unit);
}

/* Fails with the text of the warning. The choice of methods then tries another method. */
static gradyn_status refuse_unstable(gradyn_evaluator *ev, double error)
{
  char text[GRADYN_WARNING_TEXT];
  gradyn_warning_form(GRADYN_WARNING(UNSTABLE_AT_REST, .value = error), text, sizeof text);
  return gradyn_fail(&ev->model->message, GRADYN_STIFF, "%s", text);
}

gradyn_status gradyn_accuracy_conclude(gradyn_accuracy *a)
{
  gradyn_evaluator *ev = a->ev;
  gradyn_inexact worst = {0};
  GRADYN_TRY(measure(a, &worst));
  note(a, &worst);
  const double error = a->error;
  /* if steps are unstable only for components at rest, the values and the derivatives by moving components
   * are right */
  const bool stand = values_stand(a), rests = stand && ev->method->joins && error > hopeless;
  if (rests && ev->choice.busy)
    return refuse_unstable(ev, error);
  if (rests)
    gradyn_warnings_add(&ev->found, GRADYN_WARNING(UNSTABLE_AT_REST, .value = error));
  if (rests || (stand && error <= missed * a->rtol)) {
    ev->kept.found.undetermined[0] = ev->kept.found.undetermined[1] = 0;
    ev->kept.found.undetermined_functional = NULL;
  }
  if (a->value > missed * a->rtol)
    gradyn_warnings_add(
        &ev->found,
        GRADYN_WARNING(VALUE_ACCURACY, .subject = ev->model->functional[a->value_of].name,
                       .value = a->value * ev->options.rtol / a->rtol, .limit = ev->options.rtol));
  if (error > missed * a->rtol && isfinite(error))
    report(a, &worst);
  ev->exactness.missed = ev->found.count > 0;
  return GRADYN_OK;
}

/* Reserves memory for `count` events and their captured values. Never shrinks. */
static gradyn_status reserve_log(gradyn_evaluator *ev, int count)
{
  gradyn_repetition *capacity = &ev->repetition;
  const size_t captures = (size_t)ev->model->log.captures.count;
  if (count <= capacity->log_room)
    return GRADYN_OK;
  gradyn_event_record *log = realloc(capacity->log, (size_t)count * sizeof *log);
  capacity->log = log ? log : capacity->log;
  double *captured = realloc(capacity->captured, ((size_t)count * captures + 1) * sizeof *captured);
  capacity->captured = captured ? captured : capacity->captured;
  if (!log || !captured)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for %d events", count);
  capacity->log_room = count;
  return GRADYN_OK;
}

/* Copies `count` events and their captured values. */
static void copy_log(gradyn_event_record *to, double *captured, const gradyn_event_record *from,
                     const double *from_captured, size_t count, size_t captures)
{
  if (count == 0)
    return;
  memcpy(to, from, count * sizeof *to);
  memcpy(captured, from_captured, count * captures * sizeof *captured);
}

gradyn_status gradyn_accuracy_keep_log(gradyn_accuracy *a)
{
  gradyn_repetition *capacity = &a->ev->repetition;
  const gradyn_model_log *log = &a->ev->model->log;
  GRADYN_TRY(reserve_log(a->ev, log->count));
  copy_log(capacity->log, capacity->captured, log->record, log->captures.value, (size_t)log->count,
           (size_t)log->captures.count);
  a->events = log->count;
  return GRADYN_OK;
}

void gradyn_accuracy_restore_log(const gradyn_accuracy *a)
{
  const gradyn_repetition *capacity = &a->ev->repetition;
  gradyn_model_log *log = &a->ev->model->log;
  copy_log(log->record, log->captures.value, capacity->log, capacity->captured, (size_t)a->events,
           (size_t)log->captures.count);
  /* this fits into the log: repetitions may have had fewer events, or failed */
  log->count = a->events;
}
