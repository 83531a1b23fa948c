/* Linear systems for lanes of right-hand sides: every column in use solves its equations. */
#include <gradyn/problem.h>
#include "tests/support.h"

#include <math.h>
#include <string.h>

#include "core/linear/linsys.h"

enum { MOST = 23 };

/* No zeros; large numbers next to the diagonal, so that rows are exchanged. */
static double entry(int n, int i, int j)
{
  return sin(1.3 * i + 2.1 * j * j + 0.4) / n + (j == (i + 1) % n ? 2 : 0);
}

static gradyn_linsys *new_system(int n, gradyn_backend backend)
{
  int row[MOST * MOST] = {0}, col[MOST * MOST] = {0};
  gradyn_pattern pattern;
  gradyn_linsys *system = NULL;
  for (int k = 0; k < n * n; k++) {
    row[k] = k / n;
    col[k] = k % n;
  }
  assert_ok(gradyn_pattern_create(n, n, n * n, row, col, &pattern), NULL);
  assert_ok(gradyn_linsys_create(&pattern, false, backend, &system), NULL);
  for (int k = 0; k < n * n; k++)
    gradyn_linsys_values(system)[k] = entry(n, k / n, k % n);
  gradyn_pattern_clear(&pattern);
  assert_ok(gradyn_linsys_factor(system), NULL);
  return system;
}

/* Checks A x = b or A^T x = b in each column. */
static void check_columns(gradyn_linsys *system, int n, bool transposed, int columns)
{
  gradyn_lanes x[2 * MOST], b[2 * MOST] = {0};
  const int width = (int)gradyn_lanes_groups(columns) * GRADYN_LANES;
  for (int i = 0; i < n * width; i++)
    ((double *)b)[i] = cos(0.7 * i);
  memcpy(x, b, sizeof x);
  gradyn_linsys_solve_lanes(system, transposed, columns, x);
  for (int at = 0; at < n * width; at++) {
    if (at % width >= columns)
      continue;
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += entry(n, transposed ? j : at / width, transposed ? at / width : j) *
             ((const double *)x)[j * width + at % width];
    assert_close(sum, ((const double *)b)[at], 1e-13, 1e-13);
  }
}

TEST(lanes_solve_their_columns)
{
  static const gradyn_backend backends[] = {GRADYN_BACKEND_DENSE, GRADYN_BACKEND_KLU};
  for (size_t k = 0; k < GRADYN_COUNT(backends); k++)
    for (int n = 1; n <= MOST; n++) {
      gradyn_linsys *system = new_system(n, backends[k]);
      for (int columns = 1; columns <= 2 * GRADYN_LANES; columns++) {
        check_columns(system, n, false, columns);
        check_columns(system, n, true, columns);
      }
      gradyn_linsys_free(system);
    }
}
