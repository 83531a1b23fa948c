/* Arcs of a run with fixed steps, and its events. Arcs are between boundaries known before the run: jumps of
 * signals, given times of functionals, the end. Without events, each arc is divided evenly; the whole run
 * is, if nothing changes at boundaries and all are ends of its equal steps. With events, steps have the
 * requested length from the last event or boundary on. A step that contains an event is repeated up to the
 * zero of the guard. After events and signal jumps the scheme starts again from a new node; the step to it
 * has length zero and is called a jump. The last step of an arc ends at its end. */
#ifndef GRADYN_DAE_FIXED_EVENTS_H
#define GRADYN_DAE_FIXED_EVENTS_H

#include "dae/fixed/fixed.h"
#include "dae/events/event_sequence.h"
#include "dae/start/initial.h"

/* Where a step ends: after the requested length; at an event; at the end of its arc; after a constant share
 * of its arc. JUMP: a step of length zero, at an event or between two arcs. */
typedef enum gradyn_step_kind {
  GRADYN_STEP_WHOLE,
  GRADYN_STEP_TO_EVENT,
  GRADYN_STEP_TO_BOUNDARY,
  GRADYN_STEP_SHARE,
  GRADYN_STEP_JUMP
} gradyn_step_kind;

typedef struct gradyn_step_end {
  gradyn_step_kind kind;
  int event;    /* index of the event in the model, of steps to it and jumps; -1: none */
  int arc;      /* arc of the step, from 0; of a jump between arcs: the arc after it */
  double share; /* GRADYN_STEP_SHARE: length over that of the arc; otherwise 0 */
  gradyn_discrete_state discrete; /* during the step; of a jump at an event: before it */
} gradyn_step_end;

typedef struct gradyn_fixed_events {
  gradyn_arcs arcs, first; /* those of the run, and those of the data at creation */
  gradyn_event_sequence base;
  gradyn_initial force;  /* accelerations after a jump */
  gradyn_step_end *step; /* [capacity] */
  int capacity, allowed; /* memory: number of steps in `step`; number of events among the nodes */
  double spacing;        /* requested length of steps, s */
  bool even;             /* steps are those of a run without boundaries */
  bool ended;            /* the last event has terminated the run */
  bool again;            /* nodes must be stored elsewhere: the run must begin again */
  double *y[2];          /* [ny] output states before and after the present jump */
  double *trial;         /* [record] node at the end of a step of another length */
  double tried;          /* length of this step, s; NAN: none */
} gradyn_fixed_events;

/* Returns the number of the event of a step among all events of the run, from 1; 0: it has none. */
static inline int gradyn_step_event_number(const gradyn_step_end *s)
{
  return s->event >= 0 ? s->discrete.passed + 1 : 0;
}

/* Returns the description of a step in the present discrete state. */
static inline gradyn_step_end gradyn_fixed_ending(const gradyn_fixed *s, gradyn_step_kind kind,
                                                  int event, int arc, double share)
{
  return (gradyn_step_end){kind, event, arc, share, s->model->discrete};
}

/* Sets s->events, which gradyn_fixed_clear() frees also after an error. Errors: GRADYN_NO_MEMORY; those of
 * the arcs at the present data. free(): also frees the object; NULL is allowed. */
gradyn_status gradyn_fixed_events_create(gradyn_fixed *s);
void gradyn_fixed_events_free(gradyn_fixed_events *e);

/* Finds the arcs of the next run and enters the first; sets s->planned. h: requested length of steps, s;
 * steps: their number in a run without boundaries. Errors: those of gradyn_arcs_find() and
 * gradyn_arcs_add_instants(). */
gradyn_status gradyn_fixed_events_plan(gradyn_fixed *s, double h, int steps);

/* Enters the discrete state of step k, from 0: signals of its arc, mode, latched data. */
void gradyn_fixed_enter(gradyn_fixed *s, int k);

/* Returns the number of additional nodes for events and jumps, for which memory is reserved. */
int gradyn_fixed_events_room(const gradyn_fixed *s);

/* Sets *y to positions and velocities at a node of time t, s; without `rates`, positions only. *y is
 * borrowed from `node` or until the next evaluation of an output state. Errors: failures of the scheme. */
gradyn_status gradyn_fixed_motion(gradyn_fixed *s, double t, const double *node, bool rates,
                                  const double **y);

/* Searches step k between nodes from and to [record], in fixed/search.c. *event: index in the model of the
 * first event in the step, and *length the time from the start of the step to this event, s; -1: none,
 * *length is not valid. Errors: those of gradyn_detector_search() and gradyn_detector_check(); failures of
 * shorter steps. */
gradyn_status gradyn_fixed_search(gradyn_fixed *s, int k, const double *from, const double *to,
                                  int *event, double *length);

/* Takes all steps of a run from its first node, which is given; returns GRADYN_OK early if it sets
 * events->again. The caller must then run again from the start. Errors: failures of steps and events;
 * GRADYN_EVENT, a requested event did not occur; GRADYN_NO_MEMORY. */
gradyn_status gradyn_fixed_events_run(gradyn_fixed *s, bool keep, gradyn_trajectory *trajectory);

/* Returns whether step k is between two events at the same time: its length is zero, but it is no jump. */
static inline bool gradyn_fixed_pause(const gradyn_fixed *s, int k)
{
  return s->length[k] == 0 && s->events->step[k].kind == GRADYN_STEP_TO_EVENT;
}

/* Takes step k, a jump, between nodes from and to [record]; record: as in gradyn_impact_apply(). Afterwards
 * events->y has the output states before and after the jump, and events->base.impact the solution of the
 * impact, if an event is there. Errors: those of gradyn_impact_apply(); failures of the equations and the
 * scheme. */
gradyn_status gradyn_fixed_jump(gradyn_fixed *s, int k, const double *from, double *to,
                                gradyn_event_record *record);

#endif
