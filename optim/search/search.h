/* A whole search: passes of an optimiser from the best point on, and the verdict on where they ended. */
#ifndef GRADYN_OPTIM_SEARCH_H
#define GRADYN_OPTIM_SEARCH_H

#include "optim/search/solver_run.h"
#include "optim/search/probe.h"

/* A search in progress. */
typedef struct gradyn_run {
  const gradyn_search *search;              /* borrowed */
  const gradyn_algorithm *algorithm, *then; /* then: see gradyn_search; NULL: none */
  const char *name;                         /* of the algorithm, as the search names it */
  gradyn_program *program;
  gradyn_trials trials;
  gradyn_solver_run_end end; /* of the last pass */
  gradyn_status verified;    /* of the evaluation that repeats the best point */
  double initial_objective;  /* NAN if the start failed */
  int passes;
  gradyn_probe probe;
  gradyn_probed probed;    /* what the last probe has shown */
  double objective_before; /* where that began */
} gradyn_run;

/* gradyn_optimise() for any objective; same contract. */
gradyn_status gradyn_search_run(const gradyn_objective *objective, const gradyn_search *search,
                                const double rho0[], gradyn_search_result *result);

/* A further search begins with the algorithm that has ended the last one. */
void gradyn_search_follow(const gradyn_search_result *last, gradyn_search *how);

/* The residual up to which an end that is not optimal counts as nearly optimal. */
double gradyn_termination_nearly(const gradyn_search *search);

/* Decides how the search ended, fills ending, reason and numbers of the result, whose arrays are
 * there already, and returns the status of the search. */
gradyn_status gradyn_termination(const gradyn_run *run, gradyn_search_result *result);

/* A result without a search: nothing but the reason. */
void gradyn_result_refuse(gradyn_search_result *result, const char *reason);

/* Appends to the reason of a result; what does not fit is cut and marked. */
void gradyn_termination_append(gradyn_search_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
