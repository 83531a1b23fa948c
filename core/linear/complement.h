/* Schur complement S = J M^-1 J^T of a symmetric saddle system [M, J^T; J, 0]: a small dense matrix, S = L
 * D L^T. It is positive definite if the rows of J are independent. */
#ifndef GRADYN_CORE_COMPLEMENT_H
#define GRADYN_CORE_COMPLEMENT_H

#include "core/linear/lanes.h"

/* Factorises S [m][m] in place, with share * size added to the diagonal; solves correct this addition.
 * sizes [m] follow S: lower bounds of its diagonal. They are replaced by the additions.
 *
 * *least: the smallest pivot relative to the size of its row; *weakest: this row. GRADYN_SINGULAR,
 * GRADYN_NON_FINITE: in row *weakest. */
gradyn_status gradyn_complement_factor(int m, double share, double *S, double *least, int *weakest);

/* x = S^-1 x in place; x and work [m]. If rows are dependent, undetermined components are removed if
 * `shortest`; otherwise they are round-off over the addition. */
void gradyn_complement_solve(int m, const double *S, gradyn_lanes *x, gradyn_lanes *work,
                             bool shortest);

/* Count of numbers of S and the array that follows it. */
static inline size_t gradyn_complement_size(int m)
{
  return (size_t)m * (size_t)(m + 1);
}

#endif
