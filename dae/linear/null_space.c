/* Null space of a matrix by singular value decomposition. */
#include "dae/linear/null_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fortran; the last two arguments are the hidden lengths of the job names. */
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t jobu_length, size_t jobvt_length);

void dgesv_(const int *n, const int *columns, double *A, const int *lda, int *pivots, double *b,
            const int *ldb, int *info);

/* Singular values below this part of the largest are zero. */
static const double negligible = 1e-12;

/* Computes B = A with each row divided by its largest entry. */
static void scale_rows(int rows, int columns, const double *A, double *B)
{
  for (int k = 0; k < rows; k++) {
    double most = 0;
    for (int i = 0; i < columns; i++)
      most = fmax(most, fabs(A[i * rows + k]));
    for (int i = 0; i < columns; i++)
      B[i * rows + k] = most > 0 ? A[i * rows + k] / most : 0;
  }
}

/* Computes P = sum of v v^T over the right singular vectors v with zero singular values. Returns their
 * number. */
static int project(int n, const double *sigma, const double *vt, double *P)
{
  int dimension = 0;
  memset(P, 0, (size_t)(n * n) * sizeof(double));
  for (int k = 0; k < n; k++) {
    /* v is not in the null space */
    if (sigma[k] > negligible * sigma[0])
      continue;
    dimension++;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        P[i * n + j] += vt[i * n + k] * vt[j * n + k];
  }
  return dimension;
}

gradyn_status gradyn_null_projector(int rows, int columns, const double *A, double *P,
                                    int *dimension)
{
  *dimension = 0;
  if (columns == 0)
    return GRADYN_OK;
  /* dgesvd needs workspace of at least 3 min + max and 5 min */
  int n = columns, work_size = 5 * rows + 3 * n, one = 1, info = 0;
  size_t square = (size_t)n * (size_t)n, size = (size_t)rows * (size_t)n;
  double *B = malloc((size + square + (size_t)n + (size_t)work_size + 1) * sizeof(double));
  if (!B)
    return GRADYN_NO_MEMORY;
  double *vt = B + size, *sigma = vt + square, *work = sigma + n;
  /* dgesvd overwrites its matrix; rows are scaled so that large units of some do not hide others */
  scale_rows(rows, n, A, B);
  dgesvd_("N", "A", &rows, &n, B, &rows, sigma, NULL, &one, vt, &n, work, &work_size, &info, 1, 1);
  if (info == 0)
    *dimension = project(n, sigma, vt, P);
  free(B);
  return info == 0 ? GRADYN_OK : GRADYN_NOT_CONVERGED;
}

/* Chooses entries that determine all others, by Cholesky elimination of Q with the largest pivots. R
 * [n][n]: workspace for the remainder of Q after elimination of the chosen entries; row [n]: workspace. */
static void choose(int n, const double *Q, int dimension, double *R, double *row, int *chosen)
{
  memcpy(R, Q, (size_t)n * (size_t)n * sizeof(double));
  for (int k = 0; k < dimension; k++) {
    int p = 0;
    for (int i = 1; i < n; i++)
      p = R[i * n + i] > R[p * n + p] * (1 + 1e-9) ? i : p;
    chosen[k] = p;
    const double pivot = R[p * n + p];
    for (int j = 0; j < n; j++)
      row[j] = R[p * n + j];
    /* subtract q_p q_p^T/Q_pp for the pivot p */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        R[i * n + j] -= row[i] * row[j] / pivot;
    R[p * n + p] = -1;
  }
}

/* N = Q_c Q_cc^-1. */
gradyn_status gradyn_projector_basis(int n, const double *Q, int dimension, int *chosen, double *N)
{
  double *S = N + (size_t)n * (size_t)n, *row = S + (size_t)n * (size_t)n;
  int info = 0;
  int *pivots = malloc(((size_t)dimension + 1) * sizeof *pivots);
  if (!pivots)
    return GRADYN_NO_MEMORY;
  choose(n, Q, dimension, N, row, chosen);
  /* solve Q_cc N^T = Q_c, column by column */
  for (int a = 0; a < dimension; a++) {
    for (int b = 0; b < dimension; b++)
      S[b * dimension + a] = Q[chosen[a] * n + chosen[b]];
    for (int i = 0; i < n; i++)
      N[i * dimension + a] = Q[chosen[a] * n + i];
  }
  if (dimension > 0)
    dgesv_(&dimension, &n, S, &dimension, pivots, N, &dimension, &info);
  free(pivots);
  return info == 0 ? GRADYN_OK : GRADYN_SINGULAR;
}
