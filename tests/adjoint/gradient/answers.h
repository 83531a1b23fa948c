/* Gradients near and away from the initial parameters, and the distance of two of them. */
#ifndef GRADYN_TESTS_ADJOINT_GRADIENT_ANSWERS_H
#define GRADYN_TESTS_ADJOINT_GRADIENT_ANSWERS_H

#include "tests/runs.h"

enum { MOST_PARAMETERS = 64, MOST_FUNCTIONALS = 8, PLACES = 2 };

typedef struct answer {
  size_t functionals, parameters;
  double psi[PLACES][MOST_FUNCTIONALS];
  double gradient[PLACES][MOST_FUNCTIONALS * MOST_PARAMETERS], told[PLACES]; /* their error */
  bool warned[PLACES];                                                       /* of it */
} answer;

/* The first place is that of the initial parameters, at the second errors are judged in proportion. */
void answer_place(const gradyn_evaluator *ev, int which, double rho[]);

/* At both places, the farther one first if `from_afar`. */
void answer_ask(const run_setup *setup, bool from_afar, answer *a);

/* The worst component at place k over the largest one of its functional. */
double answer_error(const answer *a, const answer *exact, int k);

#endif
