/* A complete search: solver runs, each from the best point, and the termination report. */
#ifndef GRADYN_OPTIM_SEARCH_H
#define GRADYN_OPTIM_SEARCH_H

#include "optim/search/solver_run.h"
#include "optim/search/probe.h"

/* A search in progress. */
typedef struct gradyn_run {
  const gradyn_search *search;              /* borrowed */
  const gradyn_algorithm *algorithm, *then; /* `then` takes over, see gradyn_search; NULL: none */
  const char *name;                         /* name of the algorithm in the search */
  gradyn_program *program;
  gradyn_trials trials;
  gradyn_solver_run_end end; /* of the last solver run */
  gradyn_status verified;    /* status of the evaluation that repeats the best point */
  double initial_objective;  /* NAN if the start failed */
  int passes;
  gradyn_probe probe;
  gradyn_probed probed;    /* result of the last probe */
  double objective_before; /* objective at the start of the last probe */
} gradyn_run;

/* As gradyn_optimise(), for any objective without path constraints; the contract is the same. */
gradyn_status gradyn_search_run(const gradyn_objective *objective, const gradyn_search *search,
                                const double rho0[], gradyn_search_result *result);

/* As gradyn_search_run(), from the multipliers in *warm unless warm->barrier is 0. *warm gets those at the
 * end; barrier 0: the algorithm has none. */
gradyn_status gradyn_search_run_warm(const gradyn_objective *objective, const gradyn_search *search,
                                     const double rho0[], gradyn_warm_start *warm,
                                     gradyn_search_result *result);

/* Selects the algorithm of the next search: if how->then has continued the search with the result `last`,
 * it becomes how->algorithm, and how->then becomes NULL. */
void gradyn_search_follow(const gradyn_search_result *last, gradyn_search *how);

/* Returns the largest residual of an end that counts as nearly optimal, from search->optimality. */
double gradyn_termination_nearly(const gradyn_search *search);

/* Determines how a search has ended. Fills termination, reason and numbers of the result, whose arrays have
 * been allocated. Returns the status of the search. */
gradyn_status gradyn_termination_fill(const gradyn_run *run, gradyn_search_result *result);

/* Warns if the data of fits are fewer than the free parameters, and of each free parameter that changes
 * none of them at the best point. */
void gradyn_fit_data_check(const gradyn_run *run, gradyn_search_result *result);

/* Fills the result of a search that did not start: only the reason; numbers are NAN and arrays NULL. */
void gradyn_result_refuse(gradyn_search_result *result, const char *reason);

/* Adds a warning to the result, in the order of codes, with copies of its texts that belong to the result.
 * gradyn_warning_complete() forms its text. If memory is out, the reason gets a line instead. */
void gradyn_result_warn(gradyn_search_result *result, const gradyn_warning *given);

/* The reason of a result is one finding a line. The first is the termination; a further line is
 * " subject: finding". Text that does not fit is cut off and marked by "...". */

/* Appends text, formatted as by printf, to the last line of the reason. */
void gradyn_termination_append(gradyn_search_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a finding about a subject as a new line; format as for printf. */
void gradyn_termination_add(gradyn_search_result *result, const char *subject, const char *format,
                            ...) __attribute__((format(printf, 3, 4)));

/* Puts text before the reason as its first line. The former first line becomes a finding about the
 * subject. */
void gradyn_termination_precede(gradyn_search_result *result, const char *text,
                                const char *subject);

/* One finding of a reason; its texts are not terminated. */
typedef struct gradyn_termination_line {
  const char *next; /* the following one; before the first call the reason */
  const char *subject, *text;
  int subject_length, length;
} gradyn_termination_line;

/* Moves to the next finding; the subject of the first one is "result". Returns false if there is none. */
bool gradyn_termination_next(gradyn_termination_line *finding);

/* Makes a reason one line: semicolons replace the ends of lines. */
void gradyn_termination_join(char *reason);

#endif
