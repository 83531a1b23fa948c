/* Events of a march with an explicit method. An event ends an arc, at a boundary whose time is where the
 * guard of the discrete run is zero: the step in which it lies is taken again with the length that leads
 * there. Lengths of the steps before it do not depend on that, so that step has an arc of its own, whose
 * start follows the boundary before at a fixed distance. Behind the event an arc starts from where the
 * state has jumped to. */
#ifndef GRADYN_DAE_EXPLICIT_EVENTS_H
#define GRADYN_DAE_EXPLICIT_EVENTS_H

#include "dae/explicit/explicit.h"
#include "dae/events/impact.h"
#include "dae/events/search.h"

/* An event of the present run with what its derivatives need. */
typedef struct gradyn_explicit_jump {
  gradyn_event_record record;
  gradyn_scene scene[2]; /* before and after */
  double *y;             /* [2 n] positions and velocities before */
  double *stage;         /* [record] the stage behind it */
} gradyn_explicit_jump;

typedef struct gradyn_explicit_events {
  gradyn_watch watch;
  gradyn_guard_watch *saved; /* [event_count] as they were where a step starts */
  gradyn_impact impact;
  gradyn_explicit_jump *jump; /* [watch.happened] */
  int room;                   /* jumps that memory was taken for */
  int next;                   /* the event that ends the arc in hand; -1: none */
  double *inside, *piece;     /* [2 n] states inside a step */
  double *end;                /* [nz] the march's state at its end */
} gradyn_explicit_events;

gradyn_status gradyn_explicit_events_create(gradyn_explicit *s);
void gradyn_explicit_events_free(gradyn_explicit_events *e);

/* At the start of a run, from its first stage. */
gradyn_status gradyn_explicit_events_begin(gradyn_explicit *s, const double *stage);

/* Looks for an event in the step that was taken from time t, with so much `left` of its arc. Where there is
 * one, *h becomes the length that ends there, stages and integrals are those of that step, and events->next
 * tells which event it is. */
gradyn_status gradyn_explicit_events_look(gradyn_explicit *s, double t, double *h, double left,
                                          const double *z, double *stages);

/* Gives the step in hand, s->count, from time t with length h, an arc of its own; the steps from `first` on
 * have the arc before. An event ends it, or it goes on to the boundary that was next. */
gradyn_status gradyn_explicit_part(gradyn_explicit *s, int arc, int first, double t, double h,
                                   bool event);

/* Crosses the event at a boundary, from the arrival before it: the state where the next step starts. */
gradyn_status gradyn_explicit_events_cross(gradyn_explicit *s, int boundary, const double *arrival);

/* The event at a boundary; NULL: there is none. */
static inline gradyn_explicit_jump *gradyn_explicit_jump_at(const gradyn_explicit *s, int boundary)
{
  int number = s->arcs.boundary[boundary].transition;
  return number > 0 ? &s->events->jump[number - 1] : NULL;
}

/* Whether one ends there. */
static inline bool gradyn_explicit_jump_due(const gradyn_explicit *s, int boundary)
{
  return s->arcs.boundary[boundary].transition > 0;
}

#endif
