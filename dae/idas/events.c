/* Events in a run with IDAS.
 *
 * After each step, guards are evaluated at its end. Their roots are located on the interpolating polynomial
 * of IDAS (locate.h), without evaluations of the equations. The arc ends at the root with the interpolated
 * state, and the next arc begins after the jump (impact.h). */
#include "dae/idas/events.h"
#include "dae/idas/arc_time.h"
#include "dae/events/detect_search.h"

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
  e->inside = N_VNew_Serial(s->ny + 1, s->sun.context);
  e->change = calloc(2 * (size_t)s->ny + 1, sizeof(double));
  return e->inside && e->change
             ? gradyn_event_sequence_create(model, s->options.rtol,
                                            (const size_t[6]){(size_t)s->ny}, &e->base)
             : GRADYN_NO_MEMORY;
}

void gradyn_idas_events_free(gradyn_idas_events *e)
{
  if (!e)
    return;
  free(e->change);
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
  s->events->t = s->t; /* the search begins at the start of the arc */
  return gradyn_detector_open(&s->events->base.watch, s->t, N_VGetArrayPointer(s->sun.y));
}

/* Computes y and y' at a time inside the last step. */
static gradyn_status interpolate(gradyn_idas *s, double t)
{
  const double since = gradyn_idas_since(s, t);
  GRADYN_TRY(gradyn_idas_failed(s, IDAGetDky(s->ida, since, 0, s->sun.y), "interpolation", t));
  return gradyn_idas_failed(s, IDAGetDky(s->ida, since, 1, s->sun.yp), "interpolation", t);
}

/* Computes the state at a position inside the last step, for gradyn_locate(). */
static gradyn_status state_within(void *user, double position, const double **y)
{
  gradyn_idas *s = user;
  double t = s->events->t + position;
  *y = N_VGetArrayPointer(s->events->inside);
  const int flag = IDAGetDky(s->ida, gradyn_idas_since(s, t), 0, s->events->inside);
  return gradyn_idas_failed(s, flag, "interpolation", t);
}

gradyn_status gradyn_idas_events_search(gradyn_idas *s, int k)
{
  gradyn_idas_events *e = s->events;
  const bool last = s->t >= s->arcs.boundary[k + 1].t;
  const gradyn_span step = {
      e->t,         s->t - e->t, N_VGetArrayPointer(s->sun.y),
      state_within, s,           last ? gradyn_detector_together(&e->base.watch) : 0};
  gradyn_found_event found;
  GRADYN_TRY(gradyn_detector_search(&e->base.watch, &step, &found));
  /* a root after the end of the arc belongs to the next arc */
  double first = e->t + found.position;
  bool happens = found.event >= 0 && gradyn_detector_within(&e->base.watch, first);
  e->t = s->t;
  if (!happens)
    return GRADYN_OK;
  e->t = s->t = first; /* the present state becomes that of the event */
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

/* --- across an event -------------------------------------------------------------------------- */

gradyn_status gradyn_idas_events_arrive(gradyn_idas *s)
{
  gradyn_event_sequence *base = &s->events->base;
  gradyn_passed_event *now;
  return gradyn_event_sequence_begin(base, base->next, s->t, N_VGetArrayPointer(s->sun.y), &now);
}

gradyn_status gradyn_idas_events_apply(gradyn_idas *s, int boundary)
{
  gradyn_impacts *impact = &s->events->base.impact;
  gradyn_passed_event *now = gradyn_idas_event_at(s, boundary);
  double *y = N_VGetArrayPointer(s->sun.y);
  memcpy(now->y[0], y, (size_t)s->ny * sizeof *y);
  GRADYN_TRY(
      gradyn_impact_apply(impact, now->record.event, now->record.t, now->y[0], &now->record));
  memcpy(y, impact->yp, (size_t)gradyn_impact_moves(impact) * sizeof *y);
  return GRADYN_OK;
}
