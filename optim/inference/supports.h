/* Supports of an optimal experiment: times of measurements with weights. */
#ifndef GRADYN_OPTIM_SUPPORTS_H
#define GRADYN_OPTIM_SUPPORTS_H

#include "optim/inference/design.h"
#include "optim/inference/information.h"

/* A time at which a fit is measured. */
typedef struct gradyn_support {
  size_t fit;          /* among the fits of the candidates */
  double t, w;         /* s; weight */
  double lower, upper; /* bounds of t: the first and the last candidate of the fit, s */
  double distance;     /* of candidates near t, s; 0: t stays */
  double h;            /* distance of nodes, s */
} gradyn_support;

/* An experiment in progress. */
typedef struct gradyn_designing {
  gradyn_evaluator *ev; /* of the user, borrowed as the next three */
  const gradyn_search *search;
  const gradyn_experiment_spec *spec;
  const double *rho;
  gradyn_candidate_set data, grid; /* times of data; equally spaced times, empty if not requested */
  const gradyn_candidate_set *from; /* the candidates: one of the two */
  double N;                         /* number of measurements, for the share of priors */
  gradyn_information information;
  gradyn_design all;       /* of the candidates, followed by supports of the pass before */
  gradyn_support *support; /* [count] */
  size_t count;
  gradyn_design design;       /* of the supports, in their order */
  gradyn_candidate_set nodes; /* of the last round of moves */
  gradyn_arena arena, round;  /* round: memory of a round of moves */
  gradyn_experiment *out;
} gradyn_designing;

/* Returns status. For GRADYN_NOT_CONVERGED and GRADYN_NO_MEMORY, which have no message yet, sets that of
 * the evaluator. */
gradyn_status gradyn_designing_fail(gradyn_designing *s, gradyn_status status);

/* From the candidates and N, finds supports and their design, evaluated, and the gap and the undetermined
 * directions of *out. Errors, with a message: GRADYN_INVALID, no candidate determines a parameter;
 * GRADYN_NOT_CONVERGED; GRADYN_NO_MEMORY; those of runs. */
gradyn_status gradyn_supports_find(gradyn_designing *s);

#endif
