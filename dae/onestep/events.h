/* Events of a march with an explicit method. An event ends an arc, at a boundary whose time is where the
 * guard of the discrete run is zero: the step in which it lies is taken again with the length that leads
 * there. The lengths of the steps before it in its arc do not depend on that. After the event an arc starts
 * from the state to which the event leads. */
#ifndef GRADYN_DAE_EXPLICIT_EVENTS_H
#define GRADYN_DAE_EXPLICIT_EVENTS_H

#include "dae/onestep/onestep.h"
#include "dae/events/event_sequence.h"

/* Of events are kept the states before that they change, y[0] [moves]: positions and velocities, or all of
 * general equations; and the stage behind, y[1] [record]. */
typedef struct gradyn_onestep_events {
  gradyn_event_sequence base;
  gradyn_guard_state *saved; /* [event_count] as they were where a step starts */
  size_t moves;
  double *inside, *piece; /* [moves] states inside a step; changes across an event */
  double *end;            /* [nz] the march's state at its end */
} gradyn_onestep_events;

gradyn_status gradyn_onestep_events_create(gradyn_onestep *s);
void gradyn_onestep_events_free(gradyn_onestep_events *e);

/* At the start of a run, from its first stage. */
gradyn_status gradyn_onestep_events_begin(gradyn_onestep *s, const double *stage);

/* Looks for an event in the step that was taken from time t, with so much `left` of its arc. Where there is
 * one, *h becomes the length that ends there, stages and integrals are those of that step, and base.next
 * tells which event it is. */
gradyn_status gradyn_onestep_events_look(gradyn_onestep *s, double t, double *h, double left,
                                         const double *z, double *stages);

/* Ends an arc, whose steps before the one in hand begin with number `first`, at the detected event at t. */
gradyn_status gradyn_onestep_events_end_arc(gradyn_onestep *s, int arc, int first, double t);

/* Crosses the event at a boundary, from the arrival before it: the state where the next step starts. */
gradyn_status gradyn_onestep_events_cross(gradyn_onestep *s, int boundary, const double *arrival);

/* The event at a boundary; NULL: there is none. */
static inline gradyn_passed_event *gradyn_onestep_jump_at(const gradyn_onestep *s, int boundary)
{
  return s->events ? gradyn_event_sequence_at(&s->events->base, &s->arcs.boundary[boundary]) : NULL;
}

/* Whether one ends there. */
static inline bool gradyn_onestep_jump_due(const gradyn_onestep *s, int boundary)
{
  return s->arcs.boundary[boundary].transition > 0;
}

#endif
