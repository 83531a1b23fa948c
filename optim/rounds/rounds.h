/* Consecutive searches that are reported and counted as one. */
#ifndef GRADYN_OPTIM_ROUNDS_H
#define GRADYN_OPTIM_ROUNDS_H

#include "optim/rounds/rows.h"
#include "optim/search/search.h"

/* Counts of the searches that a series continues: evaluations, and those of them that were probes. Texts
 * about the series include them; its result does not. */
typedef struct gradyn_earlier {
  long evaluations, probes;
} gradyn_earlier;

/* The searches so far, and their common counts. */
typedef struct gradyn_rounds {
  const gradyn_objective *inner; /* inner, search and result are borrowed */
  const gradyn_search *search;
  gradyn_search_result *result; /* result of the last search */
  /* objective of the searches: the inner one, timed from gradyn_rounds_begin(); `self` is this struct */
  gradyn_objective objective;
  gradyn_earlier earlier;             /* before the series; {0} unless the caller sets it */
  long evaluations, rejected, probes; /* in the earlier searches of the series */
  int searches;                       /* number of searches that have ended */
  int references;                     /* number of searches that began with new references */
  bool begun;                         /* the first search has begun */
  bool strained;                      /* the last search halted far from its references */
  /* objective at the first start, NAN: none; s of gradyn_seconds(), start; s, last evaluation */
  double initial, started, seconds;
  gradyn_warm_start warm; /* multipliers at the end of the last search, or of the warm start */
  json_t *given;          /* warm start of the search; owned; NULL: none */
  bool (*suffices)(void *user, const double rho[]); /* see gradyn_objective; NULL: none */
  void *user;                                       /* argument of the callback */
  double until;                                     /* deadline, s of gradyn_seconds(); 0: none */
} gradyn_rounds;

/* Prepares a series of searches and starts their time; inner, search and result must outlive *out. *result is
 * empty ({0}) or a valid result. search->warm_start must have been checked. Do not move *out afterwards;
 * clear it once. Between searches, the caller may change the functionals of out->objective. */
void gradyn_rounds_begin(const gradyn_objective *inner, const gradyn_search *search,
                         gradyn_search_result *result, gradyn_rounds *out);
/* Frees the members, not inner, search and result. */
void gradyn_rounds_clear(gradyn_rounds *rounds);

/* Runs another search from rho [parameters], with the objective scale of the previous one, and replaces
 * *result, whose old contents are released. rho must not point into *result. While unknowns are far from
 * their references, the references are moved, and another search continues. Returns the status of the last
 * search, or GRADYN_NO_MEMORY. */
gradyn_status gradyn_rounds_search(gradyn_rounds *rounds, const double rho[]);

/* Returns the number of evaluations that search->max_evaluations still permits; probes do not count. */
long gradyn_rounds_left(const gradyn_rounds *rounds);

/* Sets evaluations, rejected, probes and initial_objective of the result to those of all searches. Adds a
 * finding if references were moved. Call it after the last search. */
void gradyn_rounds_count(const gradyn_rounds *rounds);

/* Takes the multipliers of search->warm_start, by name, for the first search; does nothing later, or without
 * a warm start. rows: samples, the last functionals of rounds->objective, whose multipliers are taken too;
 * NULL: none. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_rounds_warm(gradyn_rounds *rounds, const gradyn_rows *rows);

/* Fills result->warm with a warm start, if the result has a point. rows: samples, the last functionals of the
 * last search, which become part of it; NULL: none. Returns `status`, that of the searches, or
 * GRADYN_NO_MEMORY, with a finding. */
gradyn_status gradyn_rounds_leave(const gradyn_rounds *rounds, const gradyn_rows *rows,
                                  gradyn_status status);

/* Minimises an objective from rho0 [parameters], with warm start, and with references that are moved if the
 * objective has some. Overwrites *result; clear it in any case. Returns the status of the search: GRADYN_OK
 * at an optimum, or nearly so; else the reason is in the result. `earlier`: searches that this one
 * continues. result->warm gets a warm start. */
gradyn_status gradyn_rounds_run(const gradyn_objective *objective, const gradyn_search *search,
                                const double rho0[], gradyn_earlier earlier,
                                gradyn_search_result *result);

#endif
