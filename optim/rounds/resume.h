/* Searches with a journal. */
#ifndef GRADYN_OPTIM_RESUME_H
#define GRADYN_OPTIM_RESUME_H

#include "optim/study/journal.h"
#include "optim/program/objective.h"
#include <gradyn/study.h>

/* Samples of path constraints: a second evaluator that has them replaces the first one. */
typedef struct gradyn_held {
  gradyn_limited *limited; /* NULL: there are no samples */
  gradyn_limit_at *at;     /* [count] */
  size_t count;
  bool *requested; /* [functionals + count] */
} gradyn_held;

/* An evaluator as the objective of a search, evaluated by its gradient. Do not move it. */
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
 * objective of the problem. Returns false if memory is out. Clear *out in any case. */
bool gradyn_evaluated_create(gradyn_evaluator *evaluator, const char *objective,
                             gradyn_evaluated *out);
void gradyn_evaluated_clear(gradyn_evaluated *evaluated);

/* The function hold of gradyn_objective for the path constraints of a problem, in held.c. `evaluated` is a
 * gradyn_evaluated. */
gradyn_status gradyn_evaluated_hold(void *evaluated, const gradyn_limit_at at[], size_t count,
                                    gradyn_functional_info info[]);
/* The function look of gradyn_objective for the path constraints of a problem, in held.c. `evaluated` is a
 * gradyn_evaluated. */
gradyn_status gradyn_evaluated_look(void *evaluated, const double rho[], double part,
                                    gradyn_path_check *out);
/* Returns the evaluator that computes values and gradients now: that with samples, if there are some. */
gradyn_evaluator *gradyn_evaluated_in_use(const gradyn_evaluated *evaluated);
/* Returns the functionals of this evaluator whose gradients are needed, [functionals + samples]. */
const bool *gradyn_evaluated_wanted(const gradyn_evaluated *evaluated);
/* Completes an evaluation: in psi [functionals + samples] and gradient [functionals + samples][parameters],
 * each bound of a path constraint gets the value and gradient of its largest sample. gradient may be
 * NULL. */
void gradyn_evaluated_fill_sides(const gradyn_evaluated *evaluated, double psi[],
                                 double gradient[]);

/* Use of a journal. */
typedef struct gradyn_recollection {
  bool fresh;              /* refuse a journal that has evaluations */
  bool trust;              /* do not repeat its last evaluation */
  bool read_only;          /* add and evaluate nothing; another process may write the journal */
  gradyn_resumed *resumed; /* may be NULL */
} gradyn_recollection;

/* Runs a search with the journal search->journal, or without a journal if that is NULL; see
 * gradyn_search.resume. `evaluator` is used only for the description in the header of the journal; it may
 * be NULL. Errors: those of gradyn_optimise(); result->journal has a failure of the journal. */
gradyn_status gradyn_search_with_journal(const gradyn_objective *objective,
                                         const gradyn_evaluator *evaluator,
                                         const gradyn_search *search, const double rho0[],
                                         gradyn_recollection how, gradyn_search_result *result);

/* Returns which argument of a task is missing: the evaluator, the search or specification `task`, or rho0.
 * NULL: none. Static text. */
const char *gradyn_task_missing(const gradyn_evaluator *evaluator, const void *task,
                                const double rho0[]);

/* Runs a search over the functionals of an evaluator, and rechecks its best point if the search requests
 * this. Arguments and errors as for gradyn_optimise(). In optimise.c, as the next function. */
gradyn_status gradyn_evaluated_search(gradyn_evaluator *evaluator, const gradyn_search *search,
                                      const double rho0[], gradyn_recollection how,
                                      gradyn_search_result *result);

/* Rechecks the best point of a result with more accurate simulations. Returns `status`, that of the search,
 * or GRADYN_NO_MEMORY. */
gradyn_status gradyn_evaluated_recheck(const gradyn_evaluated *evaluated,
                                       const gradyn_search *search, gradyn_status status,
                                       gradyn_search_result *result);

#endif
