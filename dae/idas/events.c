/* Events in a run with IDAS.
 *
 * After each step guards are evaluated at its end, and their zeros found on the interpolating polynomial of
 * IDAS (locate.h), without calls of the equations. The arc ends there with the interpolated state, and the
 * next arc begins after the jump (impact.h). States before and after each event are stored for
 * derivatives. */
#include "dae/idas/events.h"
#include "dae/idas/arc_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- life ------------------------------------------------------------------------------------- */

gradyn_status gradyn_idas_events_create(gradyn_idas *s)
{
  gradyn_model *model = s->model;
  gradyn_idas_events *e = s->events = calloc(1, sizeof *e);
  if (!e)
    return GRADYN_NO_MEMORY;
  e->value = calloc((size_t)s->sums.count + 1, sizeof(double));
  e->inside = N_VNew_Serial(s->ny + 1, s->sun.context);
  const size_t ny = (size_t)s->ny, nf = (size_t)s->sums.count;
  return e->value && e->inside
             ? gradyn_event_sequence_create(model, s->options.rtol,
                                            (const size_t[6]){ny, ny, ny, ny, nf, nf}, &e->base)
             : GRADYN_NO_MEMORY;
}

void gradyn_idas_events_free(gradyn_idas_events *e)
{
  if (!e)
    return;
  free(e->value);
  if (e->inside)
    N_VDestroy(e->inside);
  gradyn_event_sequence_clear(&e->base);
  free(e);
}

/* --- guards along an arc ---------------------------------------------------------------------- */

gradyn_status gradyn_idas_events_begin(gradyn_idas *s)
{
  s->events->base.next = -1;
  return gradyn_detector_begin(&s->events->base.watch, N_VGetArrayPointer(s->sun.y));
}

gradyn_status gradyn_idas_events_open(gradyn_idas *s)
{
  s->events->base.next = -1;
  s->events->t = s->t; /* where the arc begins */
  return gradyn_detector_open(&s->events->base.watch, s->t, N_VGetArrayPointer(s->sun.y));
}

/* y and y' at a time inside the last step. */
static gradyn_status interpolate(gradyn_idas *s, double t)
{
  const double since = gradyn_idas_since(s, t);
  GRADYN_TRY(gradyn_idas_failed(s, IDAGetDky(s->ida, since, 0, s->sun.y), "interpolation", t));
  return gradyn_idas_failed(s, IDAGetDky(s->ida, since, 1, s->sun.yp), "interpolation", t);
}

/* A state on the interpolant of the last step. */
static gradyn_status state_within(void *user, double position, const double **y)
{
  gradyn_idas *s = user;
  double t = s->events->t + position;
  *y = N_VGetArrayPointer(s->events->inside);
  const int flag = IDAGetDky(s->ida, gradyn_idas_since(s, t), 0, s->events->inside);
  return gradyn_idas_failed(s, flag, "interpolation", t);
}

gradyn_status gradyn_idas_events_look(gradyn_idas *s, int k)
{
  gradyn_idas_events *e = s->events;
  const bool last = s->t >= s->arcs.boundary[k + 1].t;
  const gradyn_span step = {
      e->t,         s->t - e->t, N_VGetArrayPointer(s->sun.y),
      state_within, s,           last ? gradyn_detector_together(&e->base.watch) : 0};
  gradyn_found_event found;
  GRADYN_TRY(gradyn_detector_search(&e->base.watch, &step, &found));
  /* zeros beyond the end of the arc belong to the next arc */
  double first = e->t + found.position;
  bool happens = found.event >= 0 && gradyn_detector_within(&e->base.watch, first);
  e->t = s->t;
  if (!happens)
    return GRADYN_OK;
  e->t = s->t = first; /* the state goes back to the event */
  GRADYN_TRY(interpolate(s, first));
  e->base.next = found.event;
  return gradyn_event_sequence_end_arc(&e->base, &s->arcs, k + 1, first, found.event, &e->replaced);
}

void gradyn_idas_events_undo(gradyn_idas *s, int k)
{
  gradyn_detector_undo(&s->events->base.watch);
  if (s->events->base.next < 0)
    return;
  if (s->events->replaced.t > 0)
    s->arcs.boundary[k + 1] = s->events->replaced;
  else
    gradyn_arcs_remove(&s->arcs, k + 1);
  s->events->base.next = -1;
}

/* --- crossing --------------------------------------------------------------------------------- */

/* g [nf] of all functionals at the present time, for derivatives of integrals by the time of the event. */
static gradyn_status integrands(const gradyn_idas *s, const double *y, double *g)
{
  const gradyn_sample at = {s->t, y};
  for (int f = 0; f < s->sums.count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    g[f] = 0;
    if (functional->integrand)
      GRADYN_TRY(functional->integrand->value(s->model, functional, &at, &g[f]));
  }
  return GRADYN_OK;
}

/* Makes the state before (side 0) or after the event consistent and stores it. */
static gradyn_status keep_side(gradyn_idas *s, gradyn_passed_event *now, int side)
{
  size_t size = (size_t)s->ny * sizeof(double);
  double *y = N_VGetArrayPointer(s->sun.y), *yp = N_VGetArrayPointer(s->sun.yp);
  /* accelerations and multipliers */
  GRADYN_TRY(s->system->ops->restart(s->system, s->t, y, yp));
  GRADYN_TRY(integrands(s, y, now->g[side]));
  memcpy(now->y[side], y, size);
  memcpy(now->yp[side], yp, size);
  return GRADYN_OK;
}

/* Evaluates the functionals defined at this event. */
static gradyn_status take_values(gradyn_idas *s, const gradyn_passed_event *now)
{
  gradyn_idas_events *e = s->events;
  for (int f = 0; f < s->sums.count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    if (!gradyn_functional_is_at_event(functional, &now->record, now->number))
      continue;
    /* the state on its side of the event */
    const gradyn_sample at = {s->t, now->y[functional->side == GRADYN_AFTER]};
    if (functional->side == GRADYN_IMPULSE)
      e->value[f] = now->record.impulse;
    else
      GRADYN_TRY(functional->terminal->value(s->model, functional, &at, &e->value[f]));
    if (functional->side != GRADYN_IMPULSE)
      GRADYN_TRY(gradyn_idas_add_size(s, f, s->t, at.y));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_idas_events_cross(gradyn_idas *s, int k)
{
  gradyn_event_sequence *base = &s->events->base;
  gradyn_passed_event *now;
  double *y = N_VGetArrayPointer(s->sun.y);
  GRADYN_TRY(gradyn_event_sequence_begin(base, base->next, s->t, y, &now));
  /* before the event, in the old mode */
  GRADYN_TRY(keep_side(s, now, 0));
  GRADYN_TRY(gradyn_impact_apply(&base->impact, now->record.event, s->t, now->y[0], &now->record));
  /* new differential states; the others follow */
  memcpy(y, base->impact.yp, (size_t)gradyn_impact_moves(&base->impact) * sizeof(double));
  gradyn_arcs_enter(s->model, &s->arcs, k + 1);
  /* after the event, in the new mode */
  GRADYN_TRY(keep_side(s, now, 1));
  GRADYN_TRY(gradyn_event_sequence_end(base, now));
  if (gradyn_log_ends(s->model)) /* the run ends after this event */
    s->arcs.count = k + 1;
  GRADYN_TRY(take_values(s, now));
  base->next = gradyn_event_sequence_waiting(base);
  return base->next < 0 ? GRADYN_OK : gradyn_event_sequence_pause(base, &s->arcs, k + 1);
}
