/* Monitors the guards during an arc and decides which events are well defined. */
#ifndef GRADYN_DAE_DETECT_H
#define GRADYN_DAE_DETECT_H

#include <math.h>

#include "dae/events/guards.h"
#include "dae/events/impact.h"
#include "dae/events/locate.h"

typedef struct gradyn_guard_state {
  double r, rate; /* at the end of the last step */
  double now;     /* r at the end of the step that is looked at */
  double before;  /* r one step earlier; NAN: there was none in this arc */
  double fastest; /* largest |rate| seen in this arc */
  double zero;    /* what cannot be told from zero where the arc starts */
  double rises;   /* the rate at which it leaves zero where the arc starts; 0: it does not */
  double side; /* -1: of one that may pass zero both ways, on its way up in this arc; otherwise 1 */
  bool leaving; /* it is zero where the arc starts, and must grow first */
  bool below;   /* it is negative, and must come back before it counts */
  bool rests;   /* it and its rate are zero since the arc has begun: where it goes is open yet */
  bool moved;   /* by the map of its own event, the last that has happened */
  double last;  /* s, when its event happened; NAN: it has not */
} gradyn_guard_state;

typedef struct gradyn_detector {
  gradyn_model *model;
  gradyn_guards guards;
  gradyn_guard_state *guard;  /* [event_count] */
  gradyn_guard_state *before; /* [event_count] the same when the arc in hand was opened */
  int happened;               /* events so far */
  int opened;                 /* events before the arc in hand; -1: it is the first one */
  int opened_before;          /* that when it was opened */
  double tolerance;           /* relative tolerance of the states; of discrete runs 0 */
} gradyn_detector;

gradyn_status gradyn_detector_create(gradyn_model *model, double tolerance, gradyn_detector *out);
void gradyn_detector_clear(gradyn_detector *w);

/* At the start of a run, and of an arc at time t; y begins with positions and velocities. GRADYN_EVENT: a
 * wall is penetrated, or touched and not left; a guard has jumped over zero with a signal. */
gradyn_status gradyn_detector_begin(gradyn_detector *w, const double *y);
gradyn_status gradyn_detector_open(gradyn_detector *w, double t, const double *y);

/* GRADYN_EVENT: the mode in force cannot be in a state y at t, as an equilibrium; an invariant is below 0. */
gradyn_status gradyn_detector_state(gradyn_model *model, double t, const double *y);

/* Forgets that the arc in hand was opened and watched: it is to be run again from its start. */
void gradyn_detector_undo(gradyn_detector *w);

/* A guard (order 0) or its rate (1) in the direction in which it is watched. */
static inline gradyn_status gradyn_detector_value(gradyn_detector *w, int event, int order,
                                                  double t, const double *y, double *r)
{
  gradyn_status status = gradyn_guard_value(&w->guards, event, order, t, y, r);
  *r *= w->guard[event].side;
  return status;
}

/* Both: r [2]. */
gradyn_status gradyn_detector_measure(gradyn_detector *w, int event, double t, const double *y,
                                      double r[2]);

/* Whether a step at whose end a guard is r has to be searched for a root of it. */
static inline bool gradyn_detector_searches(const gradyn_guard_state *g, double r)
{
  return !(g->below && (g->rests || r <= 0));
}

/* Whether one that has to come back may do so in a step, and fall again: r [2], with its rate, at the end. */
static inline bool gradyn_detector_peaks(const gradyn_guard_state *g, const double r[2])
{
  return g->below && !g->rests && !(r[0] > 0) && g->rate > 0 && r[1] < 0;
}

/* Whether a guard that is r > 0, with its rate, would pass zero within a time. */
static inline bool gradyn_guard_reaches(const double r[2], double within)
{
  return r[0] > 0 && r[0] <= -r[1] * within;
}

/* s: times as near are one; how far an event may lie behind the end of a step of length h that it is in. */
double gradyn_detector_together(const gradyn_detector *w);
double gradyn_guard_beyond(double h);

/* A guard that was zero where its arc begins, and has had no rate, is on its way now or still there. */
gradyn_status gradyn_detector_leave_rest(gradyn_detector *w, int event, double t);

/* Moves to the next step, which begins at t, from the guard's value `now` and its `rate`. GRADYN_EVENT: a
 * wall that is touched where its mode begins does not open. */
static inline gradyn_status gradyn_detector_move(gradyn_detector *w, int event, double t)
{
  gradyn_guard_state *g = &w->guard[event];
  g->before = g->r;
  g->r = g->now;
  /* still zero but for round-off behind a first step of next to no length */
  g->leaving = g->leaving && !g->below && !(g->now > 0);
  if (g->rests)
    return gradyn_detector_leave_rest(w, event, t);
  if (g->leaving)
    return GRADYN_OK;
  /* what has been passed comes back from beyond what its event was off by */
  g->below = g->below ? !(g->now > g->zero) : g->now < 0;
  return GRADYN_OK;
}

/* The rate of the guard of an event found at t in y. GRADYN_EVENT: it has no definite course. */
gradyn_status gradyn_detector_check(gradyn_detector *w, int event, double t, const double *y,
                                    double *rate);

/* Events whose guards are zero and fall at t, to event [events]; guards have been followed in that mode. */
gradyn_status gradyn_detector_meeting(gradyn_detector *w, int mode, double t, const double *y,
                                      int *event, int *count);

double gradyn_detector_still(const gradyn_detector *w,
                             const double scale[2]); /* zero of a rate, (E7) */

/* An event has happened at t, with an impact that has been applied. */
gradyn_status gradyn_detector_cross(gradyn_detector *w, int event, double t,
                                    const gradyn_impacts *impact);

/* A guard that has not grown from zero, from t to `end`, where it is `now`: of a wall and of an invariant an
 * error, otherwise it is below, which is noted of one that rises there. */
gradyn_status gradyn_detector_stays(gradyn_detector *w, int event, double t, double end);

/* Whether an event at t is within the run: its last instant belongs to the motion before. */
bool gradyn_detector_within(const gradyn_detector *w, double t);

/* A step, or a piece of one. */
typedef struct gradyn_span {
  double t, h;     /* s, where it starts; its length */
  const double *y; /* positions and velocities at its end */
  /* The same at a place 0 < s <= h of it; borrowed until the next call. */
  gradyn_status (*at)(void *user, double place, const double **y);
  void *user;
  double beyond; /* s: a guard that would be zero so soon behind its end is zero there */
} gradyn_span;

/* What a search has found. */
typedef struct gradyn_found_event {
  int event;    /* -1: none */
  double place; /* s, from where the span starts */
  double least; /* smallest distance of another guard from zero, over its rate times h */
} gradyn_found_event;

/* Looks at all guards in a span from where the watch is, which goes on to its end if no event is found. */
gradyn_status gradyn_detector_search(gradyn_detector *w, const gradyn_span *span,
                                     gradyn_found_event *found);

#endif
