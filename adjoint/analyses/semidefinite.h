/* Symmetric positive semidefinite matrices that users give under names, and their square roots. */
#ifndef GRADYN_ADJOINT_SEMIDEFINITE_H
#define GRADYN_ADJOINT_SEMIDEFINITE_H

#include "core/base/message.h"

typedef struct gradyn_semidefinite {
  const char *what;        /* "covariance", "weight": for messages */
  const char *const *name; /* [count] */
  int count;
  const double *matrix; /* [count][count] */
} gradyn_semidefinite;

/* Finds G [count][count] with matrix = G G^T, of which the first *rank columns are not zero, from the
 * eigenvalues of its correlations, so that units do not count. GRADYN_INVALID: it is not finite,
 * symmetric and positive semidefinite, which the message tells. */
gradyn_status gradyn_semidefinite_root(const gradyn_semidefinite *s, gradyn_message *message,
                                       double *G, int *rank);

#endif
