/* Events of fixed-step schemes: arcs, partial steps that end on a guard, and jumps.
 *
 * A step that contains an event is repeated with the length at whose end the guard is zero
 * (fixed/search.c). This end is a node, the jump is a step of length zero, and the grid begins again after
 * it. The kind of a step states how its length depends on data: it is constant; or it follows from the end
 * of the arc, from the time of the event, or from the length of the arc. */
#include "dae/fixed/events.h"
#include "core/model/same_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/fixed/march.h"

enum {
  FIRST_ALLOWED = 32,
  NODES_OF_EVENT = 3,
  NODES_OF_ARC = 3,   /* one of them because steps are rounded up in each arc */
  MOST_DIVISIONS = 10 /* most divisions of a step in which the search fails */
};

/* Tolerance of the grid, in lengths of a step: a step that ends this near to its target has reached it. It
 * exceeds the length by which a step to an event may be longer, and avoids steps of almost no length. */
static const double near_enough = 4e-6;

/* --- life ------------------------------------------------------------------------------------- */

/* Boundaries known before the run: jumps of signals, given times of functionals and of other evaluations. */
static gradyn_status find_arcs(gradyn_model *model, gradyn_arcs *arcs)
{
  GRADYN_TRY(gradyn_arcs_find(model, GRADYN_JUMPS, arcs));
  for (size_t i = 0; i < model->span.looks; i++)
    if (gradyn_model_later(model, model->span.look[i], gradyn_model_start(model)))
      GRADYN_TRY(gradyn_arcs_add_time(model, arcs, model->span.look[i]));
  return gradyn_arcs_add_instants(model, arcs);
}

gradyn_status gradyn_fixed_events_create(gradyn_fixed *s)
{
  gradyn_model *model = s->model;
  size_t ny = (size_t)s->stepper->ny, record = (size_t)s->stepper->record;
  gradyn_fixed_events *e = s->events = calloc(1, sizeof *e);
  if (!e)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for events");
  e->allowed = model->event_count > 0 ? FIRST_ALLOWED : 0;
  /* before and after a jump, and the end of a trial step */
  e->y[0] = calloc(2 * ny, sizeof(double));
  e->trial = calloc(record, sizeof(double));
  gradyn_status status = e->y[0] && e->trial ? GRADYN_OK : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK) {
    e->y[1] = e->y[0] + ny;
    status = gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &e->force);
  }
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "out of memory for events");
  GRADYN_TRY(find_arcs(model, &e->first));
  return gradyn_event_sequence_create(model, 0, (const size_t[6]){0}, &e->base);
}

void gradyn_fixed_events_free(gradyn_fixed_events *e)
{
  if (!e)
    return;
  gradyn_arcs_clear(&e->arcs);
  gradyn_arcs_clear(&e->first);
  gradyn_event_sequence_clear(&e->base);
  gradyn_initial_clear(&e->force);
  free(e->step);
  free(e->y[0]);
  free(e->trial);
  free(e);
}

int gradyn_fixed_events_room(const gradyn_fixed *s)
{
  return NODES_OF_EVENT * s->events->allowed + NODES_OF_ARC * (s->events->arcs.count - 1);
}

/* Whether nothing changes at the boundaries of a run without events, and all are ends of `steps` equal
 * steps. */
static bool is_even(const gradyn_fixed *s, int steps)
{
  const gradyn_arcs *arcs = &s->events->arcs;
  if (s->model->event_count > 0)
    return false;
  for (int k = 1; k < arcs->count; k++) {
    const double at = arcs->boundary[k].t / s->t_end * steps;
    if (gradyn_arcs_change(arcs, k) || fabs(at - round(at)) > 1e-9) /* round-off */
      return false;
  }
  return true;
}

/* Number of steps of arc k, from 0, that is divided evenly. */
static double steps_of(const gradyn_fixed_events *e, int k)
{
  return gradyn_arcs_steps(&e->arcs, &e->first, k, e->spacing);
}

