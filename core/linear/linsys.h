/* A square linear system with a fixed sparsity pattern, solved by whatever is fastest for its size:
 * own kernels for small dense systems, LAPACK for the dense middle, KLU for large sparse ones. */
#ifndef GRADYN_CORE_LINSYS_H
#define GRADYN_CORE_LINSYS_H

#include <stdbool.h>

#include "core/base/message.h"
#include "core/linear/lanes.h"
#include "core/linear/pattern.h"

typedef enum gradyn_backend {
  GRADYN_BACKEND_AUTO,
  GRADYN_BACKEND_SMALL,  /* LU with partial pivoting, no library call */
  GRADYN_BACKEND_LAPACK, /* dgetrf, dgetrs */
  GRADYN_BACKEND_KLU     /* one symbolic analysis per pattern; refactorises with a pivoting check */
} gradyn_backend;

typedef struct gradyn_linsys gradyn_linsys;

/* Creates a system; the pattern is copied. diagonal: entries on the diagonal serve as pivots in any order of
 * elimination, as those of M + h^2 K do and those of a saddle matrix do not; sparse factors have fewer
 * entries then. */
gradyn_status gradyn_linsys_create(const gradyn_pattern *pattern, bool diagonal,
                                   gradyn_backend backend, gradyn_linsys **out);
void gradyn_linsys_free(gradyn_linsys *system);
RELEASE(gradyn_linsys)

/* The values to fill before factorising, in the order of the pattern given (row by row). */
double *gradyn_linsys_values(gradyn_linsys *system);

/* Factorises the present values. GRADYN_SINGULAR: see gradyn_linsys_singular_at();
 * GRADYN_NON_FINITE. The values are kept; after a failure there is nothing to solve with. Allocates
 * nothing after the first call since creation or reset, unless KLU meets nearly singular systems or
 * has to choose pivots anew. Results depend on the values and, to round-off, on the pivots KLU has
 * chosen since the last reset. */
gradyn_status gradyn_linsys_factor(gradyn_linsys *system);

/* Forgets the pivots of earlier factorisations: called at the start of each evaluation, it makes
 * results independent of earlier evaluations to the last bit. The factors are gone, too. */
void gradyn_linsys_reset(gradyn_linsys *system);

/* Solves A x = b, or A^T x = b, in place for count right-hand sides, b [count][n]. */
void gradyn_linsys_solve(gradyn_linsys *system, double *b, int count);
void gradyn_linsys_solve_transposed(gradyn_linsys *system, double *b, int count);

/* The same for b [n] in lanes, of which so many columns are in use, up to GRADYN_LANES, or twice that with
 * two lanes to an entry; the others are anything. */
void gradyn_linsys_solve_lanes(gradyn_linsys *system, bool transposed, int columns,
                               gradyn_lanes *b);

/* Sign of the determinant of the matrix that was factorised last, with success: 1 or -1. */
int gradyn_linsys_sign(gradyn_linsys *system);

/* Entries of the factors of that matrix: what solves cost. */
long gradyn_linsys_entries(const gradyn_linsys *system);

/* Tells a failure of a factorisation that says nothing about the equations, such as want of memory. False:
 * they are singular or not finite, which is for the caller to tell. */
bool gradyn_linsys_starved(gradyn_status status, gradyn_message *message);

/* Index of the unknown where the last factorisation broke down, -1 if none did. */
int gradyn_linsys_singular_at(const gradyn_linsys *system);
long gradyn_linsys_factorisations(const gradyn_linsys *system);
gradyn_backend gradyn_linsys_backend(const gradyn_linsys *system);

#endif
