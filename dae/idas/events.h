/* Events of a march with IDAS: guards are looked at after every step, roots found on its interpolant,
 * and each event ends an arc; the next one starts behind the jump. */
#ifndef GRADYN_DAE_IDAS_EVENTS_H
#define GRADYN_DAE_IDAS_EVENTS_H

#include "dae/idas/idas.h"
#include "dae/events/event_sequence.h"

/* Of events all states, rates and integrands of both sides are kept; states are consistent. */
typedef struct gradyn_idas_events {
  gradyn_event_sequence base;
  double t;                 /* end of the last step, s */
  N_Vector inside;          /* [ny + 1] a state within it */
  double *value;            /* [nf] of functionals taken at events */
  gradyn_boundary replaced; /* whose place its boundary has taken; t = 0: none */
} gradyn_idas_events;

gradyn_status gradyn_idas_events_create(gradyn_idas *s);
void gradyn_idas_events_free(gradyn_idas_events *e);

/* At the start of a run, whose first state is in s->y. */
gradyn_status gradyn_idas_events_begin(gradyn_idas *s);

/* At the start of an arc, and after each step in arc k: where an event is found, the state goes back to it,
 * and the arc ends there (a boundary k + 1 with it is put in). */
gradyn_status gradyn_idas_events_open(gradyn_idas *s);
gradyn_status gradyn_idas_events_look(gradyn_idas *s, int k);

/* Takes back the end of arc k, if that was an event found by look(): the arc is to be run again. */
void gradyn_idas_events_undo(gradyn_idas *s, int k);

/* Crosses boundary k + 1, an event: from the state before it to that after it. */
gradyn_status gradyn_idas_events_cross(gradyn_idas *s, int k);

/* Whether the end of arc k is to be crossed: another arc follows, or the event there ends the run. */
static inline bool gradyn_idas_crosses(const gradyn_idas *s, int k)
{
  return k + 1 < s->arcs.count || s->arcs.boundary[k + 1].transition > 0;
}

/* The event at a boundary; NULL: there is none. */
static inline gradyn_passed_event *gradyn_idas_passage_at(const gradyn_idas *s, int boundary)
{
  return s->events ? gradyn_event_sequence_at(&s->events->base, &s->arcs.boundary[boundary]) : NULL;
}

#endif
