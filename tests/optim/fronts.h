/* Fronts between two functionals with closed forms, and their runs. */
#ifndef GRADYN_TESTS_OPTIM_FRONTS_H
#define GRADYN_TESTS_OPTIM_FRONTS_H

#include "tests/optim/journalled.h"

#include "optim/jobs/pareto.h"

/* Units in which the two functionals of paraboloids() are measured. */
#define FIRST_UNIT 1e3
#define SECOND_UNIT 1e-4

/* Squared distances from two points a and -a, which are 2 apart: on the front, a straight line between
 * them, the distances add up to 2. */
gradyn_status paraboloids(const synthetic *problem, const double x[], double psi[],
                          double gradient[]);
/* Fonseca & Fleming (1995): 1 - exp(-r^2) of the same distances r; its front is concave. */
gradyn_status concave(const synthetic *problem, const double x[], double psi[], double gradient[]);
/* The first falls in waves while the second grows: its front is in pieces. */
gradyn_status waves(const synthetic *problem, const double x[], double psi[], double gradient[]);

/* Options of a run besides the problem. */
typedef struct front_setup {
  synthetic_fn fill;
  size_t n, points;
  double from, to; /* 0, 0: not given */
  const gradyn_workers *workers;
  gradyn_functional_use second; /* what the second functional is besides */
  double factor;                /* of the first functional; 0: 1 */
} front_setup;

/* A front with its journals in that folder, or in one that is removed afterwards; evaluations may be NULL. */
gradyn_status front_run(front_setup s, const char *folder, gradyn_pareto_result *result,
                        long *evaluations);
gradyn_status front_run_once(front_setup s, gradyn_pareto_result *result);

#endif
