/* Events and jumps of signals in a run with fixed steps. A run consists of arcs between boundaries known
 * before it: jumps of signals, given times of functionals, the end. Without events, each arc is divided
 * evenly. With events, steps have the requested length from the last event or boundary on. A step that
 * contains an event is repeated up to the zero of the guard. After events and signal jumps the scheme
 * starts again from a new node; the step to it has length zero and is called a jump. The last step of an
 * arc ends at its end. */
#ifndef GRADYN_DAE_FIXED_EVENTS_H
#define GRADYN_DAE_FIXED_EVENTS_H

#include "dae/fixed/fixed.h"
#include "dae/events/event_sequence.h"
#include "dae/start/initial.h"

/* A step ends after its given length; at an event; at the end of its arc; after its share of the arc. Or it
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
  int event;                      /* of steps to events, and of jumps; -1: jump between two arcs */
  int arc;                        /* arc of the step; of a jump: the arc after it */
  double share;                   /* of its arc */
  gradyn_discrete_state discrete; /* during the step; of a jump at an event: before it */
} gradyn_step_end;

typedef struct gradyn_fixed_events {
  gradyn_arcs arcs, first; /* of the run, and of the initial data */
  gradyn_event_sequence base;
  gradyn_initial force;  /* accelerations after a jump */
  gradyn_step_end *step; /* [capacity] */
  int capacity, allowed; /* number of steps, and of events, for which memory suffices */
  double spacing;        /* requested length of steps, s */
  bool ended;            /* the last event has terminated the run */
  bool again;            /* nodes must be stored elsewhere: the run must begin again */
  double *y[2];          /* [ny] output states before and after the present jump */
  double *trial;         /* [record] end of a shorter step */
  double tried;          /* its length, s; NAN: there is none */
} gradyn_fixed_events;

/* Number of the event of a step in the run, 1 for the first; 0: it has none. */
static inline int gradyn_step_event_number(const gradyn_step_end *s)
{
  return s->event >= 0 ? s->discrete.passed + 1 : 0;
}

/* Returns the end of a step that begins in the present discrete state. */
static inline gradyn_step_end gradyn_fixed_ending(const gradyn_fixed *s, gradyn_step_kind kind,
                                                  int event, int arc, double share)
{
  return (gradyn_step_end){kind, event, arc, share, s->model->discrete};
}

/* Returns whether a model has events, or signals that jump. */
bool gradyn_fixed_events_wanted(const gradyn_model *model);
gradyn_status gradyn_fixed_events_create(gradyn_fixed *s);
void gradyn_fixed_events_free(gradyn_fixed_events *e);

/* Finds the arcs of a run in steps of about h, s. Errors: those of the arcs. */
gradyn_status gradyn_fixed_events_plan(gradyn_fixed *s, double h);

/* Enters the discrete state of step k: signals of its arc, mode, latched data. */
void gradyn_fixed_enter(gradyn_fixed *s, int k);

/* Returns the largest number of nodes that events and jumps add to a run. */
int gradyn_fixed_events_room(const gradyn_fixed *s);

/* Returns positions and velocities at a node of time t, s, or without `rates` positions only; borrowed. */
gradyn_status gradyn_fixed_motion(gradyn_fixed *s, double t, const double *node, bool rates,
                                  const double **y);

/* Searches step k for events; *event: the first one, *length after the start of the step, s; -1: none. In
 * fixed/search.c. */
gradyn_status gradyn_fixed_search(gradyn_fixed *s, int k, const double *from, const double *to,
                                  int *event, double *length);

/* Runs from the first node, which is given, to the last one, or until `again` is set. */
gradyn_status gradyn_fixed_events_run(gradyn_fixed *s, bool keep, gradyn_trajectory *trajectory);

/* Returns whether step k has no length but is no jump: it is between two events at one time. */
static inline bool gradyn_fixed_pause(const gradyn_fixed *s, int k)
{
  return s->events && s->length[k] == 0 && s->events->step[k].kind == GRADYN_STEP_TO_EVENT;
}

/* Takes step k, a jump, from one node to the next; record: as of gradyn_impact_apply(). Afterwards
 * events->y has the output states before and after it, and the impact that of the event. */
gradyn_status gradyn_fixed_jump(gradyn_fixed *s, int k, const double *from, double *to,
                                gradyn_event_record *record);

#endif
