/* Events in a run of a one-step method. An event ends an arc at a boundary, at the time when the guard of
 * the discrete run is zero: the step with this time is repeated with the length that ends there. Lengths of
 * earlier steps of the arc do not depend on this time. The next arc starts from the state after the
 * event. */
#ifndef GRADYN_DAE_EXPLICIT_EVENTS_H
#define GRADYN_DAE_EXPLICIT_EVENTS_H

#include "dae/onestep/onestep.h"
#include "dae/events/event_sequence.h"

/* Stored of each event: the states before that it changes, y[0] [moves]: positions and velocities, or all
 * of general equations; and the stage after it, y[1] [record]. */
typedef struct gradyn_onestep_events {
  gradyn_event_sequence base;
  gradyn_guard_state *saved; /* [event_count] at the start of the present step */
  size_t moves;
  double *inside, *piece; /* [moves] states inside a step; changes across an event */
  double *end;            /* [nz] state of the run at the end of the step */
} gradyn_onestep_events;

gradyn_status gradyn_onestep_events_create(gradyn_onestep *s);
void gradyn_onestep_events_free(gradyn_onestep_events *e);

/* Begins a run, from its first stage. Errors: those of the detector. */
gradyn_status gradyn_onestep_events_begin(gradyn_onestep *s, const double *stage);

/* Searches the step just taken from time t, s, for an event; left: rest of the arc, s. If there is one, *h
 * becomes the length up to it, stages and integrals are those of this step, and base.next is the event. */
gradyn_status gradyn_onestep_events_look(gradyn_onestep *s, double t, double *h, double left,
                                         const double *z, double *stages);

/* Ends an arc at the detected event at t, s; `first` is the number of the first step of the arc. */
gradyn_status gradyn_onestep_events_end_arc(gradyn_onestep *s, int arc, int first, double t);

/* Applies the event at a boundary to the stage `arrival` before it; computes the start of the next step. */
gradyn_status gradyn_onestep_events_cross(gradyn_onestep *s, int boundary, const double *arrival);

/* Returns the event at a boundary; NULL: none. */
static inline gradyn_passed_event *gradyn_onestep_jump_at(const gradyn_onestep *s, int boundary)
{
  return s->events ? gradyn_event_sequence_at(&s->events->base, &s->arcs.boundary[boundary]) : NULL;
}

/* Returns whether an event is at a boundary. */
static inline bool gradyn_onestep_jump_due(const gradyn_onestep *s, int boundary)
{
  return s->arcs.boundary[boundary].transition > 0;
}

#endif
