/* Oscillators with different masses as load cases, and as copies in one model. */
#ifndef GRADYN_TESTS_OSCILLATORS_H
#define GRADYN_TESTS_OSCILLATORS_H

#include "tests/runs.h"

#include <gradyn/inspect.h>
#include <gradyn/optimise.h>

enum { P = 2, K = 8, F = 3 }; /* parameters; most cases; functionals of each */

extern const char *const oscillator_names[K], *const oscillator_columns[2];
extern const double oscillator_weights[3];
/* three copies in one model; three load cases */
extern const gradyn_problem oscillators_together, oscillators_apart;

/* An evaluator of a problem with fixed steps. */
gradyn_evaluator *oscillators_open(const gradyn_problem *problem, const char *method,
                                   const char *sensitivity, const char *over, long jobs);

#endif
