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

/* Finds a basis N [n][dimension] of the range of an orthogonal projector Q [n][n] with this dimension, whose
 * entries at `chosen` [dimension] are those of a unit matrix. The first dimension entries of `chosen` [n] are
 * results; N needs 3 n^2 numbers, and the others are workspace. Errors, without a message:
 * GRADYN_SINGULAR, GRADYN_NO_MEMORY. */
gradyn_status gradyn_projector_basis(int n, const double *Q, int dimension, int *chosen, double *N);

#endif
