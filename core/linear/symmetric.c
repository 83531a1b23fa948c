/* Eigenvalues of symmetric matrices by LAPACK. */
#include "core/linear/symmetric.h"

/* LAPACK; the last two arguments are the lengths of the character arguments. */
void dsyev_(const char *job, const char *triangle, const int *n, double *A, const int *lda,
            double *w, double *work, const int *lwork, int *info, size_t job_length,
            size_t triangle_length);

bool gradyn_symmetric_eigen(size_t n, double A[], double value[], double work[])
{
  const int rows = (int)n, size = GRADYN_SYMMETRIC_WORK(rows);
  int info = 0;
  if (n > 0)
    dsyev_("V", "U", &rows, A, &rows, value, work, &size, &info, 1, 1);
  return info == 0;
}
