/* Events in a run of a one-step method. An event ends an arc at a boundary, at the time when the guard of
 * the discrete run is zero: the step with this time is repeated with the length that ends there. Lengths of
 * earlier steps of the arc do not depend on this time. The next arc starts from the state after the
 * event. */
#ifndef GRADYN_DAE_EXPLICIT_EVENTS_H
#define GRADYN_DAE_EXPLICIT_EVENTS_H

#include "dae/onestep/onestep.h"
#include "dae/events/event_sequence.h"

/* An event stores the states before it, y[0] [moves], and the stage after it, y[1] [record]. */
typedef struct gradyn_onestep_events {
  gradyn_event_sequence base;
  gradyn_guard_state *saved; /* [event_count] at the start of the present step */
  size_t moves; /* states that an event may change: 2 n, q and v, or ny of general equations */
  double *inside, *piece; /* [moves] states inside a step; changes across an event */
  double *end;            /* [nz] state of the run at the end of the step */
} gradyn_onestep_events;

/* Sets s->events, which gradyn_onestep_free() frees also after an error. Errors: GRADYN_NO_MEMORY, with a
 * message in the model; failures of the equations. */
gradyn_status gradyn_onestep_events_create(gradyn_onestep *s);

/* Frees the members and the object; NULL is allowed. */
void gradyn_onestep_events_free(gradyn_onestep_events *e);

/* Begins detection at the start of a run, whose stage [record] is given. Errors: GRADYN_EVENT, a wall is
 * penetrated or not left, an invariant violated, a guard jumps; failures of guards. */
gradyn_status gradyn_onestep_events_begin(gradyn_onestep *s, const double *stage);

/* Searches the step just taken from z [nz] at t, of length *h, for an event; `left` is the time from t to
 * the end of the arc; all in s. If there is an event, base.next is its index, and *h becomes the length up
 * to it. The stages, s->y and the contributions to integrals are computed again for this length. Otherwise
 * base.next is -1. Errors: those of gradyn_detector_search(); failures of shorter steps. */
gradyn_status gradyn_onestep_events_search(gradyn_onestep *s, double t, double *h, double left,
                                           const double *z, double *stages);

/* Ends an arc at t, s, with the event base.next; `first` is the index of the first step of the arc. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_events_end_arc(gradyn_onestep *s, int arc, int first, double t);

/* Applies the event base.next at a boundary, from 1. `arrival` is the stage before the event. Stores the
 * state after it as the start of the next step, samples functionals before and after it, and enters the next
 * discrete state. If the motion ends with this event, the boundary becomes the last one. Errors: those of
 * gradyn_event_sequence_begin(), gradyn_impact_apply(), functionals and rates. */
gradyn_status gradyn_onestep_events_apply(gradyn_onestep *s, int boundary, const double *arrival);

/* Returns the event at a boundary; NULL: none. */
static inline gradyn_passed_event *gradyn_onestep_event_at(const gradyn_onestep *s, int boundary)
{
  return s->events ? gradyn_event_sequence_at(&s->events->base, &s->arcs.boundary[boundary]) : NULL;
}

/* Returns whether an event is at a boundary. */
static inline bool gradyn_onestep_has_event(const gradyn_onestep *s, int boundary)
{
  return s->arcs.boundary[boundary].transition > 0;
}

#endif
