/* Decisions about a linear system that depend only on its pattern: the backend, and structural singularity.
 * Units do not affect them. */
#include "tests/support.h"

#include <stdbool.h>

#include "core/linear/linsys.h"

/* An empty row, and two columns that share their only row. */
TEST(structural_gaps_are_singular)
{
  static const int row[2][4] = {{0, 0, 2, 2}, {0, 0, 1, 2}},
                   col[2][4] = {{0, 1, 1, 2}, {0, 1, 2, 2}};
  for (int b = GRADYN_BACKEND_DENSE; b <= GRADYN_BACKEND_KLU; b++)
    for (int c = 0; c < 2; c++) {
      LOCAL(gradyn_pattern) pattern;
      OWNED(gradyn_linsys) *system = NULL;
      assert_ok(gradyn_pattern_create(3, 3, 4, row[c], col[c], &pattern), NULL);
      assert_ok(gradyn_linsys_create(&pattern, false, (gradyn_backend)b, &system), NULL);
      for (int k = 0; k < 4; k++)
        gradyn_linsys_values(system)[k] = 1 + k;
      for (int repeat = 0; repeat < 2; repeat++) {
        assert_int_equal(gradyn_linsys_factor(system), GRADYN_SINGULAR);
        assert_in_range(gradyn_linsys_singular_at(system), 0, 2);
      }
    }
}

/* The remainder of a pivot is judged by the magnitudes of all entries. The second entry has the weight of
 * all others together. Two rows that are equal up to round-off must be singular. */
TEST(remainders_are_judged_by_magnitudes)
{
  /* rows (1, B, 0), (p, 0, q), (3 p, 0, 3 q) */
  static const int row[] = {0, 0, 1, 1, 2, 2}, col[] = {0, 1, 0, 2, 0, 2};
  for (int b = GRADYN_BACKEND_DENSE; b <= GRADYN_BACKEND_KLU; b++)
    for (int k = 1; k < 40; k++) {
      const double p = 0.1 * k, q = 0.7 / k;
      const double value[] = {1, 1 + 4 * (p + q), p, q, 3 * p, 3 * q};
      LOCAL(gradyn_pattern) pattern;
      OWNED(gradyn_linsys) *system = NULL;
      assert_ok(gradyn_pattern_create(3, 3, 6, row, col, &pattern), NULL);
      assert_ok(gradyn_linsys_create(&pattern, false, (gradyn_backend)b, &system), NULL);
      for (int i = 0; i < 6; i++)
        gradyn_linsys_values(system)[i] = value[i];
      assert_int_equal(gradyn_linsys_factor(system), GRADYN_SINGULAR);
    }
}

/* A pivot that is small from the start because of its unit must not be taken for a remainder. */
TEST(an_unknown_in_a_small_unit_is_regular)
{
  static const double unit = 1e-20;
  static const int row[] = {0, 0, 1, 1, 2, 2}, col[] = {0, 2, 0, 1, 1, 2};
  static const double value[] = {1, 1, 1, unit, unit, 2};
  for (int b = GRADYN_BACKEND_DENSE; b <= GRADYN_BACKEND_KLU; b++) {
    LOCAL(gradyn_pattern) pattern;
    OWNED(gradyn_linsys) *system = NULL;
    double x[] = {2, 2, 3}; /* of (1, 1/unit, 1) */
    assert_ok(gradyn_pattern_create(3, 3, 6, row, col, &pattern), NULL);
    assert_ok(gradyn_linsys_create(&pattern, false, (gradyn_backend)b, &system), NULL);
    for (int k = 0; k < 6; k++)
      gradyn_linsys_values(system)[k] = value[k];
    assert_ok(gradyn_linsys_factor(system), NULL);
    gradyn_linsys_solve(system, x, 1);
    assert_close_array(x, ((double[]){1, 1 / unit, 1}), 3, 1e-15, 0);
  }
}

/* An upper triangle of ones with random signs on the diagonal, random exchanges of rows and one of columns,
 * so that the sign of the determinant is known. A repeated factorisation with the same pivots must follow
 * the sign of a row. */
