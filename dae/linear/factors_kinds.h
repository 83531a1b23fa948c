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

/* Entries of the table for the mechanism's own factors: factor() of GRADYN_FACTORS_TREE and of
 * GRADYN_FACTORS_TREE_SOFTENED, then solve(), solve_lanes(), correct() and dependent() of both. */
gradyn_status gradyn_factors_own(gradyn_factors *s);
gradyn_status gradyn_factors_own_softened(gradyn_factors *s);
void gradyn_factors_own_solve(gradyn_factors *s, bool transposed, double *b, int count);
void gradyn_factors_own_lanes(gradyn_factors *s, unsigned what, int columns, const gradyn_lanes *b,
                              gradyn_lanes *x);
void gradyn_factors_own_correct(gradyn_factors *s, const double *a, double *b);
bool gradyn_factors_own_dependent(gradyn_factors *s);

#endif
