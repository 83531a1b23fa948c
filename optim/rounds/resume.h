/* Searches with a journal. */
#ifndef GRADYN_OPTIM_RESUME_H
#define GRADYN_OPTIM_RESUME_H

#include "optim/study/journal.h"
#include "optim/program/objective.h"
#include <gradyn/study.h>

/* Limits held at rows: an evaluator that has them, instead of the other one. */
typedef struct gradyn_held {
  gradyn_limited *limited; /* NULL: none are held */
  gradyn_limit_at *at;     /* [count] */
  size_t count;
  bool *wanted; /* [functionals + count] */
} gradyn_held;

/* Parameters and functionals of an evaluator, evaluated by its gradient. It must not move. */
typedef struct gradyn_evaluated {
  gradyn_objective objective;
  gradyn_evaluator *evaluator; /* borrowed */
  gradyn_parameter_info *parameters;
  gradyn_functional_info *functionals;
  bool *wanted;      /* [functionals] whose gradients a search uses */
  double *start;     /* [parameters] where the search has begun, */
  double optimality; /* and its tolerance; 0: it has not */
  gradyn_held held;
} gradyn_evaluated;

/* For a search that minimises the functional `objective`, or the problem's objective if that is
 * NULL. False: out of memory. Clear in any case. */
bool gradyn_evaluated_create(gradyn_evaluator *evaluator, const char *objective,
                             gradyn_evaluated *out);
void gradyn_evaluated_clear(gradyn_evaluated *evaluated);

/* Limits of its problem, in held.c: what gradyn_objective asks of them. */
gradyn_status gradyn_evaluated_hold(void *evaluated, const gradyn_limit_at at[], size_t count,
                                    gradyn_functional_info info[]);
gradyn_status gradyn_evaluated_look(void *evaluated, const double rho[], double part,
                                    gradyn_path_check *out);
/* The evaluator in use, and which gradients are wanted of it. */
gradyn_evaluator *gradyn_evaluated_in_use(const gradyn_evaluated *evaluated);
const bool *gradyn_evaluated_wanted(const gradyn_evaluated *evaluated);
/* Behind an evaluation, whose gradient may be NULL: gives sides of limits the largest of their rows. */
void gradyn_evaluated_fill_sides(const gradyn_evaluated *evaluated, double psi[],
                                 double gradient[]);

/* What to do with a journal. */
typedef struct gradyn_recollection {
  bool fresh;              /* refuse one that holds evaluations */
  bool trust;              /* do not repeat its last evaluation */
  bool read_only;          /* add and evaluate nothing; others may be at work on it */
  gradyn_resumed *resumed; /* may be NULL */
} gradyn_recollection;

/* A search through the journal search->journal, or without one if that is NULL; see gradyn_resume().
 * The evaluator, which may be NULL, only serves the description in the header. */
gradyn_status gradyn_search_recall(const gradyn_objective *objective,
                                   const gradyn_evaluator *evaluator, const gradyn_search *search,
                                   const double rho0[], gradyn_recollection how,
                                   gradyn_search_result *result);

/* The same for the functionals of an evaluator, and simulates the best point again if the search
 * asks for that. In optimise.c, likewise the next. */
gradyn_status gradyn_evaluated_search(gradyn_evaluator *evaluator, const gradyn_search *search,
                                      const double rho0[], gradyn_recollection how,
                                      gradyn_search_result *result);

/* The second part of this alone; returns the status of the search unless memory ran out. */
gradyn_status gradyn_evaluated_recheck(const gradyn_evaluated *evaluated,
                                       const gradyn_search *search, gradyn_status status,
                                       gradyn_search_result *result);

#endif
