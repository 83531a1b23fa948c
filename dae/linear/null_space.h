/* Null space of a small matrix. */
#ifndef GRADYN_DAE_NULL_SPACE_H
#define GRADYN_DAE_NULL_SPACE_H

#include <gradyn/base.h>

/* Computes P [columns][columns], the orthogonal projector onto the null space of the matrix A, and
 * *dimension, the dimension of this space. A has rows >= columns; entry (i, j) is A[j rows + i]. Rows
 * of a copy of A are first divided by their largest entries. Errors, without a message: GRADYN_NO_MEMORY,
 * GRADYN_NOT_CONVERGED. */
gradyn_status gradyn_null_projector(int rows, int columns, const double *A, double *P,
                                    int *dimension);

#endif
