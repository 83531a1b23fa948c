/* Runs of a fixed-step scheme.
 *
 * Arcs of the run [0, t_end] are divided into steps (fixed/events.c). A step that fails is halved; the rest
 * of it is taken in separate steps, so that later steps begin where planned. fraction[k] is t_k/t_end and
 * length[k] is h_k/t_end: times are proportional to the end time. For sweeps, all nodes are stored, or every
 * `segment`-th, from which the others are computed again. */
#include "dae/fixed/fixed.h"
#include "dae/linear/drift.h"
#include "dae/fixed/events.h"
#include "dae/fixed/march.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"

enum {
  MOST_DIVISIONS = 10, /* a step may be halved this often */
  FIRST_ALLOWED = 32,  /* events for which memory is provided at first */
  DRIFT_EVERY = 10,    /* constraint violations are computed at every tenth node */
  /* of the steps of a run a tenth may be divided, but at least LEAST_ALLOWED */
  LEAST_ALLOWED = 10,
  ALLOWED_OF = 10,
  MOST_ALLOWED = 100000 /* memory is taken for them */
};

/* The number of divided or moved steps that is allowed in a run of so many steps; with more, the requested
 * length is too long. Each adds at most one node. */
static int most_divided(int steps)
{
  int allowed = steps / ALLOWED_OF > LEAST_ALLOWED ? steps / ALLOWED_OF : LEAST_ALLOWED;
  return allowed < MOST_ALLOWED ? allowed : MOST_ALLOWED;
}

/* Bytes that the options allow for the nodes of a gradient. */
static double memory_of(const gradyn_options *options)
{
  return options->memory > 0 ? options->memory : 1e9;
}

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
  s->node_of = gradyn_arena_take(arena, nf, sizeof(int));
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

double gradyn_fixed_time(const gradyn_fixed *s, int k)
{
  return s->step[k].fraction * s->t_end;
}

double gradyn_fixed_length(const gradyn_fixed *s, int k)
{
  return s->step[k].length * s->t_end;
}

double gradyn_fixed_weight(const gradyn_fixed *s, int k)
{
  double before = k > 0 ? s->step[k - 1].length : 0;
  double after = k < s->count ? s->step[k].length : 0;
  return s->t_end * (before + after) / 2; /* trapezoidal: half of both neighbours */
}

bool gradyn_fixed_ended(const gradyn_fixed *s)
{
  return gradyn_log_ends(s->model);
}

double gradyn_fixed_end(const gradyn_fixed *s)
{
  return s->arcs.boundary[s->arcs.count].t;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Provides memory for `need` numbers in an array that never shrinks. */
static gradyn_status reserve(gradyn_model *model, double **array, size_t *capacity, size_t need)
{
  if (need <= *capacity)
    return GRADYN_OK;
  double *grown = realloc(*array, need * sizeof *grown);
  if (!grown)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %.3g numbers of a run",
                       (double)need);
  *array = grown;
  *capacity = need;
  return GRADYN_OK;
}

/* Steps, and one entry more for the last node. */
static gradyn_status reserve_steps(gradyn_fixed *s, int need)
{
  if (need <= s->capacity)
    return GRADYN_OK;
  void *grown = realloc(s->step, ((size_t)need + 1) * sizeof *s->step);
  if (!grown)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for %d steps", need);
  s->step = grown;
  s->capacity = need;
  return GRADYN_OK;
}

/* Decides which nodes are stored within the allowed memory: all, or every segment-th and one segment at a
 * time. */
static gradyn_status plan(gradyn_fixed *s, int steps, bool keep)
{
  size_t record = (size_t)s->stepper->record;
  double budget = memory_of(&s->options) / sizeof(double);
  s->kept.segment = 1;
  s->kept.replayed = -1;
  if (!keep) /* two nodes, used alternately */
    return reserve(s->model, &s->kept.node, &s->kept.node_room, 2 * record);
  if ((double)record * (steps + 1) > budget)
    s->kept.segment = (int)ceil(
        sqrt((double)steps)); /* sqrt N segments of sqrt N steps: least memory */
  size_t kept = (size_t)(steps / s->kept.segment) + 2;
  size_t replayed = s->kept.segment > 1 ? (size_t)s->kept.segment + 1 : 0;
  /* not enough memory even for segments */
  if (s->kept.segment > 1 && (double)((kept + replayed) * record) > budget)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY,
                       "the states of a gradient need at least %.3g bytes; the option memory "
                       "allows %.3g. Increase it, or take fewer steps",
                       (double)((kept + replayed) * record * sizeof(double)),
                       budget * sizeof(double));
  GRADYN_TRY(reserve(s->model, &s->kept.node, &s->kept.node_room, kept * record));
  if (s->kept.segment > 1)
    GRADYN_TRY(reserve(s->model, &s->kept.replay, &s->kept.replay_room, replayed * record));
  return GRADYN_OK;
}

