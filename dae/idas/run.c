/* Runs with IDAS through all arcs. Each arc is integrated step by step, because each step is searched for
 * events. Then follow the samples at its end and, at an event, the jump and the samples after it. */
#include "dae/idas/run.h"
#include "dae/idas/arc_time.h"
#include "dae/idas/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- nodes ------------------------------------------------------------------------------------ */

gradyn_idas_node gradyn_idas_node_at(const gradyn_idas *s, int boundary, int side)
{
  const int ny = s->ny, size = 2 * ny + s->sums.nq;
  double *y = s->nodes.number + (2 * boundary + side) * size;
  return (gradyn_idas_node){s->arcs.boundary[boundary].t, y, y + ny, y + 2 * ny};
}

void gradyn_idas_enter_side(const gradyn_idas *s, int boundary, int side)
{
  const gradyn_passed_event *event = gradyn_idas_event_at(s, boundary);
  const int arc = boundary - (side == GRADYN_BEFORE);
  gradyn_discrete_state_enter(s->model,
                              event ? event->discrete[side] : s->arcs.boundary[arc].discrete);
}

int gradyn_idas_sample_side(const gradyn_idas *s, int k)
{
  return k == 0 || s->tape.record[k - 1].kind == GRADYN_TAPE_JUMP ? GRADYN_AFTER : GRADYN_BEFORE;
}

/* Returns whether the nodes of this run are stored. */
static bool stores_nodes(const gradyn_idas *s)
{
  return s->observer.records || s->observer.stores;
}

static gradyn_status reserve_node(gradyn_idas *s, int boundary)
{
  if (boundary < s->nodes.capacity)
    return GRADYN_OK;
  /* more than needed, since events add boundaries */
  const int capacity = s->arcs.count + 1 + boundary / 2;
  const size_t size = 2 * (size_t)capacity * (size_t)(2 * s->ny + s->sums.nq) + 1;
  double *grown = realloc(s->nodes.number, size * sizeof *grown);
  if (!grown)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for %d arcs", capacity);
  s->nodes.number = grown;
  s->nodes.capacity = capacity;
  return GRADYN_OK;
}

/* Makes the present state at a boundary consistent, computes accelerations and multipliers, and stores it. */
static gradyn_status settle(gradyn_idas *s, int boundary, int side)
{
  const double t = s->arcs.boundary[boundary].t;
  double *y = N_VGetArrayPointer(s->sun.y), *yp = N_VGetArrayPointer(s->sun.yp);
  if (boundary > 0)
    GRADYN_TRY(s->system->ops->restart(s->system, t, y, yp));
  if (!stores_nodes(s))
    return GRADYN_OK;
  GRADYN_TRY(reserve_node(s, boundary));
  const gradyn_idas_node node = gradyn_idas_node_at(s, boundary, side);
  memcpy(node.y, y, (size_t)s->ny * sizeof *y);
  memcpy(node.yp, yp, (size_t)s->ny * sizeof *yp);
  for (int q = 0; q < s->sums.nq; q++) {
    const gradyn_functional_entry *f = &s->model->functional[s->sums.integral[q]];
    GRADYN_TRY(f->integrand->value(s->model, f, &(gradyn_sample){t, y}, &node.g[q]));
  }
  return GRADYN_OK;
}

/* --- records ---------------------------------------------------------------------------------- */

/* Passes the last record to the observer. The observer may change the discrete state, so it is entered
 * again. */
static gradyn_status ride(gradyn_idas *s, int boundary, int side)
{
  if (!s->observer.records)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_tape_pass(&s->tape, s->tape.count - 1, s->observer.records, s->observer.run));
  gradyn_idas_enter_side(s, boundary, side);
  return GRADYN_OK;
}

/* Returns the present state at a boundary, at which functionals are evaluated. */
static gradyn_sample_point point_at(const gradyn_idas *s, int boundary, int side)
{
  return (gradyn_sample_point){boundary, side == GRADYN_AFTER, gradyn_idas_event_at(s, boundary),
                               N_VGetArrayPointer(s->sun.y)};
}

