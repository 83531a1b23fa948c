/* Runs of a fixed-step scheme.
 *
 * Arcs of the run [0, t_end] are divided into steps (fixed/events.c). Times are proportional to the end
 * time. For sweeps, all nodes are stored, or only every `segment`-th node, from which the others are
 * computed again. */
#include "dae/fixed/fixed.h"
#include "dae/fixed/events.h"
#include "dae/fixed/step.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"

enum { FIRST_ALLOWED = 32 }; /* events for which memory is provided at first */

gradyn_status gradyn_fixed_create(gradyn_model *model, gradyn_stepper *stepper,
                                  const gradyn_options *options, gradyn_fixed *s)
{
  *s = (gradyn_fixed){.stepper = stepper,
                      .model = model,
                      .options = *options,
                      .nf = model->functional_count,
                      .t_first = creal(model->value[model->t_end]),
                      .kept = {.segment = 1, .replayed = -1}};
  const size_t nf = (size_t)s->nf, ny = (size_t)stepper->ny;
  gradyn_arena *arena = &s->arena;
  s->inner = gradyn_arena_numbers(arena, nf + 1);
  s->g = gradyn_arena_numbers(arena, 2 * nf);
  s->view.y = gradyn_arena_numbers(arena, ny);
  s->view.mult = gradyn_arena_numbers(arena, ny); /* m <= ny */
  s->y[0] = gradyn_arena_numbers(arena, ny);
  s->y[1] = gradyn_arena_numbers(arena, ny);
  s->trial = gradyn_arena_numbers(arena, (size_t)stepper->record);
  s->lists.of = gradyn_arena_take(arena, 2 * nf + 1, sizeof(int));
  s->top = gradyn_arena_take(arena, nf, sizeof *s->top);
  gradyn_status status = gradyn_arena_status(arena);
  if (status == GRADYN_OK)
    status = gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &s->force);
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "out of memory");
  s->kept.allowed = model->event_count > 0 ? FIRST_ALLOWED : 0;
  GRADYN_TRY(gradyn_tape_create(model, &s->tape));
  const gradyn_observed_run run = {
      .model = model, .integrator = s, .report = &s->report, .ny = stepper->ny, .equal = true};
  GRADYN_TRY(gradyn_monitors_create(&run, gradyn_fixed_monitors, &s->monitors));
  GRADYN_TRY(gradyn_fixed_find_arcs(model, &s->first));
  return gradyn_event_sequence_create(model, 0, (const size_t[6]){0}, &s->events);
}

