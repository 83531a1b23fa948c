/* Functionals whose values build() gives without a simulation: numbers of a design, such as its mass. */
#ifndef GRADYN_ADJOINT_NUMBERS_H
#define GRADYN_ADJOINT_NUMBERS_H

#include "adjoint/evaluator/evaluator.h"

/* Returns whether build() gives the value of functional f, from 0, f < gradyn_functional_count(). The
 * evaluator must have been created completely. */
bool gradyn_evaluator_is_number(const gradyn_evaluator *ev, size_t f);

/* Calls build() at rho [parameters], and fills psi [functionals]: values that build() gives, and NAN for
 * functionals that need a run. Errors are those of build(), with the evaluator's message; psi is then
 * undefined. */
gradyn_status gradyn_evaluator_numbers(gradyn_evaluator *ev, const double rho[], double psi[]);

/* Returns the range of values of signal i, from 0, at the data of the model, which are those at rho
 * [parameters], and their bounds. ev->by_rho has the directions there. */
gradyn_signal_range gradyn_evaluator_signal_range(const gradyn_evaluator *ev, int i,
                                                  const double rho[]);

#endif
