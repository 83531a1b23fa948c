/* An event of a mechanism as a map of small disturbances, an instant in continuous time with data that stay
 * (dae/events/instant.h):
 *     dY- = dy- + y-' dtau,  dY+ = R_y dY- + R_t dtau,  dy+ = dY+ - y+' dtau. */
#ifndef GRADYN_ADJOINT_CROSSING_H
#define GRADYN_ADJOINT_CROSSING_H

#include "dae/events/guards.h"
#include "dae/events/impact.h"
#include "dae/events/instant.h"
#include "dae/start/initial.h"

typedef struct gradyn_crossing {
  gradyn_model *model;
  int n;
  gradyn_guards guards;
  gradyn_impact impact; /* its q and vp: the state just after */
  gradyn_initial force;
  double *yp[2];     /* [2 n] rates (v, a) before and after */
  double *r_y, *r_x; /* [2 n], [nx] */
  double *dx;        /* [nx] zeros */
  double *jump;      /* [2 n] */
  gradyn_root root;
  gradyn_arena arena; /* of all arrays */
} gradyn_crossing;

/* For a model with events. To be cleared in any case; failures have a message in the model. */
gradyn_status gradyn_crossing_create(gradyn_model *model, gradyn_crossing *out);
void gradyn_crossing_clear(gradyn_crossing *s);

/* The event with the state y = (q, v, ...) before it; the mode before it is in force, and that behind it
 * afterwards. */
gradyn_status gradyn_crossing_prepare(gradyn_crossing *s, const gradyn_event_record *event,
                                      const double *y);

/* d [2 n] goes from before to after. */
gradyn_status gradyn_crossing_carry(gradyn_crossing *s, double *d);

/* Whether data that change along dx [nx] at the event's instant alone change the state behind it: they move
 * its time, and states jump or have other rates behind it. The guards have begun a run. */
gradyn_status gradyn_crossing_feels(gradyn_crossing *s, const double *dx, bool *feels);

#endif
