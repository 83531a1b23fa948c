/* Events of fixed-step schemes: arcs, steps that end on a guard, and jumps.
 *
 * A step that contains an event is repeated with the length at whose end the guard is zero
 * (fixed/search.c). This end is a node and a new boundary of arcs; the jump is a step of length zero. */
#include "dae/fixed/events.h"
#include "core/model/same_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/fixed/step.h"

enum { MOST_DIVISIONS = 10 }; /* most divisions of a step if the search in it fails */

/* A step that ends this near to its target point of the grid, in lengths of a step, has reached it. This
 * tolerance exceeds the length by which a step to an event may be longer. It avoids steps of almost no
 * length. */
static const double near_enough = 4e-6;

/* --- arcs ------------------------------------------------------------------------------------- */

/* Finds the boundaries known before the run: jumps of signals, given times of functionals, and other
 * requested times. */
gradyn_status gradyn_fixed_find_arcs(gradyn_model *model, gradyn_arcs *arcs)
{
  GRADYN_TRY(gradyn_arcs_find(model, GRADYN_JUMPS, arcs));
  for (size_t i = 0; i < model->span.looks; i++)
    if (gradyn_model_later(model, model->span.look[i], gradyn_model_start(model)))
      GRADYN_TRY(gradyn_arcs_add_time(model, arcs, model->span.look[i]));
  return gradyn_arcs_add_instants(model, arcs);
}

/* Returns whether one grid of `steps` equal steps serves the whole run: without events, if nothing changes
 * at boundaries, and all of them are points of the grid. */
static bool is_even(const gradyn_fixed *s, int steps)
{
  const gradyn_arcs *arcs = &s->arcs;
  if (s->model->event_count > 0)
    return false;
  for (int k = 1; k < arcs->count; k++) {
    const double at = arcs->boundary[k].t / s->t_end * steps;
    if (gradyn_arcs_change(arcs, k) || fabs(at - round(at)) > 1e-9) /* round-off */
      return false;
  }
  return true;
}

/* Returns the number of steps of arc k, counted from 0, if the arc is divided evenly. */
static double steps_of(const gradyn_fixed *s, int k)
{
  return gradyn_arcs_steps(&s->arcs, &s->first, k, s->plan.spacing);
}

gradyn_status gradyn_fixed_events_plan(gradyn_fixed *s, double h, int steps)
{
  GRADYN_TRY(gradyn_fixed_find_arcs(s->model, &s->arcs));
  s->plan.spacing = h;
  s->plan.even = is_even(s, steps);
  s->plan.steps = steps;
  /* arcs may differ from those of earlier runs: steps keep their length, not their number */
  if (s->model->event_count > 0)
    s->plan.steps = (int)fmax(steps, ceil(s->t_end / h));
  else if (!s->plan.even) {
    double sum = 0;
    for (int k = 0; k < s->arcs.count; k++)
      sum += steps_of(s, k);
    s->plan.steps = (int)sum;
  }
  return GRADYN_OK;
}

void gradyn_fixed_enter(gradyn_fixed *s, int k)
{
  const gradyn_discrete_state *now = &s->model->discrete,
                              *of = &s->arcs.boundary[s->step[k].arc].discrete;
  /* skipped if the state is already that of the arc, since entering it evaluates inputs of the model again */
  if (now->mode != of->mode || now->passed != of->passed || now->within != of->within)
    gradyn_discrete_state_enter(s->model, *of);
}

/* --- jumps ------------------------------------------------------------------------------------ */

/* Computes positions and velocities y [2 n] after jump k, which is an event or a boundary between two arcs.
 */
static gradyn_status pass(gradyn_fixed *s, int k, const double *from, double *y,
                          gradyn_event_record *record)
{
  const gradyn_passed_event *event = gradyn_fixed_event(s, k);
  const double *before;
  gradyn_fixed_enter(s, k - 1);
  GRADYN_TRY(
      gradyn_fixed_output_state(s, k, from, event ? GRADYN_FORCES : GRADYN_VELOCITIES, &before));
  memcpy(s->y[0], before, (size_t)s->stepper->ny * sizeof(double));
  if (event)
    GRADYN_TRY(gradyn_impact_apply(&s->events.impact, event->record.event, gradyn_fixed_time(s, k),
                                   s->y[0], record));
  else
    gradyn_fixed_enter(s, k);
  /* impacts change velocities, boundaries without events do not */
  memcpy(y, event ? s->events.impact.yp : s->y[0], 2 * (size_t)s->model->mech->n * sizeof(double));
  return GRADYN_OK;
}

