/* Candidates for measurements of the fits of a problem, and the information in each. */
#ifndef GRADYN_OPTIM_CANDIDATES_H
#define GRADYN_OPTIM_CANDIDATES_H

#include "adjoint/evaluator/evaluator.h"
#include "core/problems/fit.h"
#include <gradyn/optimise.h>

/* A possible measurement. Its information by the free parameters is a a^T + b b^T. */
typedef struct gradyn_candidate {
  size_t fit;   /* index of its fit among the functionals of the user's evaluator */
  double time;  /* s */
  bool missing; /* it is a datum without a value */
  /* [n] derivatives by steps of one unit: of the measure over its standard deviation, and sqrt(2) times that
   * of ln sigma if sigma is estimated; b NULL: it is not */
  double *a, *b;
} gradyn_candidate;

/* A fit that is no prior. */
typedef struct gradyn_candidate_fit {
  size_t index;        /* among the functionals of the user's evaluator */
  const char *name;    /* in build(); belongs to that evaluator */
  size_t row;          /* of its load case */
  double t_end, delay; /* s */
  bool delayed;        /* a parameter gives the delay */
} gradyn_candidate_fit;

typedef struct gradyn_candidate_set {
  size_t count;
  gradyn_candidate *at; /* [count] in the order of the fits, then of time */
  size_t fits;
  gradyn_candidate_fit *fit; /* [fits] */
  size_t n;                  /* number of free parameters */
  size_t *varied;            /* [n] their indices */
  double *step;              /* [n] change of each by one unit, in its unit */
  double *prior;             /* [n][n] information of the priors */
  bool weighted;             /* all standard deviations are given */
  gradyn_arena arena;
} gradyn_candidate_set;

/* Computes candidates of an evaluator at rho [parameters] by one gradient of a problem whose fits have these
 * times. A term of the objective has its weight as a factor of its information. Clear *out in any case.
 * Errors, with the message of the evaluator: those of gradyn_program_create() and of
 * gradyn_evaluator_gradient(). */
gradyn_status gradyn_candidates_compute(gradyn_evaluator *of, const gradyn_search *search,
                                        const double rho[], const gradyn_candidate_times *times,
                                        gradyn_candidate_set *out);
/* Releases the arrays and sets all members to zero. */
void gradyn_candidate_set_clear(gradyn_candidate_set *set);

#endif
