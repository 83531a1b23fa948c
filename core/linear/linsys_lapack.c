/* Dense linear systems by LAPACK's dgetrf and dgetrs, for systems too large for linsys_small.c and too full
 * for KLU. Pivots are tested afterwards, as in the other backends. */
#include "core/linear/linsys_backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fortran routines; the last argument of dgetrs is the hidden length of trans. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t trans_length);

typedef struct lapack {
  int n, nnz;
  double *lu;    /* [n][n], by columns */
  int *pivot;    /* [n] */
  int *position; /* [nnz], position of each value in lu */
} lapack;

/* Also frees a partially created backend. */
static void lapack_free(void *impl)
{
  lapack *s = impl;

  if (!s)
    return;
  free(s->lu);
  free(s->pivot);
  free(s->position);
  free(s);
}

static gradyn_status lapack_create(const gradyn_pattern *pattern, bool diagonal, void **impl)
{
  lapack *s = calloc(1, sizeof *s);
  size_t n = (size_t)pattern->rows;

  (void)diagonal; /* a dense matrix has no order to choose */
  *impl = NULL;
  if (!s)
    return GRADYN_NO_MEMORY;
  s->n = pattern->rows;
  s->nnz = pattern->nnz;
  s->lu = calloc(n * n, sizeof *s->lu);
  s->pivot = calloc(n, sizeof *s->pivot);
  s->position = calloc((size_t)s->nnz + 1, sizeof *s->position);
  if (!s->lu || !s->pivot || !s->position) {
    lapack_free(s);
    return GRADYN_NO_MEMORY;
  }
  /* LAPACK stores by columns: entry (i, j) at j n + i */
  for (int i = 0; i < s->n; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++)
      s->position[k] = pattern->col[k] * s->n + i;
  *impl = s;
  return GRADYN_OK;
}

/* Pivot k is a_kk minus these products. */
static gradyn_status judge_pivot(const lapack *s, int k)
{
  const double *lu = s->lu;
  int n = s->n;
  double pivot = fabs(lu[k * n + k]), terms = pivot;

  for (int j = 0; j < k; j++) /* a_kk - sum of l_kj u_jk, j < k */
    terms += fabs(lu[j * n + k] * lu[k * n + j]);
  return gradyn_pivot_judge(pivot, terms);
}

/* P A = L U. */
static gradyn_status lapack_factor(void *impl, const double *values, double norm, int *singular_at)
{
  lapack *s = impl;
  int n = s->n, info = 0;

  /* removes fill-in of the last factors */
  memset(s->lu, 0, (size_t)n * (size_t)n * sizeof *s->lu);
  for (int k = 0; k < s->nnz; k++)
    s->lu[s->position[k]] = values[k];
  dgetrf_(&n, &n, s->lu, &n, s->pivot, &info);
  if (info < 0)
    return GRADYN_INTERNAL;

  /* info > 0 reports only exactly zero pivots; this loop also detects round-off */
  for (int k = 0; k < n; k++) {
    if (fabs(s->lu[k * n + k]) > GRADYN_PIVOT_SUSPECT * norm)
      continue;
    gradyn_status status = judge_pivot(s, k);
    if (status) {
      *singular_at = k;
      return status;
    }
  }
  return GRADYN_OK;
}

/* det P det U; LAPACK counts rows from 1. */
static int lapack_sign(void *impl)
{
  const lapack *s = impl;
  int sign = 1;

  for (int k = 0; k < s->n; k++)
    if ((s->pivot[k] != k + 1) != (s->lu[k * s->n + k] < 0))
      sign = -sign;
  return sign;
}

/* Solves with the present factors. */
static void solve_with(lapack *s, char trans, double *b, int count)
{
  int info = 0; /* dgetrs reports only invalid arguments */

  /* leading dimensions are n; 1 is the length of 'N' or 'T' */
  dgetrs_(&trans, &s->n, &count, s->lu, &s->n, s->pivot, b, &s->n, &info, 1);
}

static void lapack_solve(void *impl, double *b, int count)
{
  solve_with(impl, 'N', b, count);
}

static void lapack_solve_transposed(void *impl, double *b, int count)
{
  solve_with(impl, 'T', b, count);
}

const gradyn_linsys_ops gradyn_linsys_lapack_ops = {
    .name = "lapack",
    .create = lapack_create,
    .factor = lapack_factor,
    .sign = lapack_sign,
    .solve = lapack_solve,
    .solve_transposed = lapack_solve_transposed,
    .free = lapack_free,
};