gradyn_status gradyn_fixed_events_plan(gradyn_fixed *s, double h, int steps)
{
  gradyn_fixed_events *e = s->events;
  GRADYN_TRY(find_arcs(s->model, &e->arcs));
  e->spacing = h;
  e->even = is_even(s, steps);
  s->planned = steps;
  /* arcs may differ from those at creation: steps keep their length, not their number */
  if (s->model->event_count > 0)
    s->planned = (int)fmax(steps, ceil(s->t_end / h));
  else if (!e->even) {
    double sum = 0;
    for (int k = 0; k < e->arcs.count; k++)
      sum += steps_of(e, k);
    s->planned = (int)sum;
  }
  s->report.cost.arcs = e->arcs.count;
  gradyn_arcs_enter(s->model, &e->arcs, 0);
  return GRADYN_OK;
}

void gradyn_fixed_enter(gradyn_fixed *s, int k)
{
  gradyn_discrete_state_enter(s->model, s->events->step[k].discrete);
}

/* Provides memory for the ends of s->capacity steps. */
static gradyn_status reserve(gradyn_fixed *s)
{
  gradyn_fixed_events *e = s->events;
  if (s->capacity <= e->capacity)
    return GRADYN_OK;
  gradyn_step_end *grown = realloc(e->step, ((size_t)s->capacity + 1) * sizeof *grown);
  if (!grown)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for %d steps",
                       s->capacity);
  e->step = grown;
  e->capacity = s->capacity;
  return GRADYN_OK;
}

/* --- jumps ------------------------------------------------------------------------------------ */

/* Positions and velocities y [2 n] after jump k, at an event or between two arcs. */
static gradyn_status pass(gradyn_fixed *s, int k, const double *from, double *y,
                          gradyn_event_record *record)
{
  gradyn_fixed_events *e = s->events;
  bool event = e->step[k].event >= 0;
  size_t n = (size_t)s->model->mech->n;
  const double *before;
  /* a boundary between arcs: signals of the arc before it */
  gradyn_fixed_enter(s, event ? k : k - 1);
  gradyn_status status = GRADYN_OK;
  GRADYN_TRY(
      gradyn_fixed_output_state(s, k, from, event ? GRADYN_FORCES : GRADYN_VELOCITIES, &before));
  memcpy(e->y[0], before, (size_t)s->stepper->ny * sizeof(double));
  if (event)
    status = gradyn_impact_apply(&e->base.impact, e->step[k].event, gradyn_fixed_time(s, k),
                                 e->y[0], record);
  else
    gradyn_fixed_enter(s, k);
  /* impacts change velocities, boundaries do not */
  memcpy(y, event ? e->base.impact.yp : e->y[0], 2 * n * sizeof(double));
  return status;
}

gradyn_status gradyn_fixed_jump(gradyn_fixed *s, int k, const double *from, double *to,
                                gradyn_event_record *record)
{
  gradyn_fixed_events *e = s->events;
  gradyn_mech *mech = s->model->mech;
  size_t n = (size_t)mech->n, m = (size_t)mech->m;
  double t = gradyn_fixed_time(s, k), *y = e->y[1];
  GRADYN_TRY(pass(s, k, from, y, record));
  GRADYN_TRY(gradyn_initial_accelerate(&e->force, t, y, y + n));
  memcpy(y + 2 * n, e->force.a, n * sizeof(double));
  memcpy(y + 3 * n, e->force.lam, m * sizeof(double));
  return s->stepper->ops->enter(s->stepper, t, s->h, y, to);
}

/* Sets the node of functionals evaluated at the event of jump k, between nodes k and k + 1. */
static void take_functionals(gradyn_fixed *s, int k, const gradyn_passed_event *now)
{
  for (int f = 0; f < s->nf; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    if (!gradyn_functional_is_at_event(functional, &now->record, now->number))
      continue;
    s->node_of[f] = functional->side == GRADYN_AFTER ? k + 1 : k;
    if (functional->side == GRADYN_IMPULSE)
      s->inner[f] += now->record.impulse;
  }
}

