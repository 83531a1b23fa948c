/* Linear systems: choice of the backend, and shared parts of all backends.
 *
 * Small and dense systems use own kernels, large sparse ones KLU. The choice is made once, by size and
 * fill. Both backends define singular in the same way: a pivot that is only round-off of the terms of its
 * computation. */
#include "core/linear/linsys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/linsys_backend.h"

struct gradyn_linsys {
  const gradyn_linsys_ops *ops;
  void *impl;
  gradyn_backend backend;
  gradyn_pattern pattern; /* a copy */
  double *values;         /* [nnz + 1], the last one is workspace of callers */
  double *columns;        /* [2 GRADYN_LANES][n], columns for backends without lanes */
  gradyn_lanes *packs;    /* [2][n], lanes for backends without them */
  int singular_at;
  long factorisations;
};

/* The functions of a backend. */
static const gradyn_linsys_ops *ops_of(gradyn_backend backend)
{
  switch (backend) {
  case GRADYN_BACKEND_DENSE:
    return &gradyn_linsys_dense_ops;
  case GRADYN_BACKEND_KLU:
    return &gradyn_linsys_klu_ops;
  case GRADYN_BACKEND_AUTO:
    break;
  }
  return NULL;
}

/* Measured for one factorisation and two solves, on chains of rods (nnz about 7 n): KLU becomes faster than
 * the own kernels at n = 34. A fifth of the entries is then present.
 *
 * LAPACK is not used: against its reference version, the own kernels take 0.30 of the time at n = 200 and
 * 0.36 at n = 800. Against OpenBLAS 0.3.21, they take 0.85 at n = 100, 1.06 at n = 200, 1.9 at n = 800. */
static gradyn_backend choose(const gradyn_pattern *pattern)
{
  double n = pattern->rows;

  /* fewer than 32 rows count as small, whatever the fill */
  if (n >= 32 && pattern->nnz <= (n <= 100 ? 0.2 : 0.3) * n * n)
    return GRADYN_BACKEND_KLU;
  return GRADYN_BACKEND_DENSE;
}

/* Copies a pattern, because the caller may free its own. */
static gradyn_status copy_pattern(const gradyn_pattern *from, gradyn_pattern *to)
{
  /* sizes first; then the arrays are replaced by copies */
  *to = *from;
  to->start = calloc((size_t)from->rows + 1, sizeof *to->start);
  to->col = calloc((size_t)from->nnz + 1, sizeof *to->col);
  if (!to->start || !to->col)
    return GRADYN_NO_MEMORY;
  memcpy(to->start, from->start, ((size_t)from->rows + 1) * sizeof *to->start);
  if (from->nnz)
    memcpy(to->col, from->col, (size_t)from->nnz * sizeof *to->col);
  return GRADYN_OK;
}

gradyn_status gradyn_linsys_create(const gradyn_pattern *pattern, bool diagonal,
                                   gradyn_backend backend, gradyn_linsys **out)
{
  gradyn_status status = GRADYN_NO_MEMORY;

  *out = NULL;
  /* square; without rows if the model cannot move */
  if (pattern->rows != pattern->cols || pattern->rows < 0)
    return GRADYN_INVALID;
  if (backend == GRADYN_BACKEND_AUTO)
    backend = choose(pattern);
  const gradyn_linsys_ops *ops = ops_of(backend);
  if (!ops)
    return GRADYN_INVALID;

  gradyn_linsys *system = calloc(1, sizeof *system);
  if (!system)
    return status;
  system->ops = ops;
  system->backend = backend;
  system->singular_at = -1;
  system->values = calloc((size_t)pattern->nnz + 1, sizeof *system->values);
  if (!ops->solve_lanes) {
    system->columns = calloc(2 * GRADYN_LANES * (size_t)pattern->rows + 1, sizeof(double));
    system->packs = gradyn_lanes_create(2 * (size_t)pattern->rows);
  }
  if (!system->values || (!ops->solve_lanes && (!system->columns || !system->packs)))
    goto failed;
  status = copy_pattern(pattern, &system->pattern);
  if (status)
    goto failed;
  /* the backend borrows the copy of the pattern */
  status = ops->create(&system->pattern, diagonal, &system->impl);
  if (status)
    goto failed;
  *out = system;
  return GRADYN_OK;

failed:
  gradyn_linsys_free(system);
  return status;
}

