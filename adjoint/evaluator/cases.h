/* All load cases of a problem as one evaluator: an evaluator for each case, and the parameters and
 * functionals of all. */
#ifndef GRADYN_ADJOINT_CASES_H
#define GRADYN_ADJOINT_CASES_H

#include "adjoint/evaluator/evaluator.h"
#include "core/model/added.h"

/* How the objectives of the cases become one. */
typedef enum gradyn_over {
  GRADYN_OVER_SUM,
  GRADYN_OVER_MEAN,
  GRADYN_OVER_LARGEST,
  GRADYN_OVER_CVAR,
  GRADYN_OVER_DEVIATION
} gradyn_over;

/* A term of the objective of a case. */
typedef struct gradyn_case_term {
  size_t index; /* among the functionals of the case */
  double weight;
} gradyn_case_term;

/* One case. */
typedef struct gradyn_case_part {
  gradyn_evaluator *ev; /* owned, unless the evaluator of all cases was made of others */
  double weight;
  size_t *parameter; /* [its parameters], index among those of all cases */
  double *rho;       /* [its parameters] */
  double *psi;       /* [its functionals] */
  double *gradient;  /* [its functionals][its parameters] */
  bool *requested;   /* [its functionals] */
  gradyn_case_term *term;
  size_t term_count;
  gradyn_status status; /* status of the last evaluation */
} gradyn_case_part;

/* A functional: one of a case, the objective of a case, or one of all cases. */
typedef struct gradyn_case_row {
  gradyn_functional_info info;
  size_t of;     /* index of the case; the number of cases: of all */
  size_t index;  /* among the functionals of the case */
  bool combined; /* the sum of the terms of a case, or the objective over all cases */
} gradyn_case_row;

typedef struct gradyn_case_set {
  size_t count;
  gradyn_case_part *part; /* [count] */
  gradyn_case_row *row;   /* [row_count] */
  size_t row_count;
  gradyn_over over;
  double number; /* share of "cvar", factor of "deviation" */
  double total;  /* sum of the weights */
} gradyn_case_set;

/* Returns the number of load cases that an evaluator runs; 0 if ev is NULL. */
size_t gradyn_case_count(const gradyn_evaluator *ev);

/* Creates the cases of an evaluator whose settings and options are complete; `options` are those that the
 * caller gave, for the evaluators of the cases. The evaluator then has model, method and data of the first
 * case. Clear by gradyn_case_set_release(), also after a failure. Errors, with a message:
 * GRADYN_UNSUPPORTED, `added` is not NULL, or the objective has several largest functionals;
 * GRADYN_INVALID, options; GRADYN_NO_MEMORY; those of the evaluators. */
gradyn_status gradyn_case_set_create(gradyn_evaluator *ev, const gradyn_added_knots *added,
                                     const gradyn_options *options);
/* Releases the evaluators of the cases; afterwards the evaluator has no model. Only with load.all, once. */
void gradyn_case_set_release(gradyn_evaluator *ev);

/* Returns the share of the option over_cases "cvar", and fills chance [functionals] with the weight of the
 * case of each functional divided by the sum of weights. For other options returns 0, and chance is
 * unchanged. */
double gradyn_case_share(const gradyn_evaluator *ev, double chance[]);

/* Copies the parameters of case k, from 0, to own [its parameters] from those of all cases, rho
 * [parameters]. */
void gradyn_case_select(const gradyn_evaluator *ev, size_t k, const double rho[], double own[]);

/* Returns the parameters of case k, from 0, taken from those of all cases, rho [parameters]. They belong to
 * the evaluator, until the next call for this case. */
const double *gradyn_case_point(gradyn_evaluator *ev, size_t k, const double rho[]);

/* Sets the message of ev to the name of case k, from 0, and the message of the evaluator of this case.
 * Returns status. */
gradyn_status gradyn_case_fail(gradyn_evaluator *ev, size_t k, gradyn_status status);

#endif
