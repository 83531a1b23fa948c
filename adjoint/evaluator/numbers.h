/* What build() tells of a design, and of itself, without a simulation. */
#ifndef GRADYN_ADJOINT_NUMBERS_H
#define GRADYN_ADJOINT_NUMBERS_H

#include "adjoint/evaluator/evaluator.h"

/* Whether functional f is a number of build(). */
bool gradyn_evaluator_is_number(const gradyn_evaluator *ev, size_t f);

/* Runs build() at rho [parameters] and fills those psi [functionals] that are numbers of it; the
 * others become NAN. */
gradyn_status gradyn_evaluator_numbers(gradyn_evaluator *ev, const double rho[], double psi[]);

#endif
