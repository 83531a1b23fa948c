/* Tests of the residuals of one fit. */
#ifndef GRADYN_OPTIM_RESIDUAL_TESTS_H
#define GRADYN_OPTIM_RESIDUAL_TESTS_H

#include <gradyn/inference.h>
#include <gradyn/inspect.h>

/* Fills *out for fit `fit`, an index from 0 among functionals [count]; u [count]: residuals in standard
 * deviations. Residuals of a fit are in the order of their times. */
void gradyn_residuals_test(const gradyn_functional_info functionals[], size_t count, size_t fit,
                           const double u[], gradyn_residual_tests *out);

#endif
