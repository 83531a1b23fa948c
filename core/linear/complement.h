/* What is left of a symmetric saddle system [M, J^T; J, 0] once M is done with: the small dense matrix
 * S = J M^-1 J^T, positive definite unless rows of J depend on each other; S = L D L^T. */
#ifndef GRADYN_CORE_COMPLEMENT_H
#define GRADYN_CORE_COMPLEMENT_H

#include "core/linear/lanes.h"

/* Factors S [m][m] in place, with share * size added to its diagonal, which solves take out again. Behind
 * S stand sizes [m] that its diagonal would at least have if nothing else were tied, and then what was
 * added. *least: the smallest pivot over the size of its row, *weakest that row. GRADYN_SINGULAR,
 * GRADYN_NON_FINITE: of row *weakest. */
gradyn_status gradyn_complement_factor(int m, double share, double *S, double *least, int *weakest);

/* x = S^-1 x in place, x and work [m]; where rows depend on each other, the shortest one, or with what is
 * open in it over the diagonal that was added. */
void gradyn_complement_solve(int m, const double *S, gradyn_lanes *x, gradyn_lanes *work,
                             bool shortest);

/* Numbers of S and of what stands behind it. */
static inline size_t gradyn_complement_size(int m)
{
  return (size_t)m * (size_t)(m + 1);
}

#endif
