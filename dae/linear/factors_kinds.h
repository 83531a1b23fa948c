/* The operations of each kind of factors: an entry of the table in factors.c. factors.h explains their
 * arguments; factor() uses s->parts. */
#ifndef GRADYN_DAE_FACTORS_KINDS_H
#define GRADYN_DAE_FACTORS_KINDS_H

#include "dae/linear/factors.h"

typedef struct gradyn_factors_operations {
  gradyn_status (*factor)(gradyn_factors *s);
  void (*solve)(gradyn_factors *s, bool transposed, double *b, int count);
  void (*solve_lanes)(gradyn_factors *s, unsigned what, int columns, const gradyn_lanes *b,
                      gradyn_lanes *x);
  int residual; /* parts of the residual that correct() needs */
  void (*correct)(gradyn_factors *s, const double *a, double *b);
  void (*project)(gradyn_factors *s, const double *start, double *mult, double *change,
                  double *moved);
  bool (*dependent)(gradyn_factors *s);
  bool tells; /* dependent() costs no solve */
} gradyn_factors_operations;

/* Entries of the table for GRADYN_FACTORS_TREE and GRADYN_FACTORS_TREE_SOFTENED, the mechanism's own
 * factors. */

/* factor() of GRADYN_FACTORS_TREE: factorises at s->parts.at. Errors, without a message: GRADYN_SINGULAR,
 * GRADYN_NON_FINITE; failures of the mechanism's functions. */
gradyn_status gradyn_factors_own(gradyn_factors *s);

/* factor() of GRADYN_FACTORS_TREE_SOFTENED: factorises at s->parts.at, with a tiny diagonal. Errors: those
 * of gradyn_factors_own(). */
gradyn_status gradyn_factors_own_softened(gradyn_factors *s);

/* The function solve of the mechanism's own factors: replaces b by S^-1 b, for count right-hand sides b
 * [count][n + m]. The matrix is symmetric: `transposed` has no effect. */
void gradyn_factors_own_solve(gradyn_factors *s, bool transposed, double *b, int count);

/* The function solve_lanes of the mechanism's own factors: sets x [n + m] to S^-1 b for one group with
 * `columns` used lanes. what: flags GRADYN_SOLVE_*. */
void gradyn_factors_own_lanes(gradyn_factors *s, unsigned what, int columns, const gradyn_lanes *b,
                              gradyn_lanes *x);

/* The function correct of the mechanism's own factors: replaces b [n + m] by S^-1 b; a is not read. */
void gradyn_factors_own_correct(gradyn_factors *s, const double *a, double *b);

/* dependent() of the mechanism's own factors: returns whether the smallest pivot of GRADYN_FACTORS_TREE
 * shows dependent constraints; false for the softened kind. */
bool gradyn_factors_own_dependent(gradyn_factors *s);

#endif
