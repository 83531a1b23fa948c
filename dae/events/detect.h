/* Event detection: monitors the guards during an arc and decides which events are well defined. */
#ifndef GRADYN_DAE_DETECT_H
#define GRADYN_DAE_DETECT_H

#include <math.h>

#include "dae/events/guards.h"
#include "dae/events/impact.h"
#include "dae/events/locate.h"

typedef struct gradyn_guard_state {
  double r, rate; /* guard and its rate at the end of the last step */
  double now;     /* r at the end of the step being searched */
  double before;  /* r one step earlier; NAN: this is the first step of the arc */
  double fastest; /* largest |rate| so far in this arc */
  double zero;    /* magnitude below which the guard is zero at the start of the arc */
  double rises;   /* rate at which it leaves zero at the start of the arc; 0: it does not */
  double side;    /* factor of r, rate; -1 if it may pass both ways and is negative, else 1 */
  bool leaving;   /* zero at the start of the arc; it must grow before it can have a root */
  bool below;     /* negative; it must become positive before it can have a root */
  bool rests;     /* guard and rate are zero since the start of the arc; its direction is open */
  bool moved;     /* the map or reset of its own last event has changed it */
  double last;    /* time of its last event, s; NAN: none yet */
} gradyn_guard_state;

typedef struct gradyn_detector {
  gradyn_model *model;
  gradyn_guards guards;
  gradyn_guard_state *guard;  /* [event_count] */
  gradyn_guard_state *before; /* [event_count] copy for gradyn_detector_undo() */
  int happened;               /* number of events so far */
  int opened;        /* number of events before the present arc; -1: no arc has been opened */
  int opened_before; /* value of opened before the present arc was opened */
  double tolerance;  /* relative tolerance of the states; 0 for runs with fixed steps */
} gradyn_detector;

/* Creates the detector of a model, which must outlive *out. tolerance: relative tolerance of the states; 0
 * for runs with fixed steps. Clear *out in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_detector_create(gradyn_model *model, double tolerance, gradyn_detector *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_detector_clear(gradyn_detector *w);

/* Starts a run and its log, at the start y, which begins with positions and velocities (general equations:
 * all states). Errors: GRADYN_EVENT, a wall is penetrated or not left; errors of guards. */
gradyn_status gradyn_detector_begin(gradyn_detector *w, const double *y);

/* Starts an arc at t, s, in the present mode, at y: positions and velocities first, or all states of
 * general equations. No effect if the last event has ended the run. Errors: GRADYN_EVENT, a wall is
 * penetrated or not left, an invariant violated, a guard jumps; errors of guards. */
gradyn_status gradyn_detector_open(gradyn_detector *w, double t, const double *y);

/* Checks guards at y, positions and velocities first or all states of general equations, at t, s, in the
 * present mode, outside runs. Errors: GRADYN_EVENT, an invariant is negative; GRADYN_NO_MEMORY; errors of
 * guards. */
gradyn_status gradyn_detector_state(gradyn_model *model, double t, const double *y);

/* Restores the guards to before the last gradyn_detector_open(), whose arc can then be run again. */
void gradyn_detector_undo(gradyn_detector *w);

/* Sets *r to the guard of an event, or with order 1 to its rate, per s, at t, s, and y. event: index in the
 * model. The sign is such that the event is a fall through zero. Errors: those of guards. */
static inline gradyn_status gradyn_detector_value(gradyn_detector *w, int event, int order,
                                                  double t, const double *y, double *r)
{
  gradyn_status status = gradyn_guard_value(&w->guards, event, order, t, y, r);
  *r *= w->guard[event].side;
  return status;
}

/* Sets r[0] to the guard of an event, and r[1] to its rate, per s, at time t, s, and state y [all states].
 * event: index in the model. The sign is such that the event is a fall through zero. Errors: those of
 * guards. */
gradyn_status gradyn_detector_measure(gradyn_detector *w, int event, double t, const double *y,
                                      double r[2]);

/* Returns whether guard g may have a root or rise above zero within a step. r: its value after the step. */
static inline bool gradyn_detector_searches(const gradyn_guard_state *g, double r)
{
  return !(g->below && (g->rests || r <= 0));
}

/* Returns whether a negative guard may rise above zero in a step and fall again; r [2]: at its end. */
static inline bool gradyn_detector_peaks(const gradyn_guard_state *g, const double r[2])
{
  return g->below && !g->rests && !(r[0] > 0) && g->rate > 0 && r[1] < 0;
}

/* Returns whether a positive guard r[0] with rate r[1] reaches zero within a time, s. */
static inline bool gradyn_guard_reaches(const double r[2], double within)
{
  return r[0] > 0 && r[0] <= -r[1] * within;
}

/* Returns the time, s, within which events are simultaneous. */
double gradyn_detector_together(const gradyn_detector *w);

/* Returns the time, s, after a step of length h, s, within which a root belongs to this step. */
double gradyn_guard_beyond(double h);

/* Updates the guard of an event, which rests, for the next step from t, s: it may have left zero, to either
 * side. Error: GRADYN_EVENT, a wall or invariant does not leave zero. */
gradyn_status gradyn_detector_leave_rest(gradyn_detector *w, int event, double t);

/* Updates the guard of an event for the next step, from t, s, by `now`. Error: GRADYN_EVENT, a wall or
 * invariant is 0. */
static inline gradyn_status gradyn_detector_move(gradyn_detector *w, int event, double t)
{
  gradyn_guard_state *g = &w->guard[event];
  g->before = g->r;
  g->r = g->now;
  /* after a very short first step a rising guard may still be zero up to round-off */
  g->leaving = g->leaving && !g->below && !(g->now > 0);
  if (g->rests)
    return gradyn_detector_leave_rest(w, event, t);
  if (g->leaving)
    return GRADYN_OK;
  /* a negative guard counts as positive only beyond the error that its event had left */
  g->below = g->below ? !(g->now > g->zero) : g->now < 0;
  return GRADYN_OK;
}

/* Checks an event found at t, s, in the state y before it. *rate: of its guard per s, without g->side.
 * Errors: GRADYN_EVENT, the motion grazes, or events accumulate; GRADYN_STEP_LIMIT, 100000 events have
 * occurred. */
gradyn_status gradyn_detector_check(gradyn_detector *w, int event, double t, const double *y,
                                    double *rate);

/* Lists in event [event_count] the *count events of the present mode whose guards are zero and fall at t,
 * s, and whose conditions hold. mode: the mode until t, from 0; guards `below` zero in it are not tested.
 * y: the state before them, positions and velocities first. Errors: of guards. */
gradyn_status gradyn_detector_meeting(gradyn_detector *w, int mode, double t, const double *y,
                                      int *event, int *count);

/* Returns the rate, per s, below which a guard rests, (E7) in docs/theory/events.md; scale:
 * gradyn_guard_scale(). */
double gradyn_detector_still(const gradyn_detector *w, const double scale[2]);

/* To be called after gradyn_impact_apply() for an event at t, s: counts the event and updates its guard by
 * the state in *impact. Errors: of the guard. */
gradyn_status gradyn_detector_cross(gradyn_detector *w, int event, double t,
                                    const gradyn_impacts *impact);

/* Returns whether t, s, is before the end of the run. Events at the end do not take place. */
bool gradyn_detector_within(const gradyn_detector *w, double t);

#endif
