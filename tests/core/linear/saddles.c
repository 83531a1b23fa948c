/* Saddle systems for tests: tridiagonal masses, constraints of two coordinates and one of all. */
#include "tests/core/linear/saddles.h"

#include "tests/support.h"

const int saddle_sizes[SADDLE_SIZES][2] = {{2, 1},  {4, 2},   {4, 3},  {6, 4},   {8, 7},  {3, 2},
                                           {1, 1},  {5, 1},   {7, 4},  {9, 5},   {12, 6}, {14, 9},
                                           {17, 8}, {21, 10}, {27, 4}, {30, 16}, {32, 9}};

double saddle_number(int i)
{
  return sin(1.7 * i + 0.3);
}

void open_saddle_of_points(saddle *s, int n, int m, int axes)
{
  int row[MOST * MOST], col[MOST * MOST], count = 0;
  memset(s, 0, sizeof *s);
  s->n = n;
  s->m = m;
  for (int i = 0; i < n; i++)
    for (int j = i % axes; j < n; j += axes)
      if (abs(i - j) <= axes) {
        row[count] = i;
        s->M[count] = i == j ? 3 + 0.1 * (i / axes) : 0.7;
        col[count++] = j;
      }
  assert_ok(gradyn_pattern_create(n, n, count, row, col, &s->dyn), "");
  count = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      if (i == m - 1 || j == i || j == i + 1) {
        row[count] = i;
        s->J[count] = saddle_number(count);
        col[count++] = j;
      }
  assert_ok(gradyn_pattern_create(m, n, count, row, col, &s->jac), "");
  assert_ok(gradyn_schur_create(&s->dyn, &s->jac, m, &s->schur), "");
  assert_ok(gradyn_schur_mass(&s->schur, s->M), "");
  assert_ok(gradyn_schur_factor(&s->schur, s->J), "");
}

void open_saddle(saddle *s, int n, int m)
{
  open_saddle_of_points(s, n, m, 1);
}

void close_saddle(saddle *s)
{
  gradyn_schur_clear(&s->schur);
  gradyn_pattern_clear(&s->dyn);
  gradyn_pattern_clear(&s->jac);
}

void saddle_multiply(const saddle *s, const double *x, double *b)
{
  memset(b, 0, (size_t)(s->n + s->m) * sizeof(double));
  gradyn_pattern_multiply(&s->dyn, s->n, s->M, 1, x, b);
  gradyn_pattern_multiply_transposed(&s->jac, s->m, s->J, 1, x + s->n, b);
  gradyn_pattern_multiply(&s->jac, s->m, s->J, 1, x, b + s->n);
}
