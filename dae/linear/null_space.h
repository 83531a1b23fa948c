/* Null space of a small matrix. */
#ifndef GRADYN_DAE_NULL_SPACE_H
#define GRADYN_DAE_NULL_SPACE_H

#include <gradyn/base.h>

/* Computes P [columns][columns], the orthogonal projector onto the null space of A [columns][rows], stored by
 * columns, rows >= columns. Rows are scaled by their largest entry. *dimension: dimension of the null space.
 * Errors: GRADYN_NO_MEMORY, GRADYN_NOT_CONVERGED. */
gradyn_status gradyn_null_projector(int rows, int columns, const double *A, double *P,
                                    int *dimension);

#endif
