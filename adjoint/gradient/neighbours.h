/* Runs beside the one at given parameters, along a line, for differences. Functionals are smooth only among
 * runs with the same events in the same order: others are no neighbours. */
#ifndef GRADYN_ADJOINT_NEIGHBOURS_H
#define GRADYN_ADJOINT_NEIGHBOURS_H

#include <stdint.h>

#include "adjoint/evaluator/evaluator.h"

typedef struct gradyn_neighbours {
  gradyn_evaluator *run;
  const double *centre; /* [p] the parameters in the middle */
  const double *psi;    /* [nf] there; NULL: not known */
  double *line, *moved; /* [p] the direction, and room */
  uint64_t events;      /* of the run in the middle */
  bool parted;          /* a run had others since this was set to false */
  gradyn_status failed; /* of the last run that has failed by itself, */
  gradyn_message why;   /* and its message */
} gradyn_neighbours;

/* Adds what the last simulation cost to the cost of an evaluator. */
void gradyn_count_run(gradyn_evaluator *ev);

/* A number for the events of the last run and what follows them, in their order: others have another one. */
uint64_t gradyn_events_of(const gradyn_evaluator *run);

/* A gradyn_line_fn: psi at centre + s line. A run with other events is GRADYN_NON_FINITE.
 * Counts what it takes. */
gradyn_status gradyn_neighbour(void *neighbours, double s, double *psi);

/* The longest step of first, first/4, ... on both sides (side 0, else on that side) with which runs have the
 * same events; 0: there is none; first where there are no events. psi [nf]: room. Runs that fail by
 * themselves are left to the differences. */
gradyn_status gradyn_neighbours_reach(gradyn_neighbours *neighbours, int side, double *psi,
                                      double *first);

#endif
