/* Runs at parameters along a line, for difference quotients. Functionals are smooth only among runs with the
 * same events in the same order; other runs are not used. */
#ifndef GRADYN_ADJOINT_NEIGHBOURS_H
#define GRADYN_ADJOINT_NEIGHBOURS_H

#include <stdint.h>

#include "adjoint/evaluator/evaluator.h"

typedef struct gradyn_neighbours {
  gradyn_evaluator *run;
  const double *centre; /* [p] the central parameters */
  const double *psi;    /* [nf] values there; NULL: unknown */
  double *line, *moved; /* [p] the direction; workspace */
  uint64_t events;      /* identification of the events of the central run */
  bool parted;          /* a run had other events since this was set to false */
  gradyn_status failed; /* status of the last run that has failed on its own */
  gradyn_message why;   /* message of the run that has failed */
} gradyn_neighbours;

/* Adds the steps and evaluations of the last simulation to ev->kept.cost. */
void gradyn_count_run(gradyn_evaluator *ev);

/* Returns a number that identifies the sequence of events of the last run and the mode after each event;
 * equal for runs with equal sequences. */
uint64_t gradyn_events_of(const gradyn_evaluator *run);

/* Computes psi [nf] at centre + s line by a simulation; a gradyn_line_fn, with a gradyn_neighbours as first
 * argument. A run with other events than the central run sets `parted` and returns GRADYN_NON_FINITE; other
 * failures set `failed` and `why`, and are returned. The cost is added up in run->kept.cost. s is in units of
 * the line. */
gradyn_status gradyn_neighbour(void *neighbours, double s, double *psi);

/* Reduces *first to the longest of the steps *first, *first/4, ... for which the runs at that distance have
 * the events of the central run: on both sides (side 0), or on one (-1, 1). 0: there is none. Without
 * events, *first does not change. psi [nf] is workspace. Errors: failures that are not recoverable; runs
 * that fail in other ways are left to the difference quotients. */
gradyn_status gradyn_neighbours_reach(gradyn_neighbours *neighbours, int side, double *psi,
                                      double *first);

#endif
