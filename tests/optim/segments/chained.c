/* The states at the cuts are eliminated by the gaps. */
#include "tests/optim/segments/chained.h"

#include "tests/support.h"

/* Solves A x = b for columns of b [n][columns] in place, by elimination with pivots. */
static void solve_dense(size_t n, double *A, size_t columns, double *b)
{
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    for (size_t i = c; i < n; i++)
      best = fabs(A[i * n + c]) > fabs(A[best * n + c]) ? i : best;
    for (size_t j = 0; j < n; j++) {
      const double kept = A[c * n + j];
      A[c * n + j] = A[best * n + j];
      A[best * n + j] = kept;
    }
    for (size_t j = 0; j < columns; j++) {
      const double kept = b[c * columns + j];
      b[c * columns + j] = b[best * columns + j];
      b[best * columns + j] = kept;
    }
    for (size_t i = 0; i < n; i++) {
      const double share = i == c ? 0 : A[i * n + c] / A[c * n + c];
      for (size_t j = 0; j < n; j++)
        A[i * n + j] -= share * A[c * n + j];
      for (size_t j = 0; j < columns; j++)
        b[i * columns + j] -= share * b[c * columns + j];
    }
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < columns; j++)
      b[i * columns + j] /= A[i * n + i];
}

void chained_gradient(const gradyn_segments *s, const double *gradient, size_t first, size_t count,
                      double *total)
{
  const size_t columns = s->objective.parameter_count, n = (s->count - 1) * s->states, p = s->p;
  double *A = calloc(n * (n + p) + 1, sizeof *A), *b = A + n * n;
  assert_non_null(A);
  for (size_t i = 0; i < n; i++) {
    const double *row = gradient + (s->f + i) * columns;
    memcpy(A + i * n, row + p, n * sizeof *A);
    memcpy(b + i * p, row, p * sizeof *b);
  }
  solve_dense(n, A, p, b);
  for (size_t f = 0; f < count; f++)
    for (size_t j = 0; j < p; j++) {
      total[f * p + j] = gradient[(first + f) * columns + j];
      for (size_t l = 0; l < n; l++)
        total[f * p + j] -= gradient[(first + f) * columns + p + l] * b[l * p + j];
    }
  free(A);
}
