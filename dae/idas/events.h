/* Events of a run with IDAS: guards are evaluated after every step, roots are found by its interpolant, and
 * each event ends an arc; the next arc starts after the jump. */
#ifndef GRADYN_DAE_IDAS_EVENTS_H
#define GRADYN_DAE_IDAS_EVENTS_H

#include "dae/idas/idas.h"
#include "dae/events/event_sequence.h"

/* An event stores the consistent state y [ny] before it. */
typedef struct gradyn_idas_events {
  gradyn_event_sequence base;
  double t;                 /* end of the last step, s */
  N_Vector inside;          /* [ny + 1] a state within the last step */
  double *change;           /* [2][ny] workspace of derivatives across an event */
  gradyn_boundary replaced; /* boundary replaced by that of the event; t = 0: none */
} gradyn_idas_events;

/* Sets s->events, which gradyn_idas_free() frees also after an error. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_idas_events_create(gradyn_idas *s);

/* Frees the members and the object; NULL is allowed. */
void gradyn_idas_events_free(gradyn_idas_events *e);

/* Begins detection at the start of a run, with its consistent initial state in s->sun.y. Errors:
 * GRADYN_EVENT, a wall is penetrated or not left; failures of guards. */
gradyn_status gradyn_idas_events_begin(gradyn_idas *s);

/* Call at the start of an arc, with its state in s->sun.y. Errors: GRADYN_EVENT, a wall is penetrated or
 * not left, an invariant violated, a guard jumps; failures of guards. */
gradyn_status gradyn_idas_events_open(gradyn_idas *s);

/* Call after each step in arc k, from 0. If the step contains an event, the arc ends there, at a new
 * boundary k + 1. s->t, s->sun.y, s->sun.yp then become time and state of the event. Errors: those of
 * gradyn_detector_search() and gradyn_event_sequence_end_arc(). */
gradyn_status gradyn_idas_events_search(gradyn_idas *s, int k);

/* Resets detection to the start of arc k before the arc is run again, and removes its end if it is an event
 * found by search(). */
void gradyn_idas_events_undo(gradyn_idas *s, int k);

/* Begins the event that ends an arc, from the state before it in s->sun.y. Errors: GRADYN_EVENT, the event
 * is not well defined; GRADYN_STEP_LIMIT, too many events; GRADYN_NO_MEMORY; failures of users'
 * functions. */
gradyn_status gradyn_idas_events_arrive(gradyn_idas *s);

/* Applies the jump of the event at a boundary, from 1. s->sun.y has the consistent state before it; its
 * differential states become those after it. Errors: GRADYN_EVENT, the state after the impact violates a
 * constraint; GRADYN_SINGULAR, no solution; GRADYN_INVALID, a landing with restitution; failures of users'
 * functions. */
gradyn_status gradyn_idas_events_apply(gradyn_idas *s, int boundary);

/* Returns the event at a boundary; NULL: none. */
static inline gradyn_passed_event *gradyn_idas_event_at(const gradyn_idas *s, int boundary)
{
  return s->events ? gradyn_event_sequence_at(&s->events->base, &s->arcs.boundary[boundary]) : NULL;
}

#endif