/* --- runs ------------------------------------------------------------------------------------- */

double *gradyn_fixed_node_memory(const gradyn_fixed *s, bool keep, int k)
{
  size_t record = (size_t)s->stepper->record;
  if (!keep)
    return s->kept.node + (size_t)(k % 2) * record; /* a node and the one before */
  if (s->kept.segment == 1)
    return s->kept.node + (size_t)k * record;
  /* first nodes of segments are stored, the others alternate in two places of the replay buffer */
  return k % s->kept.segment == 0 ? s->kept.node + (size_t)(k / s->kept.segment) * record
                                  : s->kept.replay + (size_t)(k % 2) * record;
}

gradyn_status gradyn_fixed_observe(gradyn_fixed *s, int k, const double *node,
                                   gradyn_trajectory *trajectory)
{
  double t = gradyn_fixed_time(s, k);
  const double *y = node;
  /* positions are in every node */
  GRADYN_TRY(
      gradyn_monitors_call(&s->monitors, GRADYN_ON_NODE, &(gradyn_observed){.t = t, .to = node}));
  if (trajectory) {
    /* a trajectory needs the whole output state */
    GRADYN_TRY(gradyn_fixed_output_state(s, k, node, GRADYN_FORCES, &y));
  }
  if (s->stepper->ops->drift && (k % DRIFT_EVERY == 0 || trajectory)) {
    double worst[3] = {0};
    GRADYN_TRY(s->stepper->ops->drift(s->stepper, t, node, &s->view, worst));
    gradyn_drift_raise(&s->report.cost, worst);
  }
  return trajectory ? gradyn_trajectory_add(trajectory, t, y, NULL) : GRADYN_OK;
}

gradyn_status gradyn_fixed_observe_step(gradyn_fixed *s, int k, const double *from,
                                        const double *to)
{
  const gradyn_observed step = {
      .t = gradyn_fixed_time(s, k), .h = gradyn_fixed_length(s, k), .from = from, .to = to};
  return gradyn_monitors_call(&s->monitors, GRADYN_ON_STEP, &step);
}

gradyn_status gradyn_fixed_observe_end(gradyn_fixed *s, const double *node)
{
  const gradyn_observed end = {.t = gradyn_fixed_time(s, s->count), .to = node};
  return gradyn_monitors_call(&s->monitors, GRADYN_ON_END, &end);
}

/* Takes step k, over a share of the run. lenient: it may end near a singular position. */
static gradyn_status try_step(gradyn_fixed *s, int k, double share, bool lenient,
                              const double *from, double *to)
{
  s->step[k].length = share;
  s->step[k].lenient = lenient;
  return gradyn_fixed_take(s, k, from, to);
}

/* Takes a step whose end is too near a singular position: half a step longer, across the position, if the
 * arc is long enough; otherwise a lenient step to this end. */
static gradyn_status step_across(gradyn_fixed *s, int k, double share, const double *from,
                                 double *to)
{
  gradyn_status status = GRADYN_SINGULAR;
  s->across++;
  if (s->step[k].fraction + 1.5 * share < s->limit)
    status = try_step(s, k, 1.5 * share, false, from, to);
  if (status == GRADYN_OK || gradyn_status_describe(status).kind != GRADYN_CLASS_RECOVERABLE ||
      status == GRADYN_CALLBACK)
    return status;
  return try_step(s, k, share, true, from, to);
}

gradyn_status gradyn_fixed_take(gradyn_fixed *s, int k, const double *from, double *to)
{
  s->stepper->lenient = s->step[k].lenient;
  const gradyn_status status = s->stepper->ops->step(s->stepper, gradyn_fixed_time(s, k),
                                                     gradyn_fixed_length(s, k), from, to);
  s->stepper->lenient = false;
  return status;
}

gradyn_status gradyn_fixed_advance(gradyn_fixed *s, int k, double share, const double *from,
                                   double *to)
{
  gradyn_status status = GRADYN_OK;
  /* halved until it succeeds */
  for (int division = 0; division <= MOST_DIVISIONS; division++, share /= 2) {
    GRADYN_TRY(gradyn_model_cancelled(s->model, gradyn_fixed_time(s, k)));
    status = try_step(s, k, share, false, from, to);
    if (status == GRADYN_SINGULAR)
      status = step_across(s, k, share, from, to);
    /* success, or a failure that shorter steps do not avoid */
    if (gradyn_status_describe(status).kind != GRADYN_CLASS_RECOVERABLE ||
        status == GRADYN_CALLBACK)
      return status;
    s->subdivided++;
  }
  gradyn_message_add(&s->model->message, "halving the step %d times did not help", MOST_DIVISIONS);
  return status;
}

