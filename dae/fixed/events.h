/* Arcs of a run with fixed steps, and its events. Arcs are between jumps of signals, given times of
 * functionals, events and the end. Without events, each arc is divided evenly; the whole run is, if nothing
 * changes at boundaries and all are ends of its equal steps. With events, steps have the requested length
 * from the start of the arc on. A step that contains an event is repeated up to the zero of the guard. After
 * events and signal jumps the scheme starts again from a new node; the step to it has length zero and is
 * called a jump. The last step of an arc ends at its end. */
#ifndef GRADYN_DAE_FIXED_EVENTS_H
#define GRADYN_DAE_FIXED_EVENTS_H

#include "dae/fixed/fixed.h"

/* Returns the event of jump k, or at the end of step k; NULL: none. */
static inline const gradyn_passed_event *gradyn_fixed_event(const gradyn_fixed *s, int k)
{
  const gradyn_fixed_step *step = &s->step[k];
  const gradyn_boundary *b = s->arcs.boundary + step->arc;
  return step->jump                         ? gradyn_event_sequence_at(&s->events, b)
         : step->law == GRADYN_LENGTH_EVENT ? gradyn_event_sequence_at(&s->events, b + 1)
                                            : NULL;
}

/* Finds the arcs between boundaries known before a run. Errors: GRADYN_NO_MEMORY; GRADYN_INVALID, a time is
 * after the end of the run. */
gradyn_status gradyn_fixed_find_arcs(gradyn_model *model, gradyn_arcs *arcs);

/* Finds the arcs of the next run; sets s->plan. h: requested length of steps, s; steps: their number in a
 * run without boundaries. Errors: GRADYN_NO_MEMORY; GRADYN_INVALID, a time is after the end of the run. */
gradyn_status gradyn_fixed_events_plan(gradyn_fixed *s, double h, int steps);

/* Enters the discrete state of step k, from 0, or after jump k: signals of the arc, mode, latched data. */
void gradyn_fixed_enter(gradyn_fixed *s, int k);

/* Sets *y to positions and velocities [2 n] at a node [record] of time t, s; without `rates`, positions
 * only. *y is borrowed from `node` or until the next evaluation of an output state. Errors: failures of the
 * scheme. */
gradyn_status gradyn_fixed_motion(gradyn_fixed *s, double t, const double *node, bool rates,
                                  const double **y);

/* Searches the last step k between nodes from and to [record], in fixed/search.c. *event: index in the model
 * of the first event in the step, and *length the time from the start of the step to this event, s; -1:
 * none, *length is not valid. Errors: those of gradyn_detector_search() and gradyn_detector_check(); failures
 * of shorter steps. */
gradyn_status gradyn_fixed_search(gradyn_fixed *s, int k, const double *from, const double *to,
                                  int *event, double *length);

/* Takes all steps of a run from its first node, which is given. keep: all nodes stay available. trajectory:
 * receives the nodes; NULL: none. Returns GRADYN_OK early if it sets s->kept.again; the caller must then
 * run again from the start. Errors: failures of steps, events and functionals; GRADYN_NO_MEMORY. */
gradyn_status gradyn_fixed_events_run(gradyn_fixed *s, bool keep, gradyn_trajectory *trajectory);

/* Returns whether step k is between two events at the same time: its length is zero, but it is no jump. */
static inline bool gradyn_fixed_pause(const gradyn_fixed *s, int k)
{
  return s->step[k].length == 0 && s->step[k].law == GRADYN_LENGTH_EVENT;
}

/* Takes step k, a jump, between nodes from and to [record]; record: receives impulse and energies of the
 * event; NULL: derivatives are prepared instead. Afterwards s->y has the output states before and after the
 * jump, and s->events.impact the solution of the impact, if an event is there. Errors: those of
 * gradyn_impact_apply(); failures of the equations and the scheme. */
gradyn_status gradyn_fixed_jump(gradyn_fixed *s, int k, const double *from, double *to,
                                gradyn_event_record *record);

#endif
