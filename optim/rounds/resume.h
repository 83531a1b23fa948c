/* Searches with a journal. */
#ifndef GRADYN_OPTIM_RESUME_H
#define GRADYN_OPTIM_RESUME_H

#include "optim/rounds/rounds.h"
#include "optim/study/journal.h"
#include "optim/program/objective.h"
#include <gradyn/study.h>

/* Samples of path constraints: a second evaluator that has them replaces the first one. Members are owned. */
typedef struct gradyn_held {
  gradyn_limited *limited; /* NULL: there are no samples */
  gradyn_limit_at *at;     /* [count] */
  size_t count;
  bool *requested; /* [functionals + count], functionals with gradients that a search uses */
} gradyn_held;

/* An evaluator as the objective of a search, evaluated by its gradient. The objective points to the struct:
 * do not move it. */
typedef struct gradyn_evaluated {
  gradyn_objective objective;
  gradyn_evaluator *evaluator; /* borrowed */
  gradyn_parameter_info *parameters;
  gradyn_functional_info *functionals;
  bool *requested;   /* [functionals], functionals with gradients that a search uses */
  double *start;     /* [parameters], start of the search */
  double *chance;    /* [functionals], weights of load cases with the sum 1 */
  double optimality; /* optimality tolerance of the search; 0: it has not begun */
  gradyn_held held;
} gradyn_evaluated;

/* Creates the objective of a search that minimises the functional with the name `objective`; NULL: the
 * objective of the problem. The evaluator, which is used by all evaluations, must outlive *out; the name need
 * not. An unknown name is not reported here. Returns false if memory is out. Clear *out once in any case. */
bool gradyn_evaluated_create(gradyn_evaluator *evaluator, const char *objective,
                             gradyn_evaluated *out);
/* Frees the members, not the evaluator; not to be repeated. */
void gradyn_evaluated_clear(gradyn_evaluated *evaluated);

/* The function hold of gradyn_objective for the path constraints of a problem, in held.c. `evaluated` is a
 * gradyn_evaluated. at is copied; info is valid until the next call or the clearing. count 0 removes all
 * samples. After an error, only another hold, or clear, may be called. Errors: GRADYN_NO_MEMORY; those of
 * gradyn_limited_create(). */
gradyn_status gradyn_evaluated_hold(void *evaluated, const gradyn_limit_at at[], size_t count,
                                    gradyn_functional_info info[]);

/* The function look of gradyn_objective for the path constraints of a problem, in held.c. `evaluated` is a
 * gradyn_evaluated. Finds violations above `part` of their tolerances at rho [parameters] by a run without
 * samples. Clear *out in any case. Errors: failures of the run; GRADYN_NO_MEMORY. */
gradyn_status gradyn_evaluated_look(void *evaluated, const double rho[], double part,
                                    gradyn_path_check *out);
/* Returns the evaluator that computes values and gradients now: that with samples, if there are some. Owned
 * by *evaluated if it has samples, and valid until the next hold. */
gradyn_evaluator *gradyn_evaluated_in_use(const gradyn_evaluated *evaluated);
/* Returns for each functional of gradyn_evaluated_in_use() whether its gradient is needed, [functionals +
 * samples]. Valid until the next hold. */
const bool *gradyn_evaluated_wanted(const gradyn_evaluated *evaluated);
/* Completes an evaluation by gradyn_evaluated_in_use(), with psi [functionals + samples] and gradient
 * [functionals + samples][parameters]. Each bound of a path constraint gets the value and gradient of its
 * largest sample. gradient NULL: values only. */
void gradyn_evaluated_fill_sides(const gradyn_evaluated *evaluated, double psi[],
                                 double gradient[]);

/* Use of a journal. */
typedef struct gradyn_recollection {
  bool fresh;     /* refuse a journal that has evaluations */
  bool trust;     /* do not repeat its last evaluation */
  bool read_only; /* only replay: add no evaluation to the journal; another process may write it */
  gradyn_resumed *resumed; /* overwritten with counts and notes; NULL: not needed */
  gradyn_earlier earlier;  /* searches that this one continues; {0}: none */
} gradyn_recollection;

/* Runs a search from rho0 [parameters] with the journal search->journal, or without a journal if that is
 * NULL; see gradyn_search.resume. `evaluator` is used only for the description in the header of the
 * journal; it may be NULL. how: use of the journal. Overwrites *result; clear it in any case. Errors: those
 * of gradyn_optimise(); also those of gradyn_journal_open(), and of the verification of its last
 * evaluation, before the search begins. A journal that cannot be written is no error of the search:
 * result->resumed.status has its status. */
gradyn_status gradyn_search_with_journal(const gradyn_objective *objective,
                                         const gradyn_evaluator *evaluator,
                                         const gradyn_search *search, const double rho0[],
                                         gradyn_recollection how, gradyn_search_result *result);

/* Returns which argument of a task is missing: the evaluator, also one that was not created, the search or
 * specification `task`, or rho0. NULL: none. Static text, or the message of the evaluator. */
const char *gradyn_task_missing(const gradyn_evaluator *evaluator, const void *task,
                                const double rho0[]);

/* Runs a search from rho0 [parameters] over the functionals of an evaluator, and rechecks its best point if
 * the search requests this. Arguments and errors as for gradyn_optimise(), also if an argument is NULL. In
 * optimise.c. */
gradyn_status gradyn_evaluated_search(gradyn_evaluator *evaluator, const gradyn_search *search,
                                      const double rho0[], gradyn_recollection how,
                                      gradyn_search_result *result);

/* Rechecks the best point of a result with more accurate simulations, if the search requests this, and adds
 * findings and warnings to the result. Returns `status`, that of the search, the status of
 * gradyn_exact_maxima_report(), or GRADYN_NO_MEMORY. A recheck that fails is a finding, no error. */
gradyn_status gradyn_evaluated_recheck(const gradyn_evaluated *evaluated,
                                       const gradyn_search *search, gradyn_status status,
                                       gradyn_search_result *result);

#endif