/* Evaluates the functionals that belong to a boundary, on one side of its event. */
static gradyn_status sample(gradyn_idas *s, int boundary, int side)
{
  const gradyn_sample_point at = point_at(s, boundary, side);
  const int records = s->tape.count;
  GRADYN_TRY(gradyn_tape_sample(&s->tape, &s->arcs, &at, s->sums.inner));
  if (s->tape.count == records)
    return GRADYN_OK;
  const int *list, count = gradyn_tape_sampled(&s->tape, records, &list);
  for (int i = 0; i < count; i++)
    GRADYN_TRY(gradyn_idas_add_size(s, list[i], s->arcs.boundary[boundary].t, at.y));
  return ride(s, boundary, side);
}

/* Integrates arc k step by step, to its end or to an event. */
static gradyn_status advance(gradyn_idas *s, int k)
{
  const long most = gradyn_idas_steps_left(s, 0, s->report.cost.steps);
  GRADYN_TRY(gradyn_idas_open_arc(s, k));
  if (s->observer.open)
    GRADYN_TRY(s->observer.open(s->observer.run));
  if (s->events)
    GRADYN_TRY(gradyn_idas_events_open(s));
  /* the last call before the first step, because IDAS frees its adjoint memory as if a step had been taken */
  if (s->observer.stores)
    GRADYN_TRY(gradyn_idas_failed(s, IDAAdjInit(s->ida, s->stored.arc[k].capacity, IDA_POLYNOMIAL),
                                  s->observer.what, s->t));
  /* IDAS counts the steps of each call, and every call takes one step: its limit is therefore applied here */
  for (long taken = 0; s->t < s->arcs.boundary[k + 1].t; taken++) {
    const int flag = taken < most ? gradyn_idas_advance(s) : IDA_TOO_MUCH_WORK;
    const gradyn_status status = gradyn_idas_failed(s, flag, s->observer.what,
                                                    gradyn_idas_reached(s, s->ida));
    s->failure.status = GRADYN_OK; /* an earlier failure does not count after a successful step */
    GRADYN_TRY(status);
    if (s->events)
      GRADYN_TRY(gradyn_idas_events_search(s, k));
    if (s->observer.step)
      GRADYN_TRY(s->observer.step(s->observer.run));
  }
  return GRADYN_OK;
}

/* Integrates from the start to the end of arc k, and makes the state there consistent. Leaves the IDAS
 * object open. */
static gradyn_status integrate(gradyn_idas *s, int k)
{
  const int end = k + 1;
  if (!gradyn_arcs_pause(&s->arcs, k))
    GRADYN_TRY(s->observer.stores ? gradyn_idas_store_arc(s, k, advance) : advance(s, k));
  if (s->ida && NV_LENGTH_S(s->sun.quad) > 0) /* the integrals up to the end of the arc */
    GRADYN_TRY(gradyn_idas_quadratures(s));
  if (s->arcs.boundary[end].transition > 0)
    GRADYN_TRY(gradyn_idas_events_arrive(s));
  const gradyn_sample_point at = point_at(s, end, GRADYN_BEFORE);
  const int *due;
  if (at.event || stores_nodes(s) || gradyn_tape_due(&s->tape, &s->arcs, &at, &due) > 0)
    GRADYN_TRY(settle(s, end, GRADYN_BEFORE));
  GRADYN_TRY(gradyn_tape_append(&s->tape, GRADYN_TAPE_ARC, k));
  return ride(s, end, GRADYN_BEFORE);
}

/* Integrates arc k, then stores or frees its IDAS object. */
static gradyn_status run_arc(gradyn_idas *s, int k)
{
  const gradyn_status status = integrate(s, k);
  if (s->ida) /* also count the cost of a failed run */
    gradyn_idas_count(s, s->ida, false);
  if (s->ida && s->observer.stores) {
    s->stored.arc[k].ida = s->ida;
    s->ida = NULL;
  }
  gradyn_idas_close_arc(s);
  return status;
}

