/* Events of a run with IDAS: guards are evaluated after every step, roots are found by its interpolant, and
 * each event ends an arc; the next arc starts after the jump. */
#ifndef GRADYN_DAE_IDAS_EVENTS_H
#define GRADYN_DAE_IDAS_EVENTS_H

#include "dae/idas/idas.h"
#include "dae/events/event_sequence.h"

/* Of each event, all states, rates and integrands of both sides are stored; states are consistent. */
typedef struct gradyn_idas_events {
  gradyn_event_sequence base;
  double t;                 /* end of the last step, s */
  N_Vector inside;          /* [ny + 1] a state within it */
  double *value;            /* [nf] values of functionals evaluated at events */
  gradyn_boundary replaced; /* boundary replaced by that of the event; t = 0: none */
} gradyn_idas_events;

gradyn_status gradyn_idas_events_create(gradyn_idas *s);
void gradyn_idas_events_free(gradyn_idas_events *e);

/* Begins a run, with its first state in s->y. */
gradyn_status gradyn_idas_events_begin(gradyn_idas *s);

/* open(): at the start of an arc. look(): after each step in arc k; if an event is found, the state is
 * moved back to it, and the arc ends there, at a new boundary k + 1. */
gradyn_status gradyn_idas_events_open(gradyn_idas *s);
gradyn_status gradyn_idas_events_look(gradyn_idas *s, int k);

/* Removes the end of arc k if it is an event found by look(), before the arc is run again. */
void gradyn_idas_events_undo(gradyn_idas *s, int k);

/* Applies the event at boundary k + 1: the state before it becomes the state after it. */
gradyn_status gradyn_idas_events_cross(gradyn_idas *s, int k);

/* Returns whether the end of arc k must be processed: another arc follows, or an event is there. */
static inline bool gradyn_idas_crosses(const gradyn_idas *s, int k)
{
  return k + 1 < s->arcs.count || s->arcs.boundary[k + 1].transition > 0;
}

/* Returns the event at a boundary; NULL: none. */
static inline gradyn_passed_event *gradyn_idas_passage_at(const gradyn_idas *s, int boundary)
{
  return s->events ? gradyn_event_sequence_at(&s->events->base, &s->arcs.boundary[boundary]) : NULL;
}

#endif
