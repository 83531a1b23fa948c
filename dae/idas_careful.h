/* Marches of idas with sensitivities that move where the states rest: noticed, and begun again with care. */
#ifndef GRADYN_DAE_IDAS_CAREFUL_H
#define GRADYN_DAE_IDAS_CAREFUL_H

#include <stdbool.h>

#include "gradyn/status.h"

struct gradyn_idas;

typedef struct gradyn_idas_care {
  bool on;
  bool guarded;          /* a march that is not careful: is given up where it crawls */
  bool stalled;          /* it has been */
  double origin, soon;   /* s, where the arc begins; what counts as passed by then */
  long looked, failures; /* steps at the last look, failures by then */
  long low, until;       /* steps of low order since; steps to be held */
} gradyn_idas_care;

/* Sets up the metronome of an arc, and a careful march: a code of IDAS. */
int gradyn_idas_care_begin(struct gradyn_idas *s, double t0, double length);

/* Rate of the metronome at t, 1/s. */
double gradyn_idas_beat(const struct gradyn_idas *s, double t);

/* Error weight of the metronome at the value m. */
double gradyn_idas_metronome_weight(const struct gradyn_idas *s, double m);

/* After an accepted step: keeps the length of steps after a failure in a careful march; GRADYN_NOT_CONVERGED
 * if a guarded one crawls, by its orders and failures. */
gradyn_status gradyn_idas_mind(struct gradyn_idas *s);

#endif
