/* A square linear system with a fixed sparsity pattern, solved by the faster backend: own kernels for
 * small and dense systems, KLU for large sparse ones. */
#ifndef GRADYN_CORE_LINSYS_H
#define GRADYN_CORE_LINSYS_H

#include <stdbool.h>

#include "core/base/message.h"
#include "core/linear/lanes.h"
#include "core/linear/pattern.h"

typedef enum gradyn_backend {
  GRADYN_BACKEND_AUTO,
  GRADYN_BACKEND_DENSE, /* LU with partial pivoting, without library calls */
  /* one symbolic analysis per pattern; refactorisation with a check of the pivots */
  GRADYN_BACKEND_KLU
} gradyn_backend;

typedef struct gradyn_linsys gradyn_linsys;

/* Creates a system, which gradyn_linsys_free() frees; the pattern is copied and may have no rows. diagonal:
 * diagonal entries can be pivots in any order of elimination. This holds for M + h^2 K but not for a saddle
 * matrix, and makes factors sparser. GRADYN_INVALID: not square, or an unknown backend; GRADYN_NO_MEMORY.
 * *out is then NULL. */
gradyn_status gradyn_linsys_create(const gradyn_pattern *pattern, bool diagonal,
                                   gradyn_backend backend, gradyn_linsys **out);

/* Frees the system and all it owns; NULL: no effect. */
void gradyn_linsys_free(gradyn_linsys *system);
RELEASE(gradyn_linsys)

/* Returns the array of values [nnz + 1], owned by the system; the last one is workspace. The caller fills it
 * before factor(), in the order of the pattern, row by row. */
double *gradyn_linsys_values(gradyn_linsys *system);

/* Factorises the present values, which are not changed. GRADYN_SINGULAR: see gradyn_linsys_singular_at().
 * GRADYN_NON_FINITE. Other failures: see gradyn_linsys_solver_failed(). After a failure no solve is possible.
 *
 * After the first call since creation or reset, no memory is allocated. Exceptions are nearly singular
 * systems and a new choice of pivots in KLU. Results depend on the values and, within round-off, on the
 * pivots that KLU has chosen since the last reset. */
gradyn_status gradyn_linsys_factor(gradyn_linsys *system);

/* Discards the factors and the pivots of earlier factorisations; factor() must follow before any solve.
 * Called at the start of each evaluation, it makes results independent of earlier evaluations to the last
 * bit. */
void gradyn_linsys_reset(gradyn_linsys *system);

/* Solves A x = b in place, for `count` right-hand sides b [count][n], after a successful factor(). */
void gradyn_linsys_solve(gradyn_linsys *system, double *b, int count);

/* Solves A^T x = b in place, for `count` right-hand sides b [count][n], after a successful factor(). */
void gradyn_linsys_solve_transposed(gradyn_linsys *system, double *b, int count);

/* Solves A x = b, or A^T x = b if transposed, in place for `columns` right-hand sides in lanes, after a
 * successful factor(). Up to GRADYN_LANES columns: b [n], one lane per entry. Up to twice as many: b
 * [n][2], two lanes per entry. Unused columns may have any values. */
void gradyn_linsys_solve_lanes(gradyn_linsys *system, bool transposed, int columns,
                               gradyn_lanes *b);

/* Returns the sign of the determinant of the factorised matrix, 1 or -1, after a successful factor(). */
int gradyn_linsys_sign(gradyn_linsys *system);

/* Returns the number of entries of the last factors, which determines the cost of a solve. Dense: n^2. */
long gradyn_linsys_entries(const gradyn_linsys *system);

/* Returns whether a status of factor() is a failure of the solver, such as exhausted memory; its message is
 * then written. False for GRADYN_OK, GRADYN_SINGULAR and GRADYN_NON_FINITE, which the caller handles. */
bool gradyn_linsys_solver_failed(gradyn_status status, gradyn_message *message);

/* Returns the index, from 0, of the unknown at which the last factorisation failed; -1: it did not fail, or
 * not at an unknown. */
int gradyn_linsys_singular_at(const gradyn_linsys *system);
/* Returns the number of calls of factor() since creation, failed ones included. */
long gradyn_linsys_factorisations(const gradyn_linsys *system);

/* Returns the backend in use; never GRADYN_BACKEND_AUTO. */
gradyn_backend gradyn_linsys_backend(const gradyn_linsys *system);

#endif
