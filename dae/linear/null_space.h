/* The null space of a small matrix. */
#ifndef GRADYN_DAE_NULL_SPACE_H
#define GRADYN_DAE_NULL_SPACE_H

#include <gradyn/status.h>

/* P [columns][columns], the orthogonal projector on the null space of A, given by columns: A [columns]
 * [rows], rows >= columns. Rows count relative to their largest entry. *dimension: that of the null
 * space. GRADYN_NO_MEMORY or GRADYN_NOT_CONVERGED on failure. */
gradyn_status gradyn_null_projector(int rows, int columns, const double *A, double *P,
                                    int *dimension);

#endif
