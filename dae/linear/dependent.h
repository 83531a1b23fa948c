/* Detection of constraints that depend on each other, or nearly so, from factors of
 *
 *   [A  J^T]
 *   [J  0  ].
 *
 * The thresholds are common to all schemes. A singular value s of J gives a pivot s^2 of the Schur
 * complement; multipliers are 1/s^2 times rates of the constraints. */
#ifndef GRADYN_DAE_DEPENDENT_H
#define GRADYN_DAE_DEPENDENT_H

#include "core/mech/mech.h"
#include "core/linear/saddle.h"
#include "core/linear/schur.h"

/* Returns the largest magnitude of a multiplier in the solution for a right-hand side (0; g), where g [m]
 * has entries from -1 to 1 and no special direction. system: factors of [., J^T; J, 0]. b [n + m] receives
 * the solution. */
double gradyn_largest_multiplier(const gradyn_mech *mech, gradyn_linsys *system, double *b);

/* Returns gradyn_largest_multiplier() of the factors `system` relative to its usual size, max|M| /
 * max|J|^2. M [dyn.nnz], J [jac.nnz]: the matrices of the factors; b [n + m] is overwritten. */
double gradyn_relative_multiplier(const gradyn_mech *mech, gradyn_linsys *system, const double *M,
                                  const double *J, double *b);

/* Returns whether the successful factorisation `system` of the matrices M [dyn.nnz] and J [jac.nnz] is that
 * of dependent constraints, whose pivot is only round-off: gradyn_relative_multiplier() is at least 1e9, or
 * not a number. b [n + m] is overwritten. */
bool gradyn_dependent_factors(const gradyn_mech *mech, gradyn_linsys *system, const double *M,
                              const double *J, double *b);

/* Returns whether the smallest pivot of a Schur complement shows dependent constraints. */
bool gradyn_dependent_schur(const gradyn_schur *schur);

/* Returns whether a pivot, relative to the size of its row, shows dependent constraints: below 1e-9. */
bool gradyn_dependent_pivot(double pivot);

/* Size, relative to J A^-1 J^T, of a tiny diagonal that makes the system solvable if rows are dependent. */
extern const double gradyn_tiny_share;

/* Returns the value of a tiny diagonal for a first block with values A [count] and rows J of size 1:
 * gradyn_tiny_share over the largest |A|. */
double gradyn_tiny_diagonal(const double *A, int count);

/* Returns the name of the coordinate or constraint of unknown `at`, from 0, below n + m; "?" below 0. The
 * mechanism owns the name. */
const char *gradyn_unknown_name(const gradyn_mech *mech, int at);

#endif
