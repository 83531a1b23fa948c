/* Statistics and warnings of a result. Warnings state why a result is unreliable although its status is
 * ok. */
#include "adjoint/evaluator/evaluator.h"
#include "core/model/event_log.h"
#include "adjoint/method.h"
#include "dae/fixed/march.h"

#include <stdio.h>

/* Effect of errors on a value, relative to its size, above which the value counts as undetermined. */
static const double undetermined = 0.1;

/* Fixed steps only: with error control, steps are divided regularly. */
static void warn_divided(gradyn_evaluator *ev, const gradyn_statistics *s)
{
  if (s->steps_divided > 0)
    gradyn_message_add(&ev->warnings,
                       "steps had to be divided, or to end elsewhere, %ld times in a run of %ld; "
                       "results may depend on that. Use a shorter step",
                       s->steps_divided, s->steps);
}

/* Found by sweep_growth.c in gradients of fixed steps. */
static void warn_growth(gradyn_evaluator *ev, const gradyn_statistics *s)
{
  if (s->growth > 0)
    gradyn_message_add(&ev->warnings,
                       "the steps are too long for derivatives: disturbances grow by a factor of "
                       "%.1e after t = %g s. Use steps of %.1g s",
                       s->growth, s->growth_time, s->growth_step);
}

/* Found in gradients of fixed steps. */
static void warn_slope(gradyn_evaluator *ev, const gradyn_statistics *s)
{
  if (s->slope != 0)
    gradyn_message_add(
        &ev->warnings,
        "the steps are too long for derivatives where the slip of %s leaves its transition "
        "velocity at t = %g s. Disturbances are multiplied by %.2g too much. Use steps of %.1g s",
        s->slope_force, s->slope_time, s->slope, s->slope_step);
}

/* Found in the forward run of a gradient (dae/events/discontinuities.h). */
static void warn_jumps(gradyn_evaluator *ev, const gradyn_statistics *s)
{
  static const char consequence[] =
      "as states move, and no event is declared there: gradients lack the change of the time of "
      "the jump. Declare an event there, or let the equations change steeply instead";
  const double *t = s->jump_time;
  if (s->jumps == 1)
    gradyn_message_add(&ev->warnings, "the equations jump near t = %.6g s %s", t[0], consequence);
  else if (s->jumps == 2)
    gradyn_message_add(&ev->warnings, "the equations jump near t = %.6g s and %.6g s %s", t[0],
                       t[1], consequence);
  else if (s->jumps > 2)
    gradyn_message_add(
        &ev->warnings,
        "the equations jump at %d times, the first near t = %.6g s, %.6g s and %.6g s, %s",
        s->jumps, t[0], t[1], t[2], consequence);
}

/* Found at impacts (dae/events/impact_balance.c), for guards at the start of modes (dae/events/detect.c), and
 * for simultaneous events (dae/events/coincidence.c). */
static void warn_events(gradyn_evaluator *ev)
{
  static const char *const says[] = {
      [GRADYN_MOMENTUM_LEFT] =
          "the jump of momentum differs by %.1e from that of the impulses: matrices and forces of "
          "the mechanism contradict each other. Run 'check', which names where",
      [GRADYN_ENERGY_GROWS] = "the impact gains %.3g J without a drive: restitution and the "
                              "constraints that are new after it contradict each other",
      [GRADYN_WALL_PULLS] = "the wall pulls, with %.3g N s",
      [GRADYN_HOP_UNSEEN] = "the guard leaves zero at a rate of %.1e and is back before it can be "
                            "distinguished from zero: that event is left out",
      [GRADYN_ORDER_DECIDES] = "another event happens at the same time, and derivatives, which "
                               "depend on which is the first, do not exist there"};
  for (int k = 0; k < GRADYN_IMBALANCES; k++) {
    const gradyn_imbalance *found = &ev->model->log.imbalance[k];
    char what[256], others[64] = "";
    if (found->count == 0)
      continue;
    (void)snprintf(what, sizeof what, says[k], found->amount);
    if (found->count > 1)
      (void)snprintf(others, sizeof others, " (and %d more)", found->count - 1);
    gradyn_message_add(&ev->warnings, "%s at t = %.6g s: %s%s", ev->model->event[found->event].name,
                       found->t, what, others);
  }
}

/* Events that change nothing, and at which no functional is evaluated. */
static void warn_idle_events(gradyn_evaluator *ev)
{
  for (int i = 0; i < ev->model->event_count; i++)
    if (!gradyn_event_acts(ev->model, i))
      gradyn_message_add(&ev->warnings,
                         "event %s has no effect: it changes neither the state nor the mode, does "
                         "not end the run, and no functional is taken at it. Say what it does, or "
                         "leave it out",
                         ev->model->event[i].name);
}

bool gradyn_is_undetermined(const gradyn_statistics *s)
{
  return s->undetermined[0] > undetermined;
}

/* Values with errors of steps that grow beyond their size, as in chaotic motions over long times. */
static void warn_undetermined(gradyn_evaluator *ev, const gradyn_statistics *s)
{
  if (!gradyn_is_undetermined(s))
    return;
  gradyn_message_add(&ev->warnings,
                     "functional %s is not determined: disturbances grow, and errors of the steps "
                     "may change it by %.0e of its size; %s",
                     s->undetermined_functional, s->undetermined[0],
                     s->undetermined[1] > undetermined
                         ? "no tolerance will do, as round-off alone does the same: shorten the run"
                         : "shorten the run, or tighten the tolerance");
}

void gradyn_evaluator_forget(gradyn_evaluator *ev)
{
  gradyn_message_clear(&ev->message);
  gradyn_message_clear(&ev->warnings);
  gradyn_message_clear(&ev->corners);
  ev->exactness.missed = false;
  ev->exactness.error = 0;
}

gradyn_statistics gradyn_evaluator_statistics(const gradyn_evaluator *ev)
{
  gradyn_statistics statistics = {0};
  /* of the gradient that was kept, if several were computed for its accuracy */
  if (ev && ev->repetition.use_cost)
    statistics = ev->cost;
  else if (ev && ev->run)
    statistics = ev->method->statistics(ev->run);
  /* before the first run */
  if (!statistics.method)
    statistics.method = ev && ev->method ? ev->method->name : "";
  return statistics;
}

void gradyn_evaluator_warn(gradyn_evaluator *ev)
{
  gradyn_statistics s = gradyn_evaluator_statistics(ev);
  gradyn_message_clear(&ev->warnings);
  warn_divided(ev, &s);
  warn_growth(ev, &s);
  warn_slope(ev, &s);
  warn_jumps(ev, &s);
  warn_undetermined(ev, &s);
  warn_events(ev);
  warn_idle_events(ev);
  if (s.leap > 0) /* only found in runs with fixed steps */
    gradyn_fixed_tell_leap(&ev->warnings, &s);
  if (ev->corners.text[0] != '\0')
    gradyn_message_add(&ev->warnings, "%s", ev->corners.text);
}

const char *gradyn_evaluator_warnings(const gradyn_evaluator *ev)
{
  return ev ? ev->warnings.text : "";
}
