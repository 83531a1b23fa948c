/* Symmetric positive semidefinite matrices given by users, with names of rows, and their square roots. */
#ifndef GRADYN_ADJOINT_SEMIDEFINITE_H
#define GRADYN_ADJOINT_SEMIDEFINITE_H

#include "core/base/message.h"

typedef struct gradyn_semidefinite {
  const char *what;        /* "covariance", "weight": for messages */
  const char *const *name; /* [count] */
  int count;
  const double *matrix; /* [count][count] */
} gradyn_semidefinite;

/* Finds G [count][count] with matrix = G G^T and its first *rank columns nonzero, from the eigenvalues of
 * the correlations, so independent of units. Errors: GRADYN_INVALID, the matrix is not finite, symmetric
 * and positive semidefinite, and the message names an entry or the eigenvalue; GRADYN_NOT_CONVERGED, no
 * eigenvalues; GRADYN_NO_MEMORY. *rank is 0 then, and if count is 0. */
gradyn_status gradyn_semidefinite_root(const gradyn_semidefinite *s, gradyn_message *message,
                                       double *G, int *rank);

#endif
