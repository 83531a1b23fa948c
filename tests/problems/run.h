/* Common parts of the tests of whole problems: direct and adjoint gradients, searches. */
#ifndef GRADYN_TESTS_PROBLEMS_RUN_H
#define GRADYN_TESTS_PROBLEMS_RUN_H

#include "tests/runs.h"

/* Index of a functional; the test fails if there is none of that name. */
size_t run_functional(const gradyn_evaluator *evaluator, const char *name);

/* Functionals and gradient [functionals][parameters] at rho, or the initial values if it is NULL.
 * Returns their number; psi may be NULL. */
size_t run_gradient(const run_setup *setup, const double rho[], double psi[], double gradient[]);

/* Compares direct and adjoint gradients at rho: every entry to rtol of the largest one of its row.
 * They must not be the same numbers either. */
void run_compare_methods(const run_setup *setup, const double rho[], double rtol);

/* Optimises from rho, or from the initial values if it is NULL, until the projected gradient is
 * below `optimality` or objective and parameters change by less than `change` (0: off). The test
 * fails unless the search succeeds. */
void run_optimise(const run_setup *setup, const double rho[], double optimality, double change,
                  gradyn_search_result *result);

#endif
