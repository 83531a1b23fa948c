/* Properties of a design that build() gives without a simulation. */
#ifndef GRADYN_ADJOINT_NUMBERS_H
#define GRADYN_ADJOINT_NUMBERS_H

#include "adjoint/evaluator/evaluator.h"

/* Returns whether functional f, below their number, is a number of build(). */
bool gradyn_evaluator_is_number(const gradyn_evaluator *ev, size_t f);

/* Runs build() at rho [parameters] and sets those psi [functionals] that are its numbers; the others become
 * NAN. Errors are those of build(), with a message. */
gradyn_status gradyn_evaluator_numbers(gradyn_evaluator *ev, const double rho[], double psi[]);

#endif