void gradyn_fixed_clear(gradyn_fixed *s)
{
  free(s->step);
  free(s->kept.node);
  free(s->kept.replay);
  gradyn_tape_clear(&s->tape);
  gradyn_monitors_clear(&s->monitors);
  gradyn_arcs_clear(&s->arcs);
  gradyn_arcs_clear(&s->first);
  gradyn_event_sequence_clear(&s->events);
  gradyn_initial_clear(&s->force);
  gradyn_arena_clear(&s->arena);
  if (s->stepper)
    s->stepper->ops->free(s->stepper);
  *s = (gradyn_fixed){0};
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Takes all steps from the start. Ends early, with kept.again, if memory for events does not suffice. */
static gradyn_status run(gradyn_fixed *s, bool keep, gradyn_trajectory *trajectory)
{
  double *node = gradyn_fixed_node_memory(s, keep, 0);
  gradyn_discrete_state_rewind(s->model);
  gradyn_arcs_enter(s->model, &s->arcs, 0);
  s->step[0].fraction = 0;
  s->count = 0;
  s->subdivided = s->across = 0;
  s->monitors.run.derivatives = keep;
  GRADYN_TRY(gradyn_monitors_call(&s->monitors, GRADYN_ON_BEGIN, NULL));
  GRADYN_TRY(s->stepper->ops->start(s->stepper, s->plan.h, node));
  GRADYN_TRY(gradyn_fixed_begin_integrals(s, node));
  GRADYN_TRY(gradyn_fixed_observe(s, 0, node, trajectory));
  return gradyn_fixed_events_run(s, keep, trajectory);
}

/* Plans a run, takes its steps, and computes psi. Repeats the run if memory for events did not suffice. */
static gradyn_status run_to_end(gradyn_fixed *s, double h, double steps, bool keep, double *psi,
                                gradyn_trajectory *trajectory)
{
  do {
    GRADYN_TRY(gradyn_fixed_events_plan(s, h, (int)steps));
    GRADYN_TRY(gradyn_fixed_reserve(s, keep));
    if (trajectory)
      GRADYN_TRY(gradyn_trajectory_begin(trajectory, s->model));
    GRADYN_TRY(run(s, keep, trajectory));
  } while (s->kept.again);
  return gradyn_fixed_finish(s, psi);
}

gradyn_status gradyn_fixed_run(gradyn_fixed *s, bool keep, double *psi,
                               gradyn_trajectory *trajectory)
{
  double clock = gradyn_seconds();
  s->t_end = s->model->x[s->model->t_end];
  /* if the end time varies: without events, steps have a constant number and varying lengths; with events,
   * a constant length */
  bool stretched = s->model->event_count == 0;
  double span = s->model->span.built && stretched ? s->t_first : s->t_end;
  /* default: a thousand steps */
  double h = s->options.step > 0 ? s->options.step : span / 1000;
  double steps = ceil(span / h - 1e-9); /* 1e-9: against round-off of span/h */
  if (!(steps >= 1) || steps > 1e9)
    return gradyn_fail(&s->model->message, GRADYN_INVALID,
                       "the step is %g s for a run of %g s: 1 to 1e9 steps are possible", h, span);
  if (s->options.max_steps > 0 && steps > (double)s->options.max_steps)
    return gradyn_fail(&s->model->message, GRADYN_STEP_LIMIT,
                       "steps of %g s make %.0f steps, more than the %ld allowed: choose a longer "
                       "step or allow more",
                       h, steps, s->options.max_steps);
  s->plan.h = stretched ? s->t_end / steps : h; /* equal steps that end exactly at the end time */
  s->report = (gradyn_run_report){0};
  s->stepper->newton_iterations = s->stepper->factorisations = 0;
  s->stepper->leap = s->stepper->exit = (gradyn_slip_jump){0};
  const gradyn_status status = run_to_end(s, h, steps, keep, psi, trajectory);
  s->report.cost.steps = s->count;
  s->report.cost.arcs = s->arcs.count;
  s->report.found.divided = s->subdivided + s->across;
  s->report.cost.newton_iterations = s->stepper->newton_iterations;
  s->report.cost.factorisations = s->stepper->factorisations;
  gradyn_fixed_note_leap(s);
  s->report.cost.time_simulate = gradyn_seconds() - clock;
  return status;
}

/* --- nodes of a run that has stored them ------------------------------------------------------- */

/* Computes the nodes of the segment that starts at step `first` again. */
static gradyn_status replay(gradyn_fixed *s, int first)
{
  size_t record = (size_t)s->stepper->record;
  /* the first node of the segment is stored */
  memcpy(s->kept.replay, s->kept.node + (size_t)(first / s->kept.segment) * record,
         record * sizeof(double));
  for (int i = 0; i < s->kept.segment && first + i < s->count; i++) {
    const int k = first + i;
    double *from = s->kept.replay + (size_t)i * record, *to = from + record;
    GRADYN_TRY(gradyn_model_cancelled(s->model, gradyn_fixed_time(s, k)));
    gradyn_fixed_enter(s, k);
    if (gradyn_fixed_pause(s, k))
      memcpy(to, from, record * sizeof *to);
    else
      GRADYN_TRY(s->step[k].jump ? gradyn_fixed_jump(s, k, from, to, NULL)
                                 : gradyn_fixed_take(s, k, from, to));
  }
  s->kept.replayed = first;
  return GRADYN_OK;
}

/* Prefetches node k - 1, at most MOST numbers of it. Sweeps read nodes backward, and there are more nodes
 * than fit into the cache. */
static void fetch_ahead(const gradyn_fixed *s, int k)
{
  enum { LINE = 64 / sizeof(double), MOST = 64 * LINE };
  const int record = s->stepper->record;
  if (k == 0)
    return;
  const double *before = s->kept.node + (size_t)(k - 1) * (size_t)record;
  for (int i = 0; i < record && i < MOST; i += LINE)
    __builtin_prefetch(before + i);
}

gradyn_status gradyn_fixed_nodes(gradyn_fixed *s, int k, const double **from, const double **to)
{
  size_t record = (size_t)s->stepper->record;
  GRADYN_TRY(gradyn_model_cancelled(s->model, gradyn_fixed_time(s, k)));
  if (s->kept.segment == 1) {
    *from = s->kept.node + (size_t)k * record;
    *to = *from + record;
    fetch_ahead(s, k);
    return GRADYN_OK;
  }
  int first = k - k % s->kept.segment; /* the first step of its segment */
  if (s->kept.replayed != first)
    GRADYN_TRY(replay(s, first));
  *from = s->kept.replay + (size_t)(k - first) * record;
  *to = *from + record;
  return GRADYN_OK;
}
