/* Constraints that depend on each other, or nearly so: how factors of
 *     [A  J^T]
 *     [J  0  ]
 * tell, with the thresholds of all schemes. Of a singular value s of J the Schur complement has the pivot
 * s^2, and multipliers are 1/s^2 times rates of the constraints. */
#ifndef GRADYN_DAE_DEPENDENT_H
#define GRADYN_DAE_DEPENDENT_H

#include "core/mech/mech.h"
#include "core/linear/saddle.h"
#include "core/linear/schur.h"

/* The largest multiplier for rates of size 1 and of no particular direction, by the present factors of
 * [., J^T; J, 0]; b [n + m] becomes the solution. */
double gradyn_largest_multiplier(const gradyn_mech *mech, gradyn_linsys *system, double *b);

/* The same over its usual size, max|M| / max|J|^2. */
double gradyn_relative_multiplier(const gradyn_mech *mech, gradyn_linsys *system, const double *M,
                                  const double *J, double *b);

/* Whether factors that pivoting on round-off let through are those of dependent constraints. */
bool gradyn_dependent_factors(const gradyn_mech *mech, gradyn_linsys *system, const double *M,
                              const double *J, double *b);
bool gradyn_dependent_schur(const gradyn_schur *schur);
/* The same of the smallest pivot of a Schur complement over the size of its row. */
bool gradyn_dependent_pivot(double pivot);

/* Diagonal in place of 0 with which they are solvable all the same, in sizes of J A^-1 J^T; and as it is, for
 * a first block A [count]. */
extern const double gradyn_tiny_share;
double gradyn_tiny_diagonal(const double *A, int count);

/* Coordinate or constraint that unknown `at` of such a system belongs to; "?" below 0. */
const char *gradyn_unknown_name(const gradyn_mech *mech, int at);

#endif