gradyn_status gradyn_fixed_jump(gradyn_fixed *s, int k, const double *from, double *to,
                                gradyn_event_record *record)
{
  gradyn_mech *mech = s->model->mech;
  size_t n = (size_t)mech->n, m = (size_t)mech->m;
  double t = gradyn_fixed_time(s, k), *y = s->y[1];
  GRADYN_TRY(pass(s, k, from, y, record));
  GRADYN_TRY(gradyn_initial_accelerate(&s->force, t, y, y + n));
  memcpy(y + 2 * n, s->force.a, n * sizeof(double));
  memcpy(y + 3 * n, s->force.lam, m * sizeof(double));
  return s->stepper->ops->enter(s->stepper, t, s->plan.h, y, to);
}

/* Appends step s->count to the tape or, if it is a jump, the jump at the start of its arc. */
static gradyn_status end_step(gradyn_fixed *s)
{
  const int k = s->count++;
  return s->step[k].jump ? gradyn_tape_append(&s->tape, GRADYN_TAPE_JUMP, s->step[k].arc)
                         : gradyn_tape_append(&s->tape, GRADYN_TAPE_STEP, k);
}

/* Sets step s->count to a step of length zero: a jump, or a step between two events at the same time. */
static void stand(gradyn_fixed *s, int arc, gradyn_length_law law, bool jump)
{
  gradyn_fixed_step *step = &s->step[s->count];
  *step = (gradyn_fixed_step){step->fraction, .arc = arc, .law = law, .jump = jump};
  step[1].fraction = step->fraction;
}

/* Takes the jump of an event, at which the last step has ended, as the next step. boundary: the boundary of
 * arcs there. */
