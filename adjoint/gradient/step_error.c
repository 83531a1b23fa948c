/* Errors of gradients by fixed steps. The derivative of a discrete run is exact for that run. Its error
 * against the continuous motion is c h^2, as that of the run. Steps three times as long change the
 * derivative by 8 c h^2, or by 2 c h if the order is lost. Half of the change is therefore an upper bound
 * of the error. If that bound is too large, a run with half the step estimates the error: c h^2 is 4/3 of
 * the change.
 *
 * The other runs use separate evaluators. A gradient takes a third longer, as with adaptive steps. */
#include "adjoint/gradient/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"

enum { MOST_REPORTED = 3 }; /* functionals reported separately */

/* Errors of derivatives that are reported, relative to their scale. */
static const double reported = 1e-3;

/* Share of the smallest scales (accuracy_floors.c) that is used as a scale. With the whole of them, an
 * error of a tenth would be hidden for a squared error near its target (`end` of inverted-pendulum).
 * Without them, the energy of a pendulum would be reported, which should be constant. */
static const double floor_share = 0.03;

/* Computes the gradient with steps of `times` the length, to a->other. A message of the run is passed on to
 * this evaluator. */
static gradyn_status with_steps(gradyn_accuracy *a, double times, const double *rho)
{
  OWNED(gradyn_evaluator) *other = NULL;
  gradyn_options options = a->ev->options;
  options.method = a->ev->method->name;
  options.step *= times;
  options.memory /= fmin(times, 1); /* shorter steps need more memory */
  options.t_end = a->ev->model->span.given;
  GRADYN_TRY(gradyn_evaluator_clone(a->ev, &options, &other));
  other->exactness.care = GRADYN_AS_IT_IS;
  const gradyn_status status = a->data
                                   ? gradyn_evaluator_data_gradient(other, rho, a->other_psi,
                                                                    a->other)
                                   : gradyn_evaluator_gradient(other, rho, a->other_psi, a->other);
  a->ev->message = other->message;
  return status;
}

/* Returns whether a failure of a run with other steps is a failure of the gradient. Recoverable failures
 * are not: with other steps, equations may have no solution, or a run may reach points where a user's
 * function fails. */
static bool ends_all(gradyn_status status)
{
  return status == GRADYN_INTERRUPTED || status == GRADYN_NO_MEMORY;
}

/* Reports that no run with other steps succeeded. status: failure of the last one. */
static gradyn_status not_known(gradyn_evaluator *ev, gradyn_status status)
{
  if (ends_all(status))
    return status;
  gradyn_warnings_add(&ev->found, GRADYN_WARNING(ACCURACY_UNKNOWN, .subject = ev->message.text));
  gradyn_message_clear(&ev->message);
  return GRADYN_OK;
}

/* Reports a derivative whose error is too large, as the worst one of `count` functionals. */
static void report(const gradyn_accuracy *a, const gradyn_inexact *d, size_t count)
{
  gradyn_evaluator *ev = a->ev;
  char unit[sizeof ev->exactness.unit], subject[GRADYN_WARNING_SUBJECT];
  gradyn_accuracy_unit(a, d, unit, sizeof unit);
  (void)snprintf(subject, sizeof subject, "%s by %s", ev->model->functional[d->functional].name,
                 gradyn_accuracy_by(a, d->number));
  gradyn_warnings_add(
      &ev->found, GRADYN_WARNING(GRADIENT_ACCURACY, .subject = subject, .unit = unit,
                                 .value = d->error, .limit = d->allowed, .count = (long)count,
                                 .suggestion = ev->options.step / sqrt(gradyn_inexact_excess(d))));
}

/* Reports the worst derivative of each functional or, of more than MOST_REPORTED functionals, only the
 * worst one of all. */
static void report_worst(const gradyn_accuracy *a, const gradyn_floors *floors)
{
  gradyn_inexact worst = {0};
  size_t count = 0;
  for (size_t f = 0; f < a->nf; f++) {
    const gradyn_inexact d = gradyn_accuracy_worst_of(a, floors, f);
    count += gradyn_inexact_excess(&d) > 1;
    worst = gradyn_inexact_excess(&d) > gradyn_inexact_excess(&worst) ? d : worst;
  }
  for (size_t f = 0; f < a->nf && count <= MOST_REPORTED; f++) {
    const gradyn_inexact d = gradyn_accuracy_worst_of(a, floors, f);
    if (gradyn_inexact_excess(&d) > 1)
      report(a, &d, 1);
  }
  if (count > MOST_REPORTED)
    report(a, &worst, count);
}

/* Compares with steps three times as long and, if the difference is too large, with half the step. */
static gradyn_status judge(gradyn_accuracy *a, const double *rho)
{
  const double longer = 3, by_longer = 0.5, shorter = 0.5, by_shorter = 4.0 / 3;
  LOCAL(gradyn_floors) floors = {0};
  gradyn_status ran = with_steps(a, longer, rho);
  if (ran == GRADYN_OK && gradyn_accuracy_difference(a, by_longer) <= reported)
    return GRADYN_OK;
  if (!ends_all(ran))
    ran = with_steps(a, shorter, rho);
  if (ran != GRADYN_OK)
    return not_known(a->ev, ran);
  if (gradyn_accuracy_difference(a, by_shorter) <= reported)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_accuracy_floors(a, &floors));
  for (size_t f = 0; f < a->nf; f++)
    floors.functional[f] *= floor_share;
  report_worst(a, &floors);
  return GRADYN_OK;
}

/* Allocates the arrays that the evaluator does not have. */
static gradyn_status take_memory(gradyn_accuracy *a, gradyn_arena *arena)
{
  a->other_psi = gradyn_arena_numbers(arena, a->nf);
  a->errors = gradyn_arena_numbers(arena, a->nf);
  a->corner = gradyn_arena_numbers(arena, a->nf);
  a->scale = gradyn_arena_numbers(arena, a->nf);
  a->other = gradyn_arena_numbers(arena, a->nf * a->columns);
  a->apart = gradyn_arena_numbers(arena, a->nf * a->columns);
  GRADYN_TRY(gradyn_arena_status(arena));
  for (size_t f = 0; f < a->nf; f++)
    a->corner[f] = (double)NAN;
  return GRADYN_OK;
}

/* Returns whether errors are to be estimated: steps are fixed, and the caller does not estimate errors
 * itself. */
static bool is_asked(const gradyn_evaluator *ev)
{
  const gradyn_method *method = ev->method;
  const bool fixed = method->rtol == 0 || (method->either && method->order(ev->run) == 0);
  return fixed && ev->options.step > 0 && !ev->exactness.steps_judged &&
         ev->exactness.care != GRADYN_AS_IT_IS;
}

gradyn_status gradyn_step_error(gradyn_evaluator *ev, bool data, const double *rho,
                                const double *psi, const double *gradient)
{
  if (!is_asked(ev))
    return GRADYN_OK;
  gradyn_arena arena = {0};
  gradyn_accuracy a = {.ev = ev,
                       .nf = (size_t)ev->model->functional_count,
                       .columns = data ? (size_t)ev->public_count : ev->parameters.count,
                       .data = data,
                       .rtol = reported,
                       .psi = (double *)psi,
                       .gradient = (double *)gradient};
  /* statistics and events are reported for the run of the gradient, not for its repetitions */
  ev->kept = *ev->method->report(ev->run);
  ev->repetition.use_cost = true;
  gradyn_status status = take_memory(&a, &arena);
  if (status == GRADYN_OK)
    status = judge(&a, rho);
  gradyn_arena_clear(&arena);
  return status;
}