void gradyn_linsys_free(gradyn_linsys *system)
{
  if (!system)
    return;
  system->ops->free(system->impl);
  gradyn_pattern_clear(&system->pattern);
  free(system->values);
  free(system->columns);
  free(system->packs);
  free(system);
}

double *gradyn_linsys_values(gradyn_linsys *system)
{
  return system->values;
}

/* Sum of magnitudes; infinite or NaN if a value is not finite. */
static double sum_of_magnitudes(const double *values, int count)
{
  double a = 0, b = 0, c = 0, d = 0;
  int k = 0;

  /* four independent sums can run in parallel; their order is fixed, so the result has fixed bits */
  for (; k + 4 <= count; k += 4) {
    a += fabs(values[k]);
    b += fabs(values[k + 1]);
    c += fabs(values[k + 2]);
    d += fabs(values[k + 3]);
  }
  for (; k < count; k++)
    a += fabs(values[k]);
  return (a + b) + (c + d);
}

/* Factorises the matrix. One pass over the values detects non-finite numbers and gives the norm for the
 * pivot test. */
gradyn_status gradyn_linsys_factor(gradyn_linsys *system)
{
  double norm = sum_of_magnitudes(system->values, system->pattern.nnz);

  system->singular_at = -1;
  system->factorisations++;
  /* backends may rely on finite values */
  if (!isfinite(norm))
    return GRADYN_NON_FINITE;
  return system->ops->factor(system->impl, system->values, norm, &system->singular_at);
}

void gradyn_linsys_reset(gradyn_linsys *system)
{
  if (system->ops->reset) /* backends without stored pivots have no reset */
    system->ops->reset(system->impl);
}

void gradyn_linsys_solve(gradyn_linsys *system, double *b, int count)
{
  system->ops->solve(system->impl, b, count);
}

void gradyn_linsys_solve_transposed(gradyn_linsys *system, double *b, int count)
{
  system->ops->solve_transposed(system->impl, b, count);
}

/* Solves for lanes by a backend that takes columns. */
static void solve_by_columns(gradyn_linsys *system, bool transposed, int columns, gradyn_lanes *b)
{
  const int n = system->pattern.rows;
  gradyn_lanes *packs = columns > GRADYN_LANES ? system->packs : b;
  if (packs != b)
    gradyn_lanes_split(n, b, packs, packs + n);
  for (int k = 0; k < columns; k += GRADYN_LANES)
    gradyn_lanes_store(n, columns - k < GRADYN_LANES ? columns - k : GRADYN_LANES,
                       packs + k / GRADYN_LANES * n, system->columns + k * n, n);
  (transposed ? system->ops->solve_transposed : system->ops->solve)(system->impl, system->columns,
                                                                    columns);
  for (int k = 0; k < columns; k += GRADYN_LANES)
    gradyn_lanes_load(n, columns - k < GRADYN_LANES ? columns - k : GRADYN_LANES,
                      system->columns + k * n, n, packs + k / GRADYN_LANES * n);
  if (packs != b)
    gradyn_lanes_join(n, packs, packs + n, b);
}

void gradyn_linsys_solve_lanes(gradyn_linsys *system, bool transposed, int columns, gradyn_lanes *b)
{
  if (system->ops->solve_lanes)
    system->ops->solve_lanes(system->impl, transposed, (int)gradyn_lanes_groups(columns), b);
  else
    solve_by_columns(system, transposed, columns, b);
}

int gradyn_linsys_sign(gradyn_linsys *system)
{
  return system->ops->sign(system->impl);
}

long gradyn_linsys_entries(const gradyn_linsys *system)
{
  const long n = system->pattern.rows;
  return system->ops->entries ? system->ops->entries(system->impl) : n * n;
}

bool gradyn_linsys_solver_failed(gradyn_status status, gradyn_message *message)
{
  if (status == GRADYN_OK || status == GRADYN_SINGULAR || status == GRADYN_NON_FINITE)
    return false;
  gradyn_fail(message, status,
              status == GRADYN_NO_MEMORY ? "out of memory to factorise the equations"
                                         : "the equations could not be factorised");
  return true;
}

int gradyn_linsys_singular_at(const gradyn_linsys *system)
{
  return system->singular_at;
}

long gradyn_linsys_factorisations(const gradyn_linsys *system)
{
  return system->factorisations;
}

gradyn_backend gradyn_linsys_backend(const gradyn_linsys *system)
{
  return system->backend;
}
