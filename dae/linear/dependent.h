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

/* Returns the largest multiplier for rates of size 1 in a generic direction, with the present factors of
 * [., J^T; J, 0]. b [n + m] becomes the solution, here and below. */
double gradyn_largest_multiplier(const gradyn_mech *mech, gradyn_linsys *system, double *b);

/* The same relative to its usual size, max|M| / max|J|^2. */
double gradyn_relative_multiplier(const gradyn_mech *mech, gradyn_linsys *system, const double *M,
                                  const double *J, double *b);

/* Return whether successful factors are those of dependent constraints, where only round-off has given a
 * pivot. */
bool gradyn_dependent_factors(const gradyn_mech *mech, gradyn_linsys *system, const double *M,
                              const double *J, double *b);
bool gradyn_dependent_schur(const gradyn_schur *schur);
/* The same for the smallest pivot of a Schur complement relative to the size of its row. */
bool gradyn_dependent_pivot(double pivot);

/* Diagonal that replaces 0 and makes the system solvable with dependent rows: its size relative to J A^-1
 * J^T; and its value for a first block A [count]. */
extern const double gradyn_tiny_share;
double gradyn_tiny_diagonal(const double *A, int count);

/* Returns the name of the coordinate or constraint of unknown `at`, below n + m; "?" below 0. */
const char *gradyn_unknown_name(const gradyn_mech *mech, int at);

#endif
