/* What gradients of a hybrid model have to stand in every scheme that knows events. */
#ifndef GRADYN_TESTS_ADJOINT_HYBRID_CHECKS_H
#define GRADYN_TESTS_ADJOINT_HYBRID_CHECKS_H

#include <gradyn/gradyn.h>

/* Direct against adjoint by all data at rho, fixed-step schemes with so little memory that segments are
 * repeated: idas to 1e-8, the others 1e-10 of the largest derivative of a functional. There must be so many
 * events at least. */
void hybrid_agree(const gradyn_problem *problem, const double *rho, size_t events);

/* The gradient by the parameters against differences of order 8 of whole runs: idas to 1e-6, the others
 * 1e-7. */
void hybrid_differ(const gradyn_problem *problem, const double *rho);

#endif
