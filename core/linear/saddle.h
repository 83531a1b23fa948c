/* The saddle matrix [A, J1^T; J2, D] of constrained dynamics. A has the pattern of the model's n x n
 * matrices, J1 and J2 that of the constraint Jacobian, and D is diagonal. */
#ifndef GRADYN_CORE_SADDLE_H
#define GRADYN_CORE_SADDLE_H

#include <stdbool.h>

#include "core/linear/arena.h"
#include "core/linear/linsys.h"

typedef struct gradyn_saddle {
  int n, m;
  gradyn_linsys *system; /* unknowns: [n] accelerations or similar, [m] multipliers */
  double *values;        /* values of the system, filled through the maps below */
  int *dyn;              /* [nnz of A], position of each entry of A in values */
  int *upper;            /* [nnz of J], position of entry (i, j) of J1 at (j, n + i) */
  int *lower;            /* [nnz of J], position of entry (i, j) of J2 at (n + i, j) */
  int *diagonal;         /* [m], positions of D */
  int dyn_nnz, jac_nnz;  /* jac_nnz: entries of the first m rows */
  gradyn_arena arena;    /* owner of the maps */
} gradyn_saddle;

/* Creates the matrix for the pattern dyn of A and the first m rows of the Jacobian's pattern jac; both are
 * only read. part [dyn->nnz]: true for entries of dyn that A can have, including the whole diagonal; part
 * NULL: all. Clear *out later. Errors: GRADYN_INVALID, unknown backend; GRADYN_NO_MEMORY. *out is then
 * empty. */
gradyn_status gradyn_saddle_create(const gradyn_pattern *dyn, const bool *part,
                                   const gradyn_pattern *jac, int m, gradyn_backend backend,
                                   gradyn_saddle *out);

/* Creates the maps and the pattern of the whole matrix, without a system; with dyn, part, jac and m of
 * gradyn_saddle_create(). The caller clears *out and *pattern, also after a failure. Errors:
 * GRADYN_INVALID, GRADYN_NO_MEMORY. */
gradyn_status gradyn_saddle_lay_out(const gradyn_pattern *dyn, const bool *part,
                                    const gradyn_pattern *jac, int m, gradyn_saddle *out,
                                    gradyn_pattern *pattern);

/* Frees the members, not the object; NULL: no effect. May be repeated. */
void gradyn_saddle_clear(gradyn_saddle *saddle);

/* Fills values, copied: A [dyn_nnz] in the order of dyn, J1 (upper) and J2 (lower) [jac_nnz] in that of jac.
 * Also sets d on the diagonal of the lower right block. The caller then factorises the system. */
void gradyn_saddle_fill(gradyn_saddle *saddle, const double *A, const double *upper,
                        const double *lower, double d);

/* Sets diagonal entry i of the lower right block to -share size[i]^2; size [m]. */
void gradyn_saddle_soften(gradyn_saddle *saddle, double share, const double *size);

#endif
