/* What fixed steps leave of a gradient. The derivative of a discrete run is exact as such and errs as the run
 * does, by some c h^2. Steps three times as long differ by 8 c h^2, or by 2 c h where the order is lost, so
 * that half the difference is no less than the error. What that leaves open is asked of half the step:
 * c h^2 is 4/3 of its difference.
 *
 * The other runs are those of evaluators of their own: a gradient takes a third longer, as those of methods
 * that choose their steps do. */
#include "adjoint/gradient/accuracy.h"

#include <math.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"

enum { MOST_REPORTED = 3 }; /* functionals, one by one */

/* Errors of derivatives that are reported, over what they are measured by. */
static const double reported = 1e-3;

/* Of floors (accuracy_floors.c): all of them would hide a tenth of the derivative of a squared error near its
 * target, the inverted pendulum's `end`; none would report that the energy of a pendulum is not kept. */
static const double floor_share = 0.03;

/* The gradient with other steps, to a->other. Its message is that of this evaluator. */
static gradyn_status with_steps(gradyn_accuracy *a, double times, const double *rho)
{
  OWNED(gradyn_evaluator) *other = NULL;
  gradyn_options options = a->ev->options;
  options.method = a->ev->method->name;
  options.step *= times;
  options.memory /= fmin(times, 1); /* of more steps */
  options.t_end = a->ev->model->span.given;
  GRADYN_TRY(gradyn_evaluator_alike(a->ev, &options, &other));
  other->exactness.care = GRADYN_AS_IT_IS;
  const gradyn_status status = a->data ? gradyn_data_gradient(other, rho, a->other_psi, a->other)
                                       : gradyn_gradient(other, rho, a->other_psi, a->other);
  a->ev->message = other->message;
  return status;
}

/* What ends the gradient as well. Other steps may miss the times of functionals, have no solution or pass
 * where a user's function fails. */
static bool ends_all(gradyn_status status)
{
  return status == GRADYN_INTERRUPTED || status == GRADYN_NO_MEMORY;
}

/* No run with other steps, of which the last one ended with a status. */
static gradyn_status not_known(gradyn_evaluator *ev, gradyn_status status)
{
  if (ends_all(status))
    return status;
  gradyn_message_add(&ev->corners,
                     "the error of derivatives with steps of %.3g s is not known: with other steps "
                     "the run fails: %.300s",
                     ev->options.step, ev->message.text);
  gradyn_message_clear(&ev->message);
  return GRADYN_OK;
}

static void report(const gradyn_accuracy *a, const gradyn_inexact *d)
{
  gradyn_evaluator *ev = a->ev;
  const double step = ev->options.step;
  char unit[sizeof ev->exactness.unit];
  gradyn_accuracy_unit(a, d, unit, sizeof unit);
  gradyn_message_add(&ev->corners,
                     "the derivative of %s by %s is exact to about %.1g%s%s only, %.1g of the "
                     "largest, with steps of %.3g s. Use steps of %.1g s",
                     ev->model->functional[d->functional].name, gradyn_accuracy_by(a, d->number),
                     d->error, *unit ? " " : "", unit, d->error / a->scale[d->functional], step,
                     step / sqrt(gradyn_inexact_excess(d)));
}

/* The worst derivative of each functional; of many functionals that of the worst one only. */
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
      report(a, &d);
  }
  if (count <= MOST_REPORTED)
    return;
  report(a, &worst);
  gradyn_message_add(
      &a->ev->corners,
      "derivatives of %zu other functionals miss a thousandth, too; see `gradyn steps`", count - 1);
}

/* Compares with longer steps, and where these differ by too much with half the step. */
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

/* Arrays beside the evaluator's own. */
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

/* Whether steps were fixed, and nobody else asks. */
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
  /* statistics and events are those of the gradient */
  ev->cost = ev->method->statistics(ev->run);
  ev->repetition.use_cost = true;
  gradyn_status status = take_memory(&a, &arena);
  if (status == GRADYN_OK)
    status = judge(&a, rho);
  gradyn_arena_clear(&arena);
  return status;
}
