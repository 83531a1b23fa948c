/* A complete search: solver runs, each from the best point, and the termination report. */
#ifndef GRADYN_OPTIM_SEARCH_H
#define GRADYN_OPTIM_SEARCH_H

#include "optim/search/solver_run.h"
#include "optim/search/probe.h"

/* A search in progress. */
typedef struct gradyn_run {
  const gradyn_search *search;              /* borrowed */
  const gradyn_algorithm *algorithm, *then; /* `then` takes over, see gradyn_search; NULL: none */
  const char *name; /* name of the requested algorithm, which `algorithm` may wrap; static text */
  gradyn_program *program; /* owned */
  gradyn_trials trials;
  gradyn_solver_run_end end; /* end of the last solver run */
  /* status of the repetition of the best point; GRADYN_OK if there was none */
  gradyn_status verified;
  double initial_objective; /* not scaled; NAN if the start failed */
  int passes;               /* solver runs since the last probe or change of algorithm */
  gradyn_probe probe;
  gradyn_probed probed;    /* result of the last probe */
  double objective_before; /* objective at the start of the last probe, not scaled */
} gradyn_run;

/* Returns the number of evaluations so far, with those of the earlier searches of the series. */
long gradyn_run_evaluations(const gradyn_run *run);

/* Minimises any objective without path constraints, with the results and errors of gradyn_optimise(). The
 * start rho0 [objective->parameter_count] is copied, and moved into the bounds. Overwrites *result; release
 * it by gradyn_search_result_clear() in any case. If the search cannot be set up, *result is that of
 * gradyn_result_refuse(). */
gradyn_status gradyn_search_run(const gradyn_objective *objective, const gradyn_search *search,
                                const double rho0[], gradyn_search_result *result);

/* Is gradyn_search_run(), with the same results and errors, but from the multipliers in *warm, unless it is
 * NULL or warm->barrier is 0. The caller initialises *warm, and clears it in any case. *warm is resized for
 * the objective, and gets the multipliers at the end of the last solver run; barrier 0: its algorithm has
 * none. */
gradyn_status gradyn_search_run_warm(const gradyn_objective *objective, const gradyn_search *search,
                                     const double rho0[], gradyn_warm_start *warm,
                                     gradyn_search_result *result);

/* Selects the algorithm of the next search. If the algorithm how->then was the last one of the search with
 * the result `last`, how->then becomes how->algorithm, and then NULL. Otherwise *how stays. */
void gradyn_search_follow(const gradyn_search_result *last, gradyn_search *how);

/* Returns the largest (scaled) residual of an end that counts as nearly optimal. It is the square root of the
 * largest of search->optimality, ftol and xtol, but at least 1e-4. */
double gradyn_termination_nearly(const gradyn_search *search);

/* Determines how a search has ended. Fills termination, reason, warnings and numbers of the result, whose
 * arrays have been allocated for the objective. Returns the status of the search: GRADYN_OK at an optimum,
 * or nearly so; GRADYN_INFEASIBLE, GRADYN_STALLED, GRADYN_INTERRUPTED, GRADYN_NO_MEMORY; or that of the
 * evaluation that failed. */
gradyn_status gradyn_termination_fill(const gradyn_run *run, gradyn_search_result *result);

/* Warns (TOO_FEW_DATA) if the data of fits are fewer than the free parameters. Warns (PARAMETER_UNSEEN) of
 * each free parameter that changes no datum at the best point. Equality constraints count as data. Other
 * terms of the objective suppress the first warning, and count as data for the second. No effect without
 * fits. */
void gradyn_fit_data_check(const gradyn_run *run, gradyn_search_result *result);

/* Overwrites *result with that of a search that did not start: the reason, copied and cut off if it is too
 * long, and GRADYN_TERMINATION_FAILED. Numbers are NAN, counts 0, and arrays NULL; old ones are not
 * released. */
void gradyn_result_refuse(gradyn_search_result *result, const char *reason);

/* Adds a warning to result->warnings, in the order of codes, after those of its code. Its texts are copies
 * that belong to the result. gradyn_warning_complete() forms its text. If memory is out, the reason gets a
 * line instead. */
void gradyn_result_warn(gradyn_search_result *result, const gradyn_warning *given);

/* The reason of a result is one finding a line, without a newline at its end. The first line is the
 * termination; a further line is " subject: finding". Text that does not fit in result->reason is cut off and
 * marked by "...". */

/* Appends text, formatted as by printf, to the last line of the reason. Newlines in it become "; ". */
void gradyn_termination_append(gradyn_search_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a finding about a subject, without ": ", as a new line; format as for printf. Newlines in the finding
 * become "; ". The finding is left out if there is no room for its subject. */
void gradyn_termination_add(gradyn_search_result *result, const char *subject, const char *format,
                            ...) __attribute__((format(printf, 3, 4)));

/* Puts text, at most 500 bytes, before the reason as its first line. The former first line becomes a finding
 * about the subject, at most 60 bytes. Longer texts are cut off, as the end of a reason that no longer fits,
 * here without "...". */
void gradyn_termination_precede(gradyn_search_result *result, const char *text,
                                const char *subject);

/* One finding of a reason. Its texts are not terminated, and point into the reason. */
typedef struct gradyn_termination_line {
  const char *next;           /* the following finding; before the first call the reason */
  const char *subject, *text; /* [subject_length]; [length] */
  int subject_length, length; /* bytes */
} gradyn_termination_line;

/* Moves to the next finding; the subject of the first one is "result". Returns false, and changes no member,
 * if there is none. */
bool gradyn_termination_next(gradyn_termination_line *finding);

/* Makes a reason one line: a semicolon replaces each newline; the space at the start of a line stays. */
void gradyn_termination_join(char *reason);

#endif