/* Enters the arc that starts at a boundary, after the event there. */
static gradyn_status enter(gradyn_idas *s, int boundary)
{
  return s->observer.enter ? s->observer.enter(s->observer.run, boundary) : GRADYN_OK;
}

/* Takes the jump of the event at a boundary, then evaluates the functionals after it. */
static gradyn_status jump(gradyn_idas *s, int boundary)
{
  gradyn_event_sequence *events = &s->events->base;
  GRADYN_TRY(gradyn_tape_append(&s->tape, GRADYN_TAPE_JUMP, boundary));
  GRADYN_TRY(gradyn_idas_events_apply(s, boundary));
  gradyn_arcs_enter(s->model, &s->arcs, boundary);
  GRADYN_TRY(settle(s, boundary, GRADYN_AFTER));
  GRADYN_TRY(gradyn_tape_cross(&s->tape, events, &s->arcs, boundary,
                               gradyn_idas_event_at(s, boundary), s->sums.inner));
  GRADYN_TRY(ride(s, boundary, GRADYN_AFTER));
  GRADYN_TRY(sample(s, boundary, GRADYN_AFTER));
  return gradyn_event_sequence_pause(events, &s->arcs, boundary);
}

/* Continues from the end of an arc at a boundary to the next arc. */
static gradyn_status cross(gradyn_idas *s, int boundary)
{
  GRADYN_TRY(sample(s, boundary, GRADYN_BEFORE));
  if (s->arcs.boundary[boundary].transition > 0) {
    GRADYN_TRY(jump(s, boundary));
  } else if (boundary < s->arcs.count) {
    gradyn_arcs_enter(s->model, &s->arcs, boundary);
    GRADYN_TRY(settle(s, boundary, GRADYN_AFTER));
  } else
    return GRADYN_OK;
  return enter(s, boundary);
}

/* --- one run ---------------------------------------------------------------------------------- */

/* Adds the integrals of arcs to the functionals, and computes their values and sizes. */
static gradyn_status finish(gradyn_idas *s, double *psi)
{
  const double t = s->arcs.boundary[s->arcs.count].t;
  double slope, t_bar;
  s->report.cost.arcs = s->arcs.count;
  /* monitors get the states that start steps, and here the final state */
  GRADYN_TRY(gradyn_idas_observe(s, t, N_VGetArrayPointer(s->sun.y)));
  for (int q = 0; q < s->sums.nq; q++)
    s->sums.inner[s->sums.integral[q]] += NV_Ith_S(s->sun.quad, q);
  gradyn_idas_add_masses(s);
  for (int f = 0; f < s->sums.count; f++) {
    gradyn_functional_outer(&s->model->functional[f], s->sums.inner[f], t, &slope, &t_bar);
    s->sums.size[f] *= fabs(slope);
  }
  return gradyn_tape_values(&s->tape, &s->arcs, s->sums.inner, psi);
}

/* Runs through all arcs and their events once; psi [nf]. */
static gradyn_status run_once(gradyn_idas *s, double *psi)
{
  gradyn_idas_stored_release(s);
  GRADYN_TRY(gradyn_idas_begin(s));
  GRADYN_TRY(settle(s, 0, GRADYN_AFTER));
  GRADYN_TRY(enter(s, 0));
  GRADYN_TRY(sample(s, 0, GRADYN_AFTER));
  /* events change the number of arcs: they add arcs, or end the run */
  for (int k = 0; k < s->arcs.count; k++) {
    GRADYN_TRY(run_arc(s, k));
    GRADYN_TRY(cross(s, k + 1));
  }
  return finish(s, psi);
}

gradyn_status gradyn_idas_run(gradyn_idas *s, double *psi)
{
  gradyn_status status = run_once(s, psi);
  /* Newton's method for y and sensitivities together neglects that sensitivities depend on y. If
   * corrections of y change the sensitivities by much, it seems to diverge even close to the solution. The
   * run is then repeated as a careful run. */
  s->care.stalled = s->care.stalled || (status == GRADYN_STEP_LIMIT && s->observer.renew);
  if (gradyn_idas_must_repeat(s))
    status = run_once(s, psi);
  return status;
}
