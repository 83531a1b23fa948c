/* Searches that follow each other, told and counted as one. */
#ifndef GRADYN_OPTIM_ROUNDS_H
#define GRADYN_OPTIM_ROUNDS_H

#include "optim/search/search.h"

typedef struct gradyn_rounds {
  const gradyn_objective *inner; /* borrowed, likewise the next two */
  const gradyn_search *search;
  gradyn_search_result *result; /* of the last search */
  gradyn_objective objective;   /* what searches see: the inner one, timed from the first on */
  long evaluations, rejected, probes; /* of the searches before */
  int searches;                       /* how many there were */
  int references;                     /* of these, how many began with other references */
  bool begun;                         /* the first one has */
  bool strained;                      /* the last one has halted far from its references */
  double initial, started, seconds;   /* first objective; s, when all began, the last evaluation */
  double until;                       /* s of gradyn_seconds(): when their time is over; 0: never */
} gradyn_rounds;

/* Does not move from then on. Functionals of its objective may be changed between searches. */
void gradyn_rounds_begin(const gradyn_objective *inner, const gradyn_search *search,
                         gradyn_search_result *result, gradyn_rounds *out);

/* Another search from rho [parameters], with the scale of the one before, whose result it replaces. Where
 * unknowns have gone far from their references, others are chosen and another search goes on from there.
 * Returns the status of the last one. */
gradyn_status gradyn_rounds_search(gradyn_rounds *rounds, const double rho[]);

/* Evaluations that are left. */
long gradyn_rounds_left(const gradyn_rounds *rounds);

/* Gives the result the counts of all searches. */
void gradyn_rounds_count(const gradyn_rounds *rounds);

/* gradyn_search_run() with other references on the way where the objective has some. */
gradyn_status gradyn_rounds_run(const gradyn_objective *objective, const gradyn_search *search,
                                const double rho0[], gradyn_search_result *result);

#endif
