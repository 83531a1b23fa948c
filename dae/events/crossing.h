/* An event as a map of small disturbances, an instant in continuous time (dae/events/instant.h):
 *     dY- = dy- + y-' dtau,  dY+ = R_y dY- + R_t dtau + R_x dx,  dy+ = dY+ - y+' dtau.
 * y are positions and velocities of a mechanism, or all states of general equations, of which algebraic ones
 * have no disturbance of their own. */
#ifndef GRADYN_DAE_CROSSING_H
#define GRADYN_DAE_CROSSING_H

#include "dae/events/guards.h"
#include "dae/events/impact.h"
#include "dae/events/instant.h"
#include "dae/start/initial.h"

typedef struct gradyn_crossing {
  gradyn_model *model;
  int moves; /* states that are disturbed: 2 n of a mechanism */
  gradyn_guards *guards;
  gradyn_impacts *impact; /* its yp: the state just after */
  gradyn_guards own_guards;
  gradyn_impacts own_impact;
  gradyn_initial force;
  double *full[2];        /* the whole state before and after, as functionals see it */
  double *yp[2];          /* [moves] rates before and after; of algebraic states zero */
  double *r_y, *r_x;      /* [moves], [nx] */
  double *dx;             /* [nx] zeros, and what the event captures */
  double *own;            /* [moves] disturbances of differential states alone */
  double *arrival, *jump; /* [moves] dY- and dY+ of the last direction */
  gradyn_root root;
  gradyn_arena arena; /* of all arrays */
} gradyn_crossing;

/* For a model with events. To be cleared in any case; failures have a message in the model. */
gradyn_status gradyn_crossing_create(gradyn_model *model, gradyn_crossing *out);
void gradyn_crossing_clear(gradyn_crossing *s);
/* The same with the guards and the impact of a run, which are borrowed. */
gradyn_status gradyn_crossing_share(gradyn_model *model, gradyn_guards *guards,
                                    gradyn_impacts *impact, gradyn_crossing *out);

/* The event with the state y, which it begins with, before it; the mode before it is in force, and that
 * behind it afterwards. Of general equations the guards have begun a run. */
gradyn_status gradyn_crossing_prepare(gradyn_crossing *s, const gradyn_event_record *event,
                                      const double *y);

/* d [moves] goes from before to after, with data that stay. */
gradyn_status gradyn_crossing_carry(gradyn_crossing *s, double *d);

/* The same where data change by dx [nx], which gets what the event captures; *dt: how its time moves, s;
 * *impulse: the change of its impulse. */
gradyn_status gradyn_crossing_along(gradyn_crossing *s, double *dx, double *d, double *dt,
                                    double *impulse);

/* Whether data that change along dx [nx] at the event's instant alone change the state behind it: they move
 * its time, and states jump or have other rates behind it. The guards have begun a run. */
gradyn_status gradyn_crossing_feels(gradyn_crossing *s, const double *dx, bool *feels);

#endif