/* Stores the largest change of a slip velocity in the report. */
static void note_leap(gradyn_fixed *s)
{
  const gradyn_slip_jump *leap = &s->stepper->leap;
  const double rate = leap->rate;
  /* rate times the length of an undivided step */
  s->report.found.slip_jump = (gradyn_finding){rate * s->plan.h, leap->t, rate > 0 ? 1 / rate : 0,
                                               leap->force};
}

bool gradyn_fixed_slip_jumps(const gradyn_findings *found, gradyn_warning *warning)
{
  const double tolerable = 2; /* transition velocities within a step */
  *warning = (gradyn_warning){.code = GRADYN_WARNING_SLIP_JUMP,
                              .subject = found->slip_jump.name,
                              .t = found->slip_jump.t,
                              .unit = "",
                              .value = found->slip_jump.size,
                              .limit = tolerable,
                              .suggestion = found->slip_jump.step};
  return found->slip_jump.size > tolerable;
}

/* Adds the warning about such a change to the message of a failed run. */
static void explain_leap(gradyn_fixed *s)
{
  gradyn_warning warning;
  if (gradyn_fixed_slip_jumps(&s->report.found, &warning)) {
    char text[GRADYN_WARNING_TEXT];
    gradyn_warning_form(&warning, text, sizeof text);
    gradyn_message_add(&s->model->message, "%s", text);
  }
}

gradyn_status gradyn_fixed_check_divided(gradyn_fixed *s, int k)
{
  const int steps = s->plan.steps;
  long divided = s->subdivided + s->across;
  if (divided == 0 || divided <= most_divided(steps))
    return GRADYN_OK;
  /* the message already names the cause of the last division */
  gradyn_message_add(
      &s->model->message,
      "%ld steps were divided before t = %g s, in a run of %d steps of %g s: choose a shorter step",
      divided, gradyn_fixed_time(s, k), steps, s->t_end / steps);
  note_leap(s);
  explain_leap(s);
  return GRADYN_STEP_LIMIT;
}

/* One run from the start, ended early if memory for events does not suffice. */
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

/* Provides memory for the nodes of a run. */
static gradyn_status take_room(gradyn_fixed *s, bool keep)
{
  int capacity = s->plan.steps + most_divided(s->plan.steps) + gradyn_fixed_events_room(s) + 1;
  GRADYN_TRY(reserve_steps(s, capacity));
  return plan(s, capacity, keep);
}

gradyn_status gradyn_fixed_grow(gradyn_fixed *s, bool keep, bool *again)
{
  const int segment = s->kept.segment;
  gradyn_status status = take_room(s, keep);
  *again = s->kept.segment != segment;
  return status;
}

/* Plans a run, takes its steps, and computes psi. Runs again if memory for events did not suffice. */
static gradyn_status run_to_end(gradyn_fixed *s, double h, double steps, bool keep, double *psi,
                                gradyn_trajectory *trajectory)
{
  do {
    GRADYN_TRY(gradyn_fixed_events_plan(s, h, (int)steps));
    GRADYN_TRY(take_room(s, keep));
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
  /* if the end time varies, the number of steps is constant and their length varies; with events the
   * reverse */
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
  s->plan.h = stretched ? s->t_end / steps : h; /* equal steps, to the end exactly */
  s->report = (gradyn_run_report){0};
  s->stepper->newton_iterations = s->stepper->factorisations = 0;
  s->stepper->leap = s->stepper->exit = (gradyn_slip_jump){0};
  const gradyn_status status = run_to_end(s, h, steps, keep, psi, trajectory);
  s->report.cost.steps = s->count;
  s->report.cost.arcs = s->arcs.count;
  s->report.found.divided = s->subdivided + s->across;
  s->report.cost.newton_iterations = s->stepper->newton_iterations;
  s->report.cost.factorisations = s->stepper->factorisations;
  note_leap(s);
  s->report.cost.time_simulate = gradyn_seconds() - clock;
  return status;
}

/* --- nodes of a run that has stored them ------------------------------------------------------- */

/* Repeats the steps of the segment that starts at step `first`. */
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

/* Prefetches node k - 1, at most MOST numbers: sweeps read nodes backwards, and there are more than fit
 * into the cache. */
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
