/* The time of IDAS in an arc, which starts at 0 in each arc. IDAS does not distinguish times within 100 eps
 * t. With the time of the run, fast changes after a jump would therefore be resolved worse than at the
 * start of the run: for y' = -1e8 (y - u) with a jump at 0.8 s, 100 eps t is 2e-6 of the time constant. */
#ifndef GRADYN_DAE_IDAS_ARC_TIME_H
#define GRADYN_DAE_IDAS_ARC_TIME_H

#include "dae/idas/idas.h"

/* Sets s->begin and s->end, s, to the times of arc k, from 0, in a forward or backward run. */
void gradyn_idas_enter_time(gradyn_idas *s, int k);

/* Returns the time of the run, s, for the time since the start of the arc, s. */
double gradyn_idas_time(const gradyn_idas *s, double since);

/* Returns the time since the start of the arc, s, for a time t of the run, s, in the last step; limited to
 * this step. */
double gradyn_idas_since(const gradyn_idas *s, double t);

/* Returns the time of the run, s, that the IDAS object `ida` has reached. */
double gradyn_idas_reached(const gradyn_idas *s, void *ida);

/* Integrates by one step, which is stored if the observer requests it; sets s->t, s->sun.y and s->sun.yp.
 * Returns the code of IDASolve(), negative after a failure. */
int gradyn_idas_advance(gradyn_idas *s);

#endif
