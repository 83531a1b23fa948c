/* Square roots of positive semidefinite matrices.
 *
 * C = G G^T with G [n][rank] from the eigenvalues of the correlations: what is scaled to ones on
 * the diagonal has eigenvalues that compare, whatever the units of C. Those below round-off
 * count as zero, so that rank is the number of independent sources. */
#include "adjoint/analyses/semidefinite.h"

#include <math.h>
#include <stdlib.h>

/* Fortran; the last two arguments are the hidden lengths of the letters. */
void dsyev_(const char *job, const char *triangle, const int *n, double *A, const int *lda,
            double *w, double *work, const int *lwork, int *info, size_t job_length,
            size_t triangle_length);

/* Round-off of a correlation matrix and its eigenvalues: less counts as zero. */
static const double nothing = 1e-12;

/* Names the entry that is wrong. */
static gradyn_status refuse(const gradyn_semidefinite *s, gradyn_message *message, int i, int j,
                            const char *why)
{
  return gradyn_fail(message, GRADYN_INVALID, "the %s of '%.60s' and '%.60s' is %g: %s", s->what,
                     s->name[i], s->name[j], s->matrix[i * s->count + j], why);
}

/* Finite, symmetric, nothing negative on the diagonal, no correlation beyond 1. */
static gradyn_status check(const gradyn_semidefinite *s, gradyn_message *message)
{
  const double *C = s->matrix;
  int n = s->count;
  /* not a number that is missing, nor one that is not a covariance */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      /* |C_ij| <= sqrt(C_ii C_jj), or no correlation */
      double entry = C[i * n + j], most = sqrt(C[i * n + i] * C[j * n + j]);
      if (!isfinite(entry))
        return refuse(s, message, i, j, "it must be finite");
      if (i == j && entry < 0)
        return refuse(s, message, i, j, "it must not be negative");
      /* C_ij = C_ji */
      if (fabs(entry - C[j * n + i]) > nothing * fabs(entry))
        return refuse(s, message, i, j, "the other way round it is not");
      if (isfinite(most) && fabs(entry) > most * (1 + nothing))
        return refuse(s, message, i, j, "more than the entries of the diagonal allow");
    }
  return GRADYN_OK;
}

/* A = V, w: the correlations are V w V^T, column k of V in A [k][n]. */
static gradyn_status find_eigenvalues(const gradyn_semidefinite *s, gradyn_message *message,
                                      double *A, double *w, double *work, int lwork)
{
  int n = s->count, info = 0;
  const double *C = s->matrix;
  /* 1 where nothing scatters, which the roots of the diagonal take out again */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double size = sqrt(C[i * n + i]) * sqrt(C[j * n + j]);
      A[i * n + j] = size > 0 ? C[i * n + j] / size : i == j;
    }
  dsyev_("V", "U", &n, A, &n, w, work, &lwork, &info, 1, 1);
  if (info != 0)
    return gradyn_fail(message, GRADYN_NOT_CONVERGED, "the eigenvalues of the %s were not found",
                       s->what);
  /* in ascending order: the first is the least */
  if (w[0] >= -nothing * n)
    return GRADYN_OK;
  return gradyn_fail(
      message, GRADYN_INVALID,
      "the %s is not positive semidefinite: over the roots of its diagonal it has the "
      "eigenvalue %g",
      s->what, w[0]);
}

gradyn_status gradyn_semidefinite_root(const gradyn_semidefinite *s, gradyn_message *message,
                                       double *G, int *rank)
{
  int n = s->count, lwork = 4 * n + 4;
  *rank = 0;
  GRADYN_TRY(check(s, message));
  if (n == 0)
    return GRADYN_OK;
  FREED double *A = calloc((size_t)n * (size_t)n + (size_t)n + (size_t)lwork, sizeof(double));
  if (!A)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for a %s", s->what);
  double *w = A + (size_t)n * (size_t)n;
  GRADYN_TRY(find_eigenvalues(s, message, A, w, w + n, lwork));
  for (int i = 0; i < n * n; i++)
    G[i] = 0;
  for (int k = n - 1; k >= 0; k--) { /* the largest first */
    /* a direction in which nothing scatters: no column */
    if (w[k] <= nothing * n)
      continue;
    /* G = S V sqrt(w), S the roots of the diagonal */
    for (int i = 0; i < n; i++)
      G[i * n + *rank] = sqrt(s->matrix[i * n + i] * w[k]) * A[k * n + i];
    ++*rank;
  }
  return GRADYN_OK;
}
