/* Certificates of optimal experiments by closed forms of their sensitivities. */
#ifndef GRADYN_TESTS_CERTIFY_H
#define GRADYN_TESTS_CERTIFY_H

#include "tests/runs.h"
#include <gradyn/inference.h>

enum { CERTIFY_P = 6 }; /* largest number of parameters */

/* Sensitivities of fits in closed form: those of a measurement at t over its standard deviation. */
typedef struct certified {
  int p, fits;
  void (*row)(int fit, double t, double j[]);
  double lower[2], upper[2]; /* [fits] candidates, s */
  double prior[CERTIFY_P];   /* information of priors by one measurement; diagonal */
} certified;

/* Computes an experiment at the initial parameters. */
void certify_compute(gradyn_evaluator *ev, const gradyn_experiment_spec *spec,
                     gradyn_experiment *out);

/* Passes if no measurement at 4001 times of each fit has a gain above the mean gain (1 + 1e-6). By the
 * equivalence theorem no design is then better. The criterion must be that of the supports. first [fits]:
 * index of each fit among the functionals; scales of parameters are 1. */
void certify(const certified *known, const size_t first[], gradyn_experiment_criterion criterion,
             const gradyn_experiment *out);

#endif
