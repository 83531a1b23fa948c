/* The states at the cuts are eliminated by the gaps. */
#include "tests/optim/segments/chained.h"

enum { MOST = 64 };

static const bool all_used[16] = {true, true, true, true, true, true, true, true};

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

void chained_compare(const run_setup *setup, long count, size_t states)
{
  chained_compare_for(setup, &(gradyn_search){.segments = count}, states);
}

void chained_compare_for(const run_setup *setup, const gradyn_search *search, size_t states)
{
  double rho[16], psi[MOST], gradient[MOST * MOST], total[256], whole[16], slope[256];
  gradyn_segments s;
  gradyn_evaluator *ev = run_open(setup);
  const size_t p = run_initial(ev, rho), f = gradyn_functional_count(ev);
  assert_true(f <= 16 && p <= 16);
  assert_ok(gradyn_segments_create_for(ev, search, all_used, rho, &s), s.message.text);
  const size_t cuts = s.count - 1;
  assert_int_equal(s.states, states);
  for (long pass = 0; pass < 4 * (long)s.count; pass++) {
    assert_ok(s.objective.evaluate(&s, true, s.start, psi, gradient), s.message.text);
    for (size_t l = 0; l < cuts * states; l++)
      s.start[p + l] += psi[f + l];
  }
  for (size_t l = 0; l < cuts * states; l++)
    assert_close(psi[f + l], 0, 0, 1e-10);
  assert_run(gradyn_gradient(ev, rho, whole, slope), ev);
  assert_close_array(psi, whole, f, 1e-9, 0);
  chained_gradient(&s, gradient, 0, s.f, total);
  assert_close_array(total, slope, f * p, 1e-7, 1e-8);
  gradyn_segments_clear(&s);
  gradyn_evaluator_free(ev);
}
