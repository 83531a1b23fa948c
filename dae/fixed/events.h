/* Events and jumps of signals in a march with fixed steps. A run is a row of arcs between the
 * boundaries that are known beforehand: jumps of signals, instants of functionals, the end. Where
 * there are no events, each arc is divided evenly. With events steps are as long as asked for from
 * the last event or boundary on; one that an event lies in is taken again up to it, to where the
 * guard is zero. Nodes start anew behind events and jumps; that is a step of length zero, a jump.
 * The last step of an arc ends with it. */
#ifndef GRADYN_DAE_FIXED_EVENTS_H
#define GRADYN_DAE_FIXED_EVENTS_H

#include "dae/fixed/fixed.h"
#include "dae/events/event_sequence.h"
#include "dae/start/initial.h"

/* What ends a step: its length, a number; an event; the end of its arc; its share of the arc. Or it
 * is the jump at an event or between two arcs. */
typedef enum gradyn_step_kind {
  GRADYN_STEP_WHOLE,
  GRADYN_STEP_TO_EVENT,
  GRADYN_STEP_TO_BOUNDARY,
  GRADYN_STEP_SHARE,
  GRADYN_STEP_JUMP
} gradyn_step_kind;

typedef struct gradyn_step_end {
  gradyn_step_kind kind;
  int event;    /* of steps to events, and of jumps; -1: the jump between two arcs */
  int arc;      /* in which it lies; of a jump: behind it */
  double share; /* of its arc */
  gradyn_discrete_state discrete; /* in which it is taken; of a jump at an event: that before it */
} gradyn_step_end;

typedef struct gradyn_fixed_events {
  gradyn_arcs arcs, first; /* of the run, and of the initial data */
  gradyn_event_sequence base;
  gradyn_initial force;  /* the acceleration problem behind a jump */
  gradyn_step_end *step; /* [room] */
  int capacity, allowed; /* steps; events that there is room for */
  double spacing;        /* s, the length of step asked for */
  bool ended;            /* the last event has ended the run */
  bool again;            /* nodes have to stand elsewhere: the march is to begin again */
  double *y[2];          /* [ny] before and after the jump in hand, as functionals see them */
  double *trial;         /* [record] the end of a shorter step, */
  double tried;          /* s, so long; NAN: of none */
} gradyn_fixed_events;

/* Number of the event of a step in the run, 1 for the first; 0: it has none. */
static inline int gradyn_step_event_number(const gradyn_step_end *s)
{
  return s->event >= 0 ? s->discrete.passed + 1 : 0;
}

/* How a step ends that begins in the scene in force. */
static inline gradyn_step_end gradyn_fixed_ending(const gradyn_fixed *s, gradyn_step_kind kind,
                                                  int event, int arc, double share)
{
  return (gradyn_step_end){kind, event, arc, share, s->model->discrete};
}

/* Whether a model has events, or signals that jump. */
bool gradyn_fixed_events_wanted(const gradyn_model *model);
gradyn_status gradyn_fixed_events_create(gradyn_fixed *s);
void gradyn_fixed_events_free(gradyn_fixed_events *e);

/* Finds the arcs of a run in steps of about h. */
gradyn_status gradyn_fixed_events_plan(gradyn_fixed *s, double h);

/* Has signals be evaluated in the arc of step k, and makes its mode the present one. */
void gradyn_fixed_enter(gradyn_fixed *s, int k);

/* Nodes that events and jumps may add to a march. */
int gradyn_fixed_events_room(const gradyn_fixed *s);

/* Positions and velocities at a node of time t, or, if rates are not wanted, positions; borrowed. */
gradyn_status gradyn_fixed_motion(gradyn_fixed *s, double t, const double *node, bool rates,
                                  const double **y);

/* Looks at all guards in step k; *event: the first that passes zero, after *length; -1: none. In
 * fixed/search.c. */
gradyn_status gradyn_fixed_search(gradyn_fixed *s, int k, const double *from, const double *to,
                                  int *event, double *length);

/* From the first node, which is there, to the last one, or to where it is to begin again. */
gradyn_status gradyn_fixed_events_run(gradyn_fixed *s, bool keep, gradyn_trajectory *trajectory);

/* Whether step k has no length though it is no jump: it stands between two events at one time. */
static inline bool gradyn_fixed_pause(const gradyn_fixed *s, int k)
{
  return s->events && s->length[k] == 0 && s->events->step[k].kind == GRADYN_STEP_TO_EVENT;
}

/* The jump that is step k, between two nodes; record (NULL: not wanted) as of gradyn_impact_apply(). The
 * states before and after it, and the impact, stay in hand. */
gradyn_status gradyn_fixed_jump(gradyn_fixed *s, int k, const double *from, double *to,
                                gradyn_event_record *record);

#endif
