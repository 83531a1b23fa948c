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
  gradyn_message why;   /* its message */
} gradyn_neighbours;

/* Adds the cost of the last simulation to the cost of an evaluator. */
void gradyn_count_run(gradyn_evaluator *ev);

/* Returns a number that identifies the sequence of events of the last run and the following modes. */
uint64_t gradyn_events_of(const gradyn_evaluator *run);

/* A gradyn_line_fn: psi at centre + s line. A run with other events returns GRADYN_NON_FINITE. The cost is
 * added up. */
gradyn_status gradyn_neighbour(void *neighbours, double s, double *psi);

/* Finds the longest step of first, first/4, ... with which runs on both sides (side 0) or on one side have
 * the same events. 0: none; `first` without events. psi [nf] is workspace. Runs that fail on their own are
 * left to the difference quotients. */
gradyn_status gradyn_neighbours_reach(gradyn_neighbours *neighbours, int side, double *psi,
                                      double *first);

#endif
