/* Linearised map of an event in continuous time: the saltation matrix, as products (dae/events/instant.h).
 *
 *   dY- = dy- + y-' dtau,  dY+ = R_y dY- + R_t dtau + R_x dx,  dy+ = dY+ - y+' dtau.
 *
 * y are positions and velocities of a mechanism, or all states of general equations. Algebraic states have no
 * change of their own. */
#ifndef GRADYN_DAE_CROSSING_H
#define GRADYN_DAE_CROSSING_H

#include "dae/events/guards.h"
#include "dae/events/impact.h"
#include "dae/events/instant.h"
#include "dae/start/initial.h"

typedef struct gradyn_crossing {
  gradyn_model *model;
  int moves; /* number of states that change: 2 n of a mechanism, all of general equations */
  gradyn_guards *guards;
  gradyn_impacts *impact; /* its yp is the state just after the event */
  gradyn_guards own_guards;
  gradyn_impacts own_impact;
  gradyn_initial force;
  double *full[2];        /* [states] whole state before and after, as functionals see it */
  double *yp[2];          /* [moves] rates before and after; 0 of algebraic states */
  double *r_y, *r_x;      /* [moves] and [nx]: derivatives of the guard */
  double *dx;             /* [nx] zeros, and changes of latched values */
  double *own;            /* [moves] changes of the differential states only */
  double *arrival, *jump; /* [moves] dY- and dY+ of the last direction */
  gradyn_root root;
  gradyn_arena arena; /* owns all arrays */
} gradyn_crossing;

/* Allocates a crossing with its own guards and impact, for a model with events, which must outlive *out.
 * Clear *out in any case. Error: GRADYN_NO_MEMORY, with a message in the model, or failures of the
 * equations. */
gradyn_status gradyn_crossing_create(gradyn_model *model, gradyn_crossing *out);

/* Frees the members, not the object, nor guards and impact of the caller; may be repeated. */
void gradyn_crossing_clear(gradyn_crossing *s);

/* Allocates a crossing that uses guards and an impact of the caller, which are borrowed and must outlive
 * *out. Clear *out in any case. Error: GRADYN_NO_MEMORY, with a message in the model, or failures of the
 * equations. */
gradyn_status gradyn_crossing_share(gradyn_model *model, gradyn_guards *guards,
                                    gradyn_impacts *impact, gradyn_crossing *out);

/* Evaluates an event from the state y before it, which begins with positions and velocities. The model must
 * be in the mode before the event; afterwards it is in the mode after the event. For general equations,
 * gradyn_guards_begin() must have been called. Errors are those of the guard, the impact and the equations of
 * motion. */
gradyn_status gradyn_crossing_prepare(gradyn_crossing *s, const gradyn_event_record *event,
                                      const double *y);

/* After prepare(): maps a change d [moves] of the state before the event to the change after it, in place;
 * data do not change. Errors are those of gradyn_impact_tangent(). */
gradyn_status gradyn_crossing_carry(gradyn_crossing *s, double *d);

/* After prepare(): maps a change d [moves] of the state before the event to the change after it, in place,
 * with data that change by dx [nx]. Entries of latched data in dx are set to their changes at the event.
 * *dt: change of the event's time, s. *impulse: change of its impulse, N s; general equations: 0. Errors:
 * failures of the mechanism's functions. */
gradyn_status gradyn_crossing_along(gradyn_crossing *s, double *dx, double *d, double *dt,
                                    double *impulse);

/* For mechanisms, after prepare() and gradyn_guards_begin(): sets *feels to whether a change dx [nx] of data
 * changes the state after the event through the event's time alone. This requires that the guard depends on
 * these data directly, and that the state jumps or has other rates after the event. Errors are those of
 * gradyn_impact_tangent(). */
gradyn_status gradyn_crossing_depends_on_time(gradyn_crossing *s, const double *dx, bool *feels);

#endif
