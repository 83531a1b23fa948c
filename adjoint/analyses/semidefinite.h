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

/* Computes G [count][count] with matrix = G G^T; only its first *rank columns are used, and G has the row
 * length count. Roots of the eigenvalues of the correlations give G, so that units have no effect. Errors:
 * GRADYN_INVALID, the matrix is not finite, symmetric and positive semidefinite, and the message names an
 * entry or the eigenvalue; GRADYN_NOT_CONVERGED, the eigenvalues were not found; GRADYN_NO_MEMORY. *rank is
 * 0 after a failure, and for count 0. */
gradyn_status gradyn_semidefinite_root(const gradyn_semidefinite *s, gradyn_message *message,
                                       double *G, int *rank);

#endif