/* Step k ends at an event: the jump is step k + 1. */
static gradyn_status cross(gradyn_fixed *s, int arc, int event, bool keep,
                           gradyn_trajectory *trajectory)
{
  gradyn_fixed_events *e = s->events;
  int k = s->count;
  const double *from = gradyn_fixed_node_memory(s, keep, k), *y;
  double t = gradyn_fixed_time(s, k), *to = gradyn_fixed_node_memory(s, keep, k + 1);
  gradyn_passed_event *now;
  GRADYN_TRY(gradyn_fixed_observe_end(s, from));
  GRADYN_TRY(gradyn_fixed_motion(s, t, from, true, &y));
  GRADYN_TRY(gradyn_event_sequence_begin(&e->base, event, t, y, &now));
  /* a jump is a step of length zero */
  e->step[k] = gradyn_fixed_ending(s, GRADYN_STEP_JUMP, event, arc, 0);
  s->length[k] = 0;
  s->fraction[k + 1] = s->fraction[k];
  GRADYN_TRY(gradyn_fixed_jump(s, k, from, to, &now->record));
  GRADYN_TRY(gradyn_event_sequence_end(&e->base, now));
  take_functionals(s, k, now);
  /* terminal parts before the jump are evaluated in the mode before it */
  const int behind = gradyn_discrete_state_switch_mode(s->model, e->step[k].discrete.mode);
  gradyn_status status = gradyn_fixed_add_events(s, k, from);
  (void)gradyn_discrete_state_switch_mode(s->model, behind);
  GRADYN_TRY(status);
  GRADYN_TRY(gradyn_fixed_add_step(s, k, from, to));
  s->count++;
  GRADYN_TRY(gradyn_fixed_add_events(s, k + 1, to));
  return gradyn_fixed_observe(s, k + 1, to, trajectory);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Searches the step just taken for an event, and repeats it up to the event. */
static gradyn_status end_at_event(gradyn_fixed *s, const double *from, double *to, int *event)
{
  int k = s->count;
  double length;
  gradyn_status status = gradyn_fixed_search(s, k, from, to, event, &length);
  if (status != GRADYN_OK || *event < 0)
    return status;
  s->length[k] = length / s->t_end; /* shorter: to the event */
  if (s->events->tried == length) {
    memcpy(to, s->events->trial, (size_t)s->stepper->record * sizeof(double));
    return GRADYN_OK;
  }
  return s->stepper->ops->step(s->stepper, gradyn_fixed_time(s, k), gradyn_fixed_step(s, k), from,
                               to);
}

/* Takes the next step, over a share of the run; if it contains an event, up to the event. If a shorter step
 * needed by the search fails, the step is divided as if it had failed itself. */
static gradyn_status take_step(gradyn_fixed *s, const double *from, double *to, double *share,
                               int *event)
{
  gradyn_status status = GRADYN_OK;
  for (int division = 0; division <= MOST_DIVISIONS; division++) {
    status = gradyn_fixed_advance(s, s->count, *share, from, to, share);
    s->length[s->count] = *share;
    GRADYN_TRY(status);
    status = end_at_event(s, from, to, event);
    /* a shorter step does not help against other failures */
    if (status != GRADYN_NOT_CONVERGED && status != GRADYN_SINGULAR) {
      *share = s->length[s->count];
      return status;
    }
    *share /= 2;
    s->subdivided++;
  }
  return status;
}

/* Takes the jump between two arcs, where a signal jumps. */
static gradyn_status cross_boundary(gradyn_fixed *s, int arc, bool keep,
                                    gradyn_trajectory *trajectory)
{
  const gradyn_boundary *b = &s->events->arcs.boundary[arc];
  int k = s->count;
  if (!gradyn_arcs_change(&s->events->arcs, arc)) /* of a functional: nothing jumps */
    return GRADYN_OK;
  const double *from = gradyn_fixed_node_memory(s, keep, k);
  double *to = gradyn_fixed_node_memory(s, keep, k + 1);
  gradyn_arcs_enter(s->model, &s->events->arcs, arc);
  /* a jump without an event */
  s->events->step[k] = gradyn_fixed_ending(s, GRADYN_STEP_JUMP, -1, arc, 0);
  s->length[k] = 0;
  s->fraction[k + 1] = s->fraction[k];
  GRADYN_TRY(gradyn_fixed_jump(s, k, from, to, NULL));
  GRADYN_TRY(gradyn_fixed_add_step(s, k, from, to));
  s->count++;
  GRADYN_TRY(gradyn_detector_open(&s->events->base.watch, b->t, s->events->y[1]));
  return gradyn_fixed_observe(s, k + 1, to, trajectory);
}

/* The grid of an arc: planned ends of its steps. All times and lengths are divided by the end time. */
typedef struct grid {
  int arc;
  double end;     /* of the arc */
  double base;    /* start of the arc, or the last event in it */
  double spacing; /* length of a whole step */
  double reached; /* last point of the grid that was reached */
  double per_arc; /* evenly divided arc: 1 over its length; otherwise 0 */
  int whole;      /* number of whole steps since base */
} grid;

/* Whether the step to `target` is the last one of its arc. */
static bool is_last(const grid *g, double target)
{
  return target > g->end - near_enough * g->spacing;
}

/* Takes one step, to the next point of the grid, to an event or to the end of the arc. */
static gradyn_status march_step(gradyn_fixed *s, grid *g, double target, bool keep, int *event,
                                gradyn_trajectory *trajectory)
{
  int k = s->count;
  const double *from = gradyn_fixed_node_memory(s, keep, k);
  double *to = gradyn_fixed_node_memory(s, keep, k + 1);
  bool last = is_last(g, target), shares = g->per_arc > 0;
  /* steps between points of the grid are equal to the last bit, so that a scheme can reuse matrices */
  bool regular = s->fraction[k] == g->reached && (shares || !last);
  double goal = last ? g->end : target, requested = regular ? g->spacing : goal - s->fraction[k];
  double share = requested;
  GRADYN_TRY(take_step(s, from, to, &share, event));
  bool whole = share == requested;
  gradyn_step_kind kind = *event >= 0     ? GRADYN_STEP_TO_EVENT
                          : shares        ? GRADYN_STEP_SHARE
                          : last && whole ? GRADYN_STEP_TO_BOUNDARY
                                          : GRADYN_STEP_WHOLE;
  s->events->step[k] = gradyn_fixed_ending(s, kind, *event, g->arc, share * g->per_arc);
  s->fraction[k + 1] = whole ? goal : s->fraction[k] + share;
  if (whole)
    g->reached = goal;
  GRADYN_TRY(gradyn_fixed_observe_step(s, k, from, to));
  const gradyn_status added = gradyn_fixed_add_step(s, k, from, to);
  s->count++;
  GRADYN_TRY(added);
  GRADYN_TRY(gradyn_fixed_check_divided(s, k));
  return gradyn_fixed_observe(s, k + 1, to, trajectory);
}

/* A step of length zero to another event at the time of the last one. */
static void pause(gradyn_fixed *s, int arc, int event, bool keep)
{
  const int k = s->count;
  s->events->step[k] = gradyn_fixed_ending(s, GRADYN_STEP_TO_EVENT, event, arc, 0);
  s->length[k] = 0;
  s->fraction[k + 1] = s->fraction[k];
  memcpy(gradyn_fixed_node_memory(s, keep, k + 1), gradyn_fixed_node_memory(s, keep, k),
         (size_t)s->stepper->record * sizeof(double));
  s->count++;
}

/* Crosses an event, and all others at the same time. */
static gradyn_status cross_all(gradyn_fixed *s, int arc, int event, bool keep,
                               gradyn_trajectory *trajectory)
{
  const gradyn_event_sequence *base = &s->events->base;
  GRADYN_TRY(cross(s, arc, event, keep, trajectory));
  for (int next; (next = gradyn_event_sequence_waiting(base)) >= 0;) {
    pause(s, arc, next, keep);
    GRADYN_TRY(cross(s, arc, next, keep, trajectory));
  }
  return gradyn_detector_open(&s->events->base.watch, gradyn_fixed_time(s, s->count),
                              s->events->y[1]);
}

/* Crosses the event at which a step has ended; the grid begins again after it. */
static gradyn_status pass_event(gradyn_fixed *s, grid *g, int event, bool keep,
                                gradyn_trajectory *trajectory)
{
  bool meets;
  const double t = gradyn_fixed_time(s, s->count);
  GRADYN_TRY(gradyn_arcs_meet(s->model, &s->events->arcs, g->arc + 1, t, event, &meets));
  if (meets && !gradyn_event_ends(&s->model->event[event]))
    return gradyn_fail(&s->model->message, GRADYN_EVENT,
                       "%s occurs at t = %.9g s, the time of a functional. Evaluate the functional "
                       "before or after the event",
                       s->model->event[event].name, t);
  const gradyn_status status = cross_all(s, g->arc, event, keep, trajectory);
  g->base = g->reached = s->fraction[s->count];
  g->whole = 0;
  s->events->ended = status == GRADYN_OK && gradyn_log_ends(s->model);
  if (s->events->ended) /* discrete state of the last node, after which no step follows */
    s->events->step[s->count] = gradyn_fixed_ending(s, GRADYN_STEP_WHOLE, -1, g->arc, 0);
  return status;
}

/* Lays the grid of an arc, after that of the arc before: steps of the requested length; without events, equal
 * steps, of the arc or of the run. */
static void lay_grid(const gradyn_fixed *s, int arc, grid *g)
{
  const gradyn_fixed_events *e = s->events;
  const double start = e->arcs.boundary[arc].t / s->t_end,
               end = e->arcs.boundary[arc + 1].t / s->t_end;
  g->arc = arc;
  g->end = end;
  if (e->even) { /* the next points of one grid */
    g->spacing = 1.0 / s->planned;
    g->end = round(end * s->planned) * g->spacing;
  } else
    *g = (grid){.arc = arc, .end = end, .base = start, .reached = start};
  if (s->model->event_count > 0)
    g->spacing = e->spacing / s->t_end;
  else if (!e->even)
    g->spacing = (end - start) / steps_of(e, arc);
  g->per_arc = s->model->event_count > 0 ? 0 : 1 / (end - start);
}

/* Provides memory for four times as many events. */
static gradyn_status make_room(gradyn_fixed *s, bool keep)
{
  gradyn_fixed_events *e = s->events;
  e->allowed *= 4;
  GRADYN_TRY(gradyn_fixed_grow(s, keep, &e->again));
  return reserve(s);
}

/* Takes all steps of an arc. */
static gradyn_status march_arc(gradyn_fixed *s, grid *g, bool keep, gradyn_trajectory *trajectory)
{
  gradyn_fixed_events *e = s->events;
  s->limit = g->end;
  while (!e->ended && s->fraction[s->count] < s->limit) {
    double target = g->base + (g->whole + 1) * g->spacing;
    int event = -1;
    if (target - s->fraction[s->count] <= near_enough * g->spacing && !is_last(g, target)) {
      g->whole++; /* a step across a singular position has passed this point of the grid */
      continue;
    }
    if (e->base.watch.happened >= e->allowed)
      GRADYN_TRY(make_room(s, keep));
    if (e->again)
      return GRADYN_OK;
    GRADYN_TRY(march_step(s, g, target, keep, &event, trajectory));
    g->whole += s->fraction[s->count] >= target - near_enough * g->spacing;
    if (event >= 0)
      GRADYN_TRY(pass_event(s, g, event, keep, trajectory));
  }
  return e->ended ? GRADYN_OK
                  : gradyn_fixed_add_instants(s, s->count, e->arcs.boundary[g->arc + 1].t,
                                              gradyn_fixed_node_memory(s, keep, s->count));
}

gradyn_status gradyn_fixed_events_run(gradyn_fixed *s, bool keep, gradyn_trajectory *trajectory)
{
  gradyn_fixed_events *e = s->events;
  const double *y;
  grid g = {0};
  e->ended = e->again = false;
  GRADYN_TRY(reserve(s));
  GRADYN_TRY(gradyn_fixed_motion(s, 0, gradyn_fixed_node_memory(s, keep, 0),
                                 s->model->event_count > 0, &y));
  /* until the end time, or an event that ends the run */
  GRADYN_TRY(gradyn_detector_begin(&e->base.watch, y));
  GRADYN_TRY(gradyn_detector_open(&e->base.watch, 0, y));
  for (int arc = 0; arc < e->arcs.count && !e->ended && !e->again; arc++) {
    if (arc > 0)
      GRADYN_TRY(cross_boundary(s, arc, keep, trajectory));
    lay_grid(s, arc, &g);
    gradyn_arcs_enter(s->model, &e->arcs, arc);
    GRADYN_TRY(march_arc(s, &g, keep, trajectory));
  }
  if (e->again)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_fixed_observe_end(s, gradyn_fixed_node_memory(s, keep, s->count)));
  return gradyn_log_complete(s->model);
}
