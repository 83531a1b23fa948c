/* Marches of idas that crawl: noticed, and run again with care. */
#ifndef GRADYN_DAE_IDAS_CAREFUL_H
#define GRADYN_DAE_IDAS_CAREFUL_H

#include <stdbool.h>

#include "gradyn/base.h"

struct gradyn_idas;

/* IDAS chooses the order of a step by the errors of the states alone and lowers it when they vanish,
 * as they do where states are low polynomials of time; quadratures and sensitivities then crawl at
 * first order. So every march carries a metronome, m' = -beat m with m = 1 where an arc begins, whose
 * error never vanishes. Its tolerance is this much looser than that of the states: it decides only
 * if they have nothing to say. */
#define GRADYN_METRONOME_LOOSE 1000

typedef struct gradyn_idas_care {
  bool on;               /* the run is a careful one */
  bool next;             /* the next one will be */
  bool stalled;          /* a run that was not has been given up where it crawled */
  double soon;           /* s, what counts as passed where an arc begins */
  long looked, failures; /* steps at the last look, failures by then */
  long low, until;       /* steps of low order since; steps to be held */
  bool together;         /* Newton's method takes sensitivities along with the states */
  long diverged,
      astray; /* how often it has not converged; windows in a row in which that was often */
} gradyn_idas_care;

/* Sets up the metronome of an arc, and a careful march: a code of IDAS. */
int gradyn_idas_care_begin(struct gradyn_idas *s, double length);

/* Rate of the metronome, 1/s, at a time since the arc began. */
double gradyn_idas_beat(const struct gradyn_idas *s, double since);

/* Error weight of the metronome at the value m. */
double gradyn_idas_metronome_weight(const struct gradyn_idas *s, double m);

/* After an accepted step: keeps the length of steps after a failure in a careful march; GRADYN_NOT_CONVERGED
 * if another one crawls, by its orders and failures. */
gradyn_status gradyn_idas_mind(struct gradyn_idas *s);

/* As a run begins. */
void gradyn_idas_care_run(struct gradyn_idas *s);

/* After a run: whether it has been given up and is to be repeated, as a careful one. */
bool gradyn_idas_again(struct gradyn_idas *s);

#endif
