/* Events of a march with fixed steps. Steps are as long as asked for from the last event on; one that an
 * event lies in is taken again up to it, to where the guard is zero, and the nodes start anew behind it. The
 * jump is a step of length zero. The last step ends with the run. */
#ifndef GRADYN_DAE_FIXED_EVENTS_H
#define GRADYN_DAE_FIXED_EVENTS_H

#include "dae/fixed.h"
#include "dae/impact.h"
#include "dae/initial.h"
#include "dae/watch.h"

/* What ends a step: its length, a number; an event; the end of the run. Or it is the jump at an event. */
typedef enum gradyn_step_kind {
  GRADYN_STEP_WHOLE,
  GRADYN_STEP_TO_EVENT,
  GRADYN_STEP_TO_END,
  GRADYN_STEP_JUMP
} gradyn_step_kind;

typedef struct gradyn_step_end {
  gradyn_step_kind kind;
  int event, number; /* of steps to events, and of jumps; number: 1 for the run's first */
} gradyn_step_end;

typedef struct gradyn_fixed_events {
  gradyn_watch watch;
  gradyn_impact impact;
  gradyn_initial force;  /* the acceleration problem behind an event */
  gradyn_step_end *step; /* [room] */
  int room, allowed;     /* steps; events that there is room for */
  double *y[2];          /* [ny] before and after the jump in hand, as functionals see them */
  double *trial;         /* [record] */
} gradyn_fixed_events;

gradyn_status gradyn_fixed_events_create(gradyn_fixed *s);
void gradyn_fixed_events_free(gradyn_fixed_events *e);

/* Nodes that events may add to a march. */
int gradyn_fixed_events_room(const gradyn_fixed *s);

/* From the first node, which is there, to the last one. Where gradyn_fixed_events_room() has grown, there was
 * too little of it: then the march is to be begun again. */
gradyn_status gradyn_fixed_events_run(gradyn_fixed *s, bool keep, gradyn_trajectory *trajectory);

/* The jump that is step k, between two nodes; record (NULL: not wanted) as of gradyn_impact_apply(). The
 * states before and after it, and the impact, stay in hand. */
gradyn_status gradyn_fixed_jump(gradyn_fixed *s, int k, const double *from, double *to,
                                gradyn_event_record *record);

#endif
