/* Schur complement S = J M^-1 J^T of a symmetric saddle system [M, J^T; J, 0]: a small dense matrix, S = L
 * D L^T. It is positive definite if the rows of J are independent. */
#ifndef GRADYN_CORE_COMPLEMENT_H
#define GRADYN_CORE_COMPLEMENT_H

#include "core/linear/lanes.h"

/* Factorises S [m][m], lower triangle by rows, in place, with share * size_i added to diagonal entry i. An
 * array [m] follows S: on entry lower bounds of size_i, on return the additions. gradyn_complement_solve()
 * corrects their effect.
 *
 * least: the smallest pivot relative to size_i of its row; *weakest: this row. GRADYN_SINGULAR: the pivot of
 * row *weakest is not positive. GRADYN_NON_FINITE: it is not finite. Both without a message. */
gradyn_status gradyn_complement_factor(int m, double share, double *S, double *least, int *weakest);

/* Replaces x [m] by S^-1 x, with S, the result of gradyn_complement_factor(), and work [m]. If rows of J
 * are dependent, S determines only some components of x. `shortest` removes the others; without it they are
 * round-off divided by the addition. */
void gradyn_complement_solve(int m, const double *S, gradyn_lanes *x, gradyn_lanes *work,
                             bool shortest);

/* Returns the number of doubles of S [m][m] and the array [m] that follows it. */
static inline size_t gradyn_complement_size(int m)
{
  return (size_t)m * (size_t)(m + 1);
}

#endif