static gradyn_status cross(gradyn_fixed *s, int boundary, int event, bool keep,
                           gradyn_trajectory *trajectory)
{
  int k = s->count;
  const double *from = gradyn_fixed_node_memory(s, keep, k), *y;
  double t = gradyn_fixed_time(s, k), *to = gradyn_fixed_node_memory(s, keep, k + 1);
  gradyn_passed_event *now;
  GRADYN_TRY(gradyn_fixed_observe_end(s, from));
  GRADYN_TRY(gradyn_fixed_motion(s, t, from, true, &y));
  GRADYN_TRY(gradyn_event_sequence_begin(&s->events, event, t, y, &now));
  GRADYN_TRY(gradyn_fixed_add_samples(s, k, boundary, false, from));
  stand(s, boundary, GRADYN_LENGTH_GIVEN, true);
  GRADYN_TRY(gradyn_fixed_jump(s, k, from, to, &now->record));
  GRADYN_TRY(gradyn_tape_cross(&s->tape, &s->events, &s->arcs, boundary, now, s->inner));
  s->arcs.boundary[boundary].discrete = s->model->discrete;
  GRADYN_TRY(gradyn_fixed_add_step(s, k, from, to));
  GRADYN_TRY(end_step(s));
  GRADYN_TRY(gradyn_fixed_add_samples(s, k + 1, boundary, true, to));
  GRADYN_TRY(gradyn_fixed_observe(s, k + 1, to, trajectory));
  return gradyn_event_sequence_pause(&s->events, &s->arcs, boundary);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Searches the last step for an event. If there is one, repeats the step so that it ends there. */
static gradyn_status end_at_event(gradyn_fixed *s, const double *from, double *to, int *event)
{
  int k = s->count;
  double length;
  gradyn_status status = gradyn_fixed_search(s, k, from, to, event, &length);
  if (status != GRADYN_OK || *event < 0)
    return status;
  s->step[k].length = length / s->t_end; /* the shorter length, to the event */
  s->step[k].lenient = false;
  if (s->tried != length)
    return gradyn_fixed_take(s, k, from, to);
  memcpy(to, s->trial, (size_t)s->stepper->record * sizeof(double));
  return GRADYN_OK;
}

/* Takes the next step, over a share of the run or, if it contains an event, up to the event. If the search
 * fails in a shorter step, the step is divided as if it had failed itself. */
static gradyn_status take_step(gradyn_fixed *s, double share, const double *from, double *to,
                               int *event)
{
  gradyn_status status = GRADYN_OK;
  for (int division = 0; division <= MOST_DIVISIONS; division++) {
    GRADYN_TRY(gradyn_fixed_advance(s, s->count, share, from, to));
    if (s->model->event_count == 0)
      return GRADYN_OK;
    share = s->step[s->count].length / 2;
    status = end_at_event(s, from, to, event);
    /* shorter steps help only against these two failures */
    if (status != GRADYN_NOT_CONVERGED && status != GRADYN_SINGULAR)
      return status;
    s->subdivided++;
  }
  return status;
}

/* Takes the jump between two arcs, where a signal jumps. */
static gradyn_status cross_boundary(gradyn_fixed *s, int arc, bool keep,
                                    gradyn_trajectory *trajectory)
{
  const gradyn_boundary *b = &s->arcs.boundary[arc];
  int k = s->count;
  /* nothing changes at this boundary, which is the time of a functional or an event */
  if (!gradyn_arcs_change(&s->arcs, arc))
    return GRADYN_OK;
  const double *from = gradyn_fixed_node_memory(s, keep, k);
  double *to = gradyn_fixed_node_memory(s, keep, k + 1);
  stand(s, arc, GRADYN_LENGTH_GIVEN, true);
  GRADYN_TRY(gradyn_fixed_jump(s, k, from, to, NULL));
  GRADYN_TRY(gradyn_fixed_add_step(s, k, from, to));
  GRADYN_TRY(end_step(s));
  GRADYN_TRY(gradyn_detector_open(&s->events.watch, b->t, s->y[1]));
  return gradyn_fixed_observe(s, k + 1, to, trajectory);
}

/* The grid of an arc: planned ends of its steps. All times and lengths are divided by the end time. */
typedef struct grid {
  int arc;
  double end;     /* of the arc */
  double base;    /* start of the arc or, if one grid serves for all arcs, of the run */
  double spacing; /* length of a whole step */
  double reached; /* last point of the grid that was reached */
  double per_arc; /* 1 over the length of the arc if it is divided evenly, otherwise 0 */
  int whole;      /* number of whole steps since base */
} grid;

/* Returns whether the step to `target` is the last one of its arc, because almost no length remains. */
static bool is_last(const grid *g, double target)
{
  return target > g->end - near_enough * g->spacing;
}

/* Takes one step: to the next point of the grid, to an event, or to the end of the arc. */
static gradyn_status step_on_grid(gradyn_fixed *s, grid *g, double target, bool keep, int *event,
                                  gradyn_trajectory *trajectory)
{
  int k = s->count;
  gradyn_fixed_step *step = &s->step[k];
  const double *from = gradyn_fixed_node_memory(s, keep, k);
  double *to = gradyn_fixed_node_memory(s, keep, k + 1);
  bool last = is_last(g, target), shares = g->per_arc > 0;
  /* steps between points of the grid are equal to the last bit, so that a scheme can reuse matrices */
  bool regular = step->fraction == g->reached && (shares || !last);
  double goal = last ? g->end : target, requested = regular ? g->spacing : goal - step->fraction;
  GRADYN_TRY(take_step(s, requested, from, to, event));
  bool whole = step->length == requested;
  step->arc = g->arc;
  step->jump = false;
  step->law = *event >= 0     ? GRADYN_LENGTH_EVENT
              : shares        ? GRADYN_LENGTH_SHARE
              : last && whole ? GRADYN_LENGTH_REST
                              : GRADYN_LENGTH_GIVEN;
  step->share = step->length * g->per_arc;
  step[1].fraction = whole ? goal : step->fraction + step->length;
  if (whole)
    g->reached = goal;
  GRADYN_TRY(gradyn_fixed_observe_step(s, k, from, to));
  const gradyn_status added = gradyn_fixed_add_step(s, k, from, to);
  GRADYN_TRY(end_step(s));
  GRADYN_TRY(added);
  GRADYN_TRY(gradyn_fixed_check_divided(s, k));
  return gradyn_fixed_observe(s, k + 1, to, trajectory);
}

/* Crosses an event at a boundary, and all other events at the same time. Between two of these events there
 * is a step of length zero. */
static gradyn_status cross_all(gradyn_fixed *s, int boundary, int event, bool keep,
                               gradyn_trajectory *trajectory)
{
  const gradyn_event_sequence *base = &s->events;
  GRADYN_TRY(cross(s, boundary, event, keep, trajectory));
  for (; base->next >= 0; boundary++) {
    stand(s, boundary, GRADYN_LENGTH_EVENT, false);
    memcpy(gradyn_fixed_node_memory(s, keep, s->count + 1),
           gradyn_fixed_node_memory(s, keep, s->count),
           (size_t)s->stepper->record * sizeof(double));
    GRADYN_TRY(end_step(s));
    GRADYN_TRY(cross(s, boundary + 1, base->next, keep, trajectory));
  }
  return gradyn_detector_open(&s->events.watch, gradyn_fixed_time(s, s->count), s->y[1]);
}

/* Ends the arc at an event at which the last step has ended, and crosses the event. */
static gradyn_status pass_event(gradyn_fixed *s, int arc, int event, bool keep,
                                gradyn_trajectory *trajectory)
{
  gradyn_boundary replaced;
  const double t = gradyn_fixed_time(s, s->count);
  GRADYN_TRY(gradyn_event_sequence_end_arc(&s->events, &s->arcs, arc + 1, t, event, &replaced));
  if (replaced.t > 0 && !gradyn_event_ends(&s->model->event[event]))
    return gradyn_fail(&s->model->message, GRADYN_EVENT,
                       "%s occurs at t = %.9g s, the time of a functional. Evaluate the functional "
                       "before or after the event",
                       s->model->event[event].name, t);
  return cross_all(s, arc + 1, event, keep, trajectory);
}

/* Lays the grid of an arc. With events, steps have the requested length. Without events, they are equal,
 * within the arc or within the whole run. */
static void lay_grid(const gradyn_fixed *s, int arc, grid *g)
{
  const double start = s->step[s->count].fraction, end = s->arcs.boundary[arc + 1].t / s->t_end;
  g->arc = arc;
  g->end = end;
  if (s->plan.even) { /* one grid for all arcs: continue it */
    g->spacing = 1.0 / s->plan.steps;
    g->end = round(end * s->plan.steps) * g->spacing;
  } else
    *g = (grid){.arc = arc, .end = end, .base = start, .reached = start};
  if (s->model->event_count > 0)
    g->spacing = s->plan.spacing / s->t_end;
  else if (!s->plan.even)
    g->spacing = (end - start) / steps_of(s, arc);
  g->per_arc = s->model->event_count > 0 ? 0 : 1 / (end - start);
}

/* Takes all steps of an arc, which ends early at an event. *next: the arc after it. */
static gradyn_status integrate_arc(gradyn_fixed *s, grid *g, bool keep,
                                   gradyn_trajectory *trajectory, int *next)
{
  s->limit = g->end;
  *next = g->arc + 1;
  while (s->step[s->count].fraction < s->limit) {
    double target = g->base + (g->whole + 1) * g->spacing;
    int event = -1;
    if (target - s->step[s->count].fraction <= near_enough * g->spacing && !is_last(g, target)) {
      /* a longer step, across a singular position, has passed this point of the grid */
      g->whole++;
      continue;
    }
    GRADYN_TRY(step_on_grid(s, g, target, keep, &event, trajectory));
    g->whole += s->step[s->count].fraction >= target - near_enough * g->spacing;
    if (event >= 0) {
      GRADYN_TRY(pass_event(s, g->arc, event, keep, trajectory));
      *next = s->step[s->count - 1].arc;
      return GRADYN_OK;
    }
  }
  return gradyn_fixed_add_samples(s, s->count, *next, false,
                                  gradyn_fixed_node_memory(s, keep, s->count));
}

/* If memory for events may not suffice, provides memory for four times as many. */
static gradyn_status make_room(gradyn_fixed *s, bool keep)
{
  if (s->model->event_count == 0 || s->events.watch.happened < s->kept.allowed)
    return GRADYN_OK;
  const int segment = s->kept.segment;
  s->kept.allowed *= 4;
  GRADYN_TRY(gradyn_fixed_reserve(s, keep));
  s->kept.again = s->kept.segment != segment;
  return GRADYN_OK;
}

gradyn_status gradyn_fixed_events_run(gradyn_fixed *s, bool keep, gradyn_trajectory *trajectory)
{
  const double *y;
  grid g = {0};
  s->kept.again = false;
  GRADYN_TRY(gradyn_fixed_motion(s, 0, gradyn_fixed_node_memory(s, keep, 0),
                                 s->model->event_count > 0, &y));
  /* begin at time 0; end at the end time, or at an event that ends the run */
  GRADYN_TRY(gradyn_detector_begin(&s->events.watch, y));
  GRADYN_TRY(gradyn_detector_open(&s->events.watch, 0, y));
  for (int arc = 0; arc < s->arcs.count;) {
    GRADYN_TRY(make_room(s, keep));
    if (s->kept.again)
      return GRADYN_OK;
    gradyn_arcs_enter(s->model, &s->arcs, arc);
    GRADYN_TRY(cross_boundary(s, arc, keep, trajectory));
    lay_grid(s, arc, &g);
    GRADYN_TRY(integrate_arc(s, &g, keep, trajectory, &arc));
  }
  return gradyn_fixed_observe_end(s, gradyn_fixed_node_memory(s, keep, s->count));
}
