/* Single steps of a run, and the memory of their nodes. A step that fails is halved. The rest of its
 * interval is taken in separate steps, so that later steps begin where planned. */
#include "dae/fixed/step.h"

#include <math.h>
#include <stdlib.h>

#include "dae/linear/drift.h"

enum {
  NODES_OF_EVENT = 3,
  /* one of these nodes is needed because the number of steps is rounded up in each arc */
  NODES_OF_ARC = 3,
  MOST_DIVISIONS = 10, /* a step may be halved this often */
  DRIFT_EVERY = 10,    /* constraint violations are computed at every tenth node */
  /* a tenth of the steps of a run may be divided, at least LEAST_ALLOWED and at most MOST_ALLOWED */
  LEAST_ALLOWED = 10,
  ALLOWED_OF = 10,
  MOST_ALLOWED = 100000 /* limited, because memory is allocated for them */
};

/* --- memory ----------------------------------------------------------------------------------- */

/* Returns how many divided or moved steps a run of `steps` steps may have. If there are more, the requested
 * step is too long. Each of them adds at most one node. */
static int most_divided(int steps)
{
  int allowed = steps / ALLOWED_OF > LEAST_ALLOWED ? steps / ALLOWED_OF : LEAST_ALLOWED;
  return allowed < MOST_ALLOWED ? allowed : MOST_ALLOWED;
}

/* Returns the bytes that the options allow for the nodes of a gradient. */
static double memory_of(const gradyn_options *options)
{
  return options->memory > 0 ? options->memory : 1e9;
}

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

/* Provides memory for `need` steps, and for one further entry with the time of the last node. */
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

/* Decides which nodes are stored within the allowed memory: all of them, or every segment-th node and, when
 * it is used, one whole segment. */
static gradyn_status plan(gradyn_fixed *s, int steps, bool keep)
{
  size_t record = (size_t)s->stepper->record;
  double budget = memory_of(&s->options) / sizeof(double);
  s->kept.segment = 1;
  s->kept.replayed = -1;
  if (!keep) /* without storing: two nodes, used alternately */
    return reserve(s->model, &s->kept.node, &s->kept.node_room, 2 * record);
  if ((double)record * (steps + 1) > budget)
    s->kept.segment = (int)ceil(
        sqrt((double)steps)); /* sqrt N segments of sqrt N steps need the least memory */
  size_t kept = (size_t)(steps / s->kept.segment) + 2;
  size_t replayed = s->kept.segment > 1 ? (size_t)s->kept.segment + 1 : 0;
  /* even segments need more memory than allowed */
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

/* Returns the number of additional nodes for events and jumps, for which memory is reserved. */
static int events_room(const gradyn_fixed *s)
{
  return NODES_OF_EVENT * s->kept.allowed + NODES_OF_ARC * (s->arcs.count - 1);
}

gradyn_status gradyn_fixed_reserve(gradyn_fixed *s, bool keep)
{
  int capacity = s->plan.steps + most_divided(s->plan.steps) + events_room(s) + 1;
  GRADYN_TRY(reserve_steps(s, capacity));
  /* records of steps and of samples */
  GRADYN_TRY(gradyn_tape_reserve(&s->tape, capacity + s->nf));
  return plan(s, capacity, keep);
}

double *gradyn_fixed_node_memory(const gradyn_fixed *s, bool keep, int k)
{
  size_t record = (size_t)s->stepper->record;
  if (!keep)
    return s->kept.node + (size_t)(k % 2) * record; /* only the present node and the one before */
  if (s->kept.segment == 1)
    return s->kept.node + (size_t)k * record;
  /* first nodes of segments are stored; the others alternate between two entries of the replay buffer */
  return k % s->kept.segment == 0 ? s->kept.node + (size_t)(k / s->kept.segment) * record
                                  : s->kept.replay + (size_t)(k % 2) * record;
}

/* --- observation ---------------------------------------------------------------------------------- */

gradyn_status gradyn_fixed_output_state(gradyn_fixed *s, int k, const double *node,
                                        gradyn_depth depth, const double **y)
{
  gradyn_stepper *stepper = s->stepper;
  *y = node;
  if (!stepper->ops->complete)
    return GRADYN_OK;
  *y = s->view.y;
  return stepper->ops->complete(stepper, gradyn_fixed_time(s, k), node, depth, &s->view);
}

gradyn_status gradyn_fixed_observe(gradyn_fixed *s, int k, const double *node,
                                   gradyn_trajectory *trajectory)
{
  double t = gradyn_fixed_time(s, k);
  const double *y = node;
  /* monitors need positions, with which a node begins */
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

/* --- steps ---------------------------------------------------------------------------------------- */

/* Takes step k, over a share of the run. lenient: the step may end near a singular position. */
static gradyn_status try_step(gradyn_fixed *s, int k, double share, bool lenient,
                              const double *from, double *to)
{
  s->step[k].length = share;
  s->step[k].lenient = lenient;
  return gradyn_fixed_take(s, k, from, to);
}

/* Takes a step after its end was too near a singular position. If the arc is long enough, tries a step
 * longer by half, across the position. Otherwise, or if this fails, takes a lenient step to the same end. */
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
  /* the step is halved until it succeeds */
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

void gradyn_fixed_note_leap(gradyn_fixed *s)
{
  const gradyn_slip_jump *leap = &s->stepper->leap;
  const double rate = leap->rate;
  /* the value is for the length of an undivided step */
  s->report.found.slip_jump = (gradyn_finding){rate * s->plan.h, leap->t, rate > 0 ? 1 / rate : 0,
                                               leap->force};
}

bool gradyn_fixed_slip_jumps(const gradyn_findings *found, gradyn_warning *warning)
{
  const double tolerable = 2; /* change of slip within a step, in transition velocities */
  *warning = (gradyn_warning){.code = GRADYN_WARNING_SLIP_JUMP,
                              .subject = found->slip_jump.name,
                              .t = found->slip_jump.t,
                              .unit = "",
                              .value = found->slip_jump.size,
                              .limit = tolerable,
                              .suggestion = found->slip_jump.step};
  return found->slip_jump.size > tolerable;
}

/* If slip changed too fast, adds this warning to the message of a failed run. */
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
  /* the message already contains the cause of the last division */
  gradyn_message_add(
      &s->model->message,
      "%ld steps were divided before t = %g s, in a run of %d steps of %g s: choose a shorter step",
      divided, gradyn_fixed_time(s, k), steps, s->t_end / steps);
  gradyn_fixed_note_leap(s);
  explain_leap(s);
  return GRADYN_STEP_LIMIT;
}
