/* Consecutive searches that are reported and counted as one. */
#ifndef GRADYN_OPTIM_ROUNDS_H
#define GRADYN_OPTIM_ROUNDS_H

#include "optim/rounds/rows.h"
#include "optim/search/search.h"

/* The searches so far, and their common counts. */
typedef struct gradyn_rounds {
  const gradyn_objective *inner; /* this and the next two are borrowed */
  const gradyn_search *search;
  gradyn_search_result *result; /* of the last search */
  /* objective of the searches: the inner one, timed from the first search */
  gradyn_objective objective;
  long evaluations, rejected, probes; /* in the earlier searches */
  int searches;                       /* number of searches so far */
  int references;                     /* number of searches that began with new references */
  bool begun;                         /* the first search has begun */
  bool strained;                      /* the last search halted far from its references */
  /* first objective; s, start of the first search; s, last evaluation */
  double initial, started, seconds;
  gradyn_warm_start warm; /* multipliers at the end of the last search, or of the warm start */
  json_t *given;          /* warm start of the search; owned; NULL: none */
  double until;           /* deadline, s of gradyn_seconds(); 0: none */
} gradyn_rounds;

/* Prepares the searches. Do not move *out afterwards; clear it. The functionals of its objective may
 * change between searches. */
void gradyn_rounds_begin(const gradyn_objective *inner, const gradyn_search *search,
                         gradyn_search_result *result, gradyn_rounds *out);

void gradyn_rounds_clear(gradyn_rounds *rounds);

/* Runs another search from rho [parameters], with the scale of the previous one. The new result replaces
 * the previous one. If unknowns are far from their references, these are moved, and another search
 * continues. Returns the status of the last one. */
gradyn_status gradyn_rounds_search(gradyn_rounds *rounds, const double rho[]);

/* Returns the number of evaluations that remain. */
long gradyn_rounds_left(const gradyn_rounds *rounds);

/* Sets the counts of the result to those of all searches. */
void gradyn_rounds_count(const gradyn_rounds *rounds);

/* Takes the multipliers of the warm start for the first search; rows: points of path constraints, or NULL.
 * Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_rounds_warm(gradyn_rounds *rounds, const gradyn_rows *rows);

/* Fills the warm start that the result leaves if it has a point. Returns the status of the searches, or
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_rounds_leave(const gradyn_rounds *rounds, const gradyn_rows *rows,
                                  gradyn_status status);

/* The same as gradyn_search_run(), but references are moved if the objective has some. */
gradyn_status gradyn_rounds_run(const gradyn_objective *objective, const gradyn_search *search,
                                const double rho0[], gradyn_search_result *result);

#endif
