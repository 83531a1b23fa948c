/* Statistics and warnings of a result. Warnings state why a result is unreliable although its status is
 * ok. */
#include "adjoint/evaluator/retired.h"
#include "adjoint/evaluator/warn_run.h"
#include "core/model/event_log.h"
#include "adjoint/method.h"
#include "dae/fixed/step.h"

#include <math.h>
#include <stdio.h>

/* Effect of errors on a value, relative to its size, above which the value counts as undetermined. */
static const double undetermined = 0.1;

/* Warns of findings in runs and gradients with fixed steps. */
static void warn_steps(gradyn_warnings *to, const gradyn_findings *found, long steps)
{
  gradyn_warning leap;
  if (found->divided > 0)
    gradyn_warnings_add(to,
                        GRADYN_WARNING(STEPS_SUBDIVIDED, .count = found->divided,
                                       .value = (double)found->divided, .limit = (double)steps));
  if (found->growth.size > 0)
    gradyn_warnings_add(to, GRADYN_WARNING(ADJOINT_GROWTH, .t = found->growth.t,
                                           .value = found->growth.size,
                                           .suggestion = found->growth.step));
  if (gradyn_fixed_slip_jumps(found, &leap))
    gradyn_warnings_add(to, &leap);
  if (found->exit.size != 0)
    gradyn_warnings_add(to, GRADYN_WARNING(SLIP_EXIT, .subject = found->exit.name,
                                           .t = found->exit.t, .value = found->exit.size,
                                           .limit = 1, .suggestion = found->exit.step));
}

/* Warns of jumps found in the forward run of a gradient (dae/monitors/discontinuities.c): one warning for
 * each recorded time. The last warning also has the number of jumps that were not recorded. */
static void warn_jumps(gradyn_warnings *to, const gradyn_findings *found)
{
  for (int k = 0; k < found->jumps && k < GRADYN_JUMP_TIMES; k++) {
    const bool last = k + 1 == GRADYN_JUMP_TIMES;
    gradyn_warnings_add(to, GRADYN_WARNING(UNDECLARED_DISCONTINUITY, .t = found->jump_time[k],
                                           .count = last ? found->jumps - k : 1));
  }
}

/* Warns of findings at impacts (dae/events/impact_balance.c), of guards at the start of modes
 * (dae/events/detect.c), and of simultaneous events (dae/events/coincidence.c). */
static void warn_events(gradyn_warnings *to, const gradyn_model *model)
{
  static const struct {
    gradyn_warning_code code;
    const char *unit;
  } kind[] = {[GRADYN_MOMENTUM_LEFT] = {GRADYN_WARNING_MOMENTUM_BALANCE, ""},
              [GRADYN_ENERGY_GROWS] = {GRADYN_WARNING_IMPACT_ENERGY, "J"},
              [GRADYN_WALL_PULLS] = {GRADYN_WARNING_ADHESIVE_IMPACT, "N s"},
              [GRADYN_HOP_UNSEEN] = {GRADYN_WARNING_UNRESOLVED_BOUNCE, "1/s"},
              [GRADYN_ORDER_DECIDES] = {GRADYN_WARNING_SIMULTANEOUS_EVENTS, ""},
              [GRADYN_START_UNSEEN] = {GRADYN_WARNING_EVENT_AT_START, ""}};
  for (int k = 0; k < GRADYN_IMBALANCES; k++) {
    const gradyn_imbalance *found = &model->log.imbalance[k];
    const gradyn_warning warning = {
        .code = kind[k].code,
        .subject = model->event_count > 0 ? model->event[found->event].name : NULL,
        .unit = kind[k].unit,
        .t = found->t,
        .value = found->amount,
        .count = found->count};
    if (found->count > 0)
      gradyn_warnings_add(to, &warning);
  }
}

/* Warns of events that change nothing, and at which no functional is evaluated. */
static void warn_idle_events(gradyn_warnings *to, const gradyn_model *model)
{
  for (int i = 0; i < model->event_count; i++)
    if (!gradyn_event_acts(model, i))
      gradyn_warnings_add(to, GRADYN_WARNING(EVENT_HAS_NO_EFFECT, .subject = model->event[i].name));
}

bool gradyn_is_undetermined(const gradyn_findings *found)
{
  return found->undetermined[0] > undetermined;
}

/* Warns of values whose errors, caused by steps, grow beyond their size, as in chaotic motions over long
 * times. If round-off alone has this effect, no tolerance suffices. */
static void warn_undetermined(gradyn_warnings *to, const gradyn_findings *found, double rtol)
{
  const bool hopeless = found->undetermined[1] > undetermined;
  if (gradyn_is_undetermined(found))
    gradyn_warnings_add(
        to,
        GRADYN_WARNING(ILL_DETERMINED, .subject = found->undetermined_functional,
                       .value = found->undetermined[0], .limit = undetermined,
                       .suggestion = hopeless ? 0 : rtol * undetermined / found->undetermined[0]));
}

void gradyn_evaluator_forget(gradyn_evaluator *ev)
{
  gradyn_message_clear(&ev->message);
  gradyn_warnings_clear(&ev->warnings);
  gradyn_warnings_clear(&ev->found);
  ev->exactness.missed = false;
  ev->exactness.error = 0;
}

gradyn_statistics gradyn_evaluator_statistics(const gradyn_evaluator *ev)
{
  gradyn_statistics statistics = {0};
  /* if several gradients were computed for accuracy, the counts are those of the one that was kept */
  if (ev && ev->repetition.use_cost)
    statistics = ev->kept.cost;
  else if (ev && ev->run && !ev->repetition.no_run)
    statistics = ev->method->report(ev->run)->cost;
  /* before the first run */
  if (!statistics.method)
    statistics.method = ev && ev->method ? ev->method->name : "";
  statistics.events = ev && ev->model ? (size_t)ev->model->log.count : 0;
  statistics.warnings = ev ? ev->warnings.count : 0;
  return statistics;
}

gradyn_findings gradyn_evaluator_findings(const gradyn_evaluator *ev)
{
  if (ev->repetition.use_cost)
    return ev->kept.found;
  return ev->run && !ev->repetition.no_run ? ev->method->report(ev->run)->found
                                           : (gradyn_findings){0};
}

void gradyn_evaluator_warn_run(gradyn_evaluator *ev, const gradyn_findings *found, long steps)
{
  gradyn_warnings *to = &ev->warnings;
  warn_steps(to, found, steps);
  warn_jumps(to, found);
  warn_undetermined(to, found, ev->options.rtol);
  warn_events(to, ev->model);
}

void gradyn_evaluator_warn(gradyn_evaluator *ev)
{
  const gradyn_findings found = gradyn_evaluator_findings(ev);
  gradyn_warnings_clear(&ev->warnings);
  gradyn_evaluator_warn_run(ev, &found, gradyn_evaluator_statistics(ev).steps);
  warn_idle_events(&ev->warnings, ev->model);
  gradyn_warnings_append(&ev->warnings, &ev->found);
}

gradyn_warning gradyn_evaluator_warning_at(const gradyn_evaluator *ev, size_t i)
{
  static const gradyn_warnings none;
  return gradyn_warnings_at(ev ? &ev->warnings : &none, i);
}

const char *gradyn_evaluator_warnings(const gradyn_evaluator *ev)
{
  return ev ? ev->warnings.text : "";
}
