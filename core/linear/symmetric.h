/* Eigenvalues and eigenvectors of small symmetric matrices. */
#ifndef GRADYN_CORE_SYMMETRIC_H
#define GRADYN_CORE_SYMMETRIC_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers of the working array for n rows. */
#define GRADYN_SYMMETRIC_WORK(n) (3 * (n) + 1)

/* Replaces the symmetric A [n][n] by its eigenvectors: A[k n + i] is component i of the vector of
 * value[k]. The values [n] ascend. work [GRADYN_SYMMETRIC_WORK(n)]. Returns false if the iteration does
 * not converge. n may be 0. */
bool gradyn_symmetric_eigen(size_t n, double A[], double value[], double work[]);

#endif
