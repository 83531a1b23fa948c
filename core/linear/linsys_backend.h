/* Functions of a backend for linear systems, and the test for zero pivots. */
#ifndef GRADYN_CORE_LINSYS_BACKEND_H
#define GRADYN_CORE_LINSYS_BACKEND_H

#include <math.h>

#include "core/linear/lanes.h"
#include "core/linear/linsys.h"

/* A pivot u_kk = a_kk - sum_j l_kj u_jk counts as zero if it does not exceed this times the sum of its
 * terms' magnitudes. It is then round-off. Scaling of rows or columns does not change this ratio, so
 * regular but badly scaled systems pass. */
#define GRADYN_PIVOT_TOLERANCE 5e-14

/* Pivots above this times the sum of all entries' magnitudes are not tested. */
#define GRADYN_PIVOT_SUSPECT 1e-8

/* Tests a pivot against `terms`, the sum of its terms' magnitudes. GRADYN_SINGULAR: it counts as zero.
 * GRADYN_NON_FINITE: terms is not finite. */
static inline gradyn_status gradyn_pivot_judge(double pivot, double terms)
{
  if (!isfinite(terms))
    return GRADYN_NON_FINITE;
  return fabs(pivot) <= GRADYN_PIVOT_TOLERANCE * terms ? GRADYN_SINGULAR : GRADYN_OK;
}

typedef struct gradyn_linsys_ops {
  const char *name;
  /* Allocates all memory. The pattern is square and outlives the backend. diagonal: see
   * gradyn_linsys_create(). GRADYN_NO_MEMORY. */
  gradyn_status (*create)(const gradyn_pattern *pattern, bool diagonal, void **impl);
  /* Factorises values [nnz], all finite; norm is the sum of their magnitudes. GRADYN_SINGULAR: *singular_at
   * is the unknown whose column depends on others. */
  gradyn_status (*factor)(void *impl, const double *values, double norm, int *singular_at);
  /* Sign of the determinant of the factorised matrix: 1 or -1. */
  int (*sign)(void *impl);
  /* Number of entries of the factors; NULL: n^2. */
  long (*entries)(void *impl);
  /* A x = b, A^T x = b in place for b [count][n], row by row. */
  void (*solve)(void *impl, double *b, int count);
  void (*solve_transposed)(void *impl, double *b, int count);
  /* Solves in place for b [n] with 1 or 2 lanes per entry; NULL: columns only. */
  void (*solve_lanes)(void *impl, bool transposed, int lanes, gradyn_lanes *b);
  /* Discards data of earlier factorisations; NULL: there are none. */
  void (*reset)(void *impl);
  void (*free)(void *impl); /* accepts NULL */
} gradyn_linsys_ops;

extern const gradyn_linsys_ops gradyn_linsys_dense_ops;
extern const gradyn_linsys_ops gradyn_linsys_klu_ops;

#endif
