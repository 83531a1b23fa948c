/* The time in which IDAS marches an arc: it begins anew with each. What is fast behind a jump is resolved so
 * as well as at the start of a run, while times of the run are multiples of eps t, and within 100 eps t IDAS
 * takes them for one: for y' = -1e8 (y - u) with a jump at 0.8 s that are 1e-8 and 2e-6 of what happens. */
#ifndef GRADYN_DAE_IDAS_ARC_TIME_H
#define GRADYN_DAE_IDAS_ARC_TIME_H

#include "dae/idas/idas.h"

/* Enters arc k, on the way along or back. */
void gradyn_idas_enter_time(gradyn_idas *s, int k);

/* The time of the run, s, that is so long since the arc began. */
double gradyn_idas_time(const gradyn_idas *s, double since);

/* Since when a time of the run is, which lies within the last step of the march. */
double gradyn_idas_since(const gradyn_idas *s, double t);

/* The time of the run that an IDAS object has reached. */
double gradyn_idas_reached(const gradyn_idas *s, void *ida);

/* Goes on to the end of the arc, or by a step: a code of IDAS. */
int gradyn_idas_advance(gradyn_idas *s, int task);

#endif
