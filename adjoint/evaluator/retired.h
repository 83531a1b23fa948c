/* Functions of an evaluator that were public in version 0.2. <gradyn/compat.h> still declares them. */
#ifndef GRADYN_ADJOINT_RETIRED_H
#define GRADYN_ADJOINT_RETIRED_H

#include <gradyn/evaluate.h>

/* Returns the problem of an evaluator; NULL if the evaluator is NULL. */
GRADYN_API const gradyn_problem *gradyn_evaluator_problem(const gradyn_evaluator *evaluator);

/* Returns the texts of all warnings about the last result, one per line; "" if the evaluator is NULL. The
 * text lives until the next call with the evaluator. */
GRADYN_API const char *gradyn_evaluator_warnings(const gradyn_evaluator *evaluator);
/* Simulates with the given data [data] instead of parameters, for checks of
 * gradyn_evaluator_data_gradient(). Fills psi [functionals]; may be NULL. Errors: those of
 * gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_evaluator_simulate_data(gradyn_evaluator *evaluator,
                                                        const double data[], double psi[]);

#endif
