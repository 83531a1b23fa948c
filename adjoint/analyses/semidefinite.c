/* Square roots of positive semidefinite matrices.
 *
 * C = G G^T with G [n][rank] from the eigenvalues of the correlations, which do not depend on the units of C.
 * Eigenvalues below round-off count as zero, so rank is the number of independent sources. */
#include "adjoint/analyses/semidefinite.h"

#include <math.h>
#include <stdlib.h>

#include "core/linear/symmetric.h"

/* Eigenvalues of correlations below this round-off count as zero. */
static const double nothing = 1e-12;

/* Reports a wrong entry. */
static gradyn_status refuse(const gradyn_semidefinite *s, gradyn_message *message, int i, int j,
                            const char *why)
{
  return gradyn_fail(message, GRADYN_INVALID, "the %s of '%.60s' and '%.60s' is %g: %s", s->what,
                     s->name[i], s->name[j], s->matrix[i * s->count + j], why);
}

/* Checks for finite entries, symmetry, a nonnegative diagonal, and correlations of at most 1. */
static gradyn_status check(const gradyn_semidefinite *s, gradyn_message *message)
{
  const double *C = s->matrix;
  int n = s->count;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      /* |C_ij| <= sqrt(C_ii C_jj) */
      double entry = C[i * n + j], most = sqrt(C[i * n + i] * C[j * n + j]);
      if (!isfinite(entry))
        return refuse(s, message, i, j, "it must be finite");
      if (i == j && entry < 0)
        return refuse(s, message, i, j, "it must not be negative");
      if (fabs(entry - C[j * n + i]) > nothing * fabs(entry))
        return refuse(s, message, i, j, "its transposed entry differs");
      if (isfinite(most) && fabs(entry) > most * (1 + nothing))
        return refuse(s, message, i, j, "its magnitude is too large for the two diagonal entries");
    }
  return GRADYN_OK;
}

/* Finds the eigenvalues w and eigenvectors of the correlations V w V^T; column k of V in A [k][n]. */
static gradyn_status find_eigenvalues(const gradyn_semidefinite *s, gradyn_message *message,
                                      double *A, double *w, double *work)
{
  int n = s->count;
  const double *C = s->matrix;
  /* a zero variance gets a row of the unit matrix, which its root makes zero later */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double size = sqrt(C[i * n + i]) * sqrt(C[j * n + j]);
      A[i * n + j] = size > 0 ? C[i * n + j] / size : i == j;
    }
  if (!gradyn_symmetric_eigen((size_t)n, A, w, work))
    return gradyn_fail(message, GRADYN_NOT_CONVERGED, "the eigenvalues of the %s were not found",
                       s->what);
  /* ascending: the first is the smallest */
  if (w[0] >= -nothing * n)
    return GRADYN_OK;
  return gradyn_fail(
      message, GRADYN_INVALID,
      "the %s is not positive semidefinite: scaled to a unit diagonal, it has the eigenvalue %g",
      s->what, w[0]);
}

gradyn_status gradyn_semidefinite_root(const gradyn_semidefinite *s, gradyn_message *message,
                                       double *G, int *rank)
{
  int n = s->count;
  *rank = 0;
  GRADYN_TRY(check(s, message));
  if (n == 0)
    return GRADYN_OK;
  FREED double *A = calloc((size_t)n * (size_t)n + (size_t)n + GRADYN_SYMMETRIC_WORK((size_t)n),
                           sizeof(double));
  if (!A)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for a %s", s->what);
  double *w = A + (size_t)n * (size_t)n;
  GRADYN_TRY(find_eigenvalues(s, message, A, w, w + n));
  for (int i = 0; i < n * n; i++)
    G[i] = 0;
  for (int k = n - 1; k >= 0; k--) { /* largest first */
    /* no column for a direction of zero variance */
    if (w[k] <= nothing * n)
      continue;
    /* G = S V sqrt(w), S the roots of the diagonal */
    for (int i = 0; i < n; i++)
      G[i * n + *rank] = sqrt(s->matrix[i * n + i] * w[k]) * A[k * n + i];
    ++*rank;
  }
  return GRADYN_OK;
}