TEST(the_sign_of_the_determinant_is_returned)
{
  enum { N = 40, ENTRIES = N * (N + 1) / 2 };
  unsigned seed = 5;
  for (int trial = 0; trial < 60; trial++) {
    int row[ENTRIES], col[ENTRIES], count = 0, to[N], sign = -1, n = 2 + trial * (N - 2) / 59;
    double value[ENTRIES];
    for (int i = 0; i < n; i++)
      to[i] = i;
    for (int i = 0; i < n; i++) {
      const int other = (int)((seed = seed * 1664525u + 1013904223u) >> 8) % n, kept = to[i];
      sign = other == i ? sign : -sign;
      to[i] = to[other];
      to[other] = kept;
    }
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++) {
        const bool negative = (seed = seed * 1664525u + 1013904223u) >> 31;
        row[count] = to[i];
        col[count] = j < 2 ? 1 - j : j;
        value[count++] = (i == j && !negative ? 3 : -3) / (1.0 + 2 * (j - i));
        sign = i == j && negative ? -sign : sign;
      }
    for (int b = 2 * GRADYN_BACKEND_DENSE; b < 2 * GRADYN_BACKEND_KLU + 2;
         b++) { /* in both orders */
      LOCAL(gradyn_pattern) pattern;
      OWNED(gradyn_linsys) *system = NULL;
      assert_ok(gradyn_pattern_create(n, n, count, row, col, &pattern), NULL);
      assert_ok(gradyn_linsys_create(&pattern, b % 2, (gradyn_backend)(b / 2), &system), NULL);
      for (int again = 0; again < 2; again++) {
        for (int k = 0; k < count; k++)
          gradyn_linsys_values(system)[gradyn_pattern_find(&pattern, row[k], col[k])] =
              again && row[k] == 0 ? -value[k] : value[k];
        assert_ok(gradyn_linsys_factor(system), NULL);
        assert_int_equal(gradyn_linsys_sign(system), again ? -sign : sign);
      }
    }
  }
}

static gradyn_backend chosen(int n, int band)
{
  LOCAL(gradyn_pattern) pattern;
  OWNED(gradyn_linsys) *system = NULL;
  int *index = calloc((size_t)(2 * n * band), sizeof *index), count = 0;
  assert_non_null(index);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < band; j++, count++) {
      index[count] = i;
      index[n * band + count] = (i + j) % n;
    }
  assert_ok(gradyn_pattern_create(n, n, count, index, index + n * band, &pattern), NULL);
  assert_ok(gradyn_linsys_create(&pattern, false, GRADYN_BACKEND_AUTO, &system), NULL);
  gradyn_backend backend = gradyn_linsys_backend(system);
  free(index);
  return backend;
}

TEST(backend_follows_size_and_density)
{
  assert_int_equal(chosen(1, 1), GRADYN_BACKEND_DENSE);
  assert_int_equal(chosen(10, 3), GRADYN_BACKEND_DENSE);
  assert_int_equal(chosen(60, 60), GRADYN_BACKEND_DENSE);
  assert_int_equal(chosen(60, 5), GRADYN_BACKEND_KLU);
  assert_int_equal(chosen(200, 150), GRADYN_BACKEND_DENSE);
  assert_int_equal(chosen(3000, 7), GRADYN_BACKEND_KLU);
}

TEST(misuse_is_refused)
{
  gradyn_linsys *system = NULL;
  int start[] = {0, 0, 0}, col[] = {0};
  gradyn_pattern oblong = {2, 1, 0, start, col}, square = {2, 2, 0, start, col};
  assert_int_equal(gradyn_linsys_create(&oblong, false, GRADYN_BACKEND_AUTO, &system),
                   GRADYN_INVALID);
  assert_int_equal(gradyn_linsys_create(&square, false, (gradyn_backend)9, &system),
                   GRADYN_INVALID);
  assert_null(system);
  gradyn_linsys_free(NULL);
}
