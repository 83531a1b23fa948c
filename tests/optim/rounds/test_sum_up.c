/* Sum-up rounding: the bound of the integrated difference for random controls, and cases that attain it. */
#include "tests/support.h"

#include "optim/rounds/sum_up.h"

#include <math.h>
#include <stdlib.h>

enum { INTERVALS = 40, MOST = 6, DRAWS = 200 };

static double drawn(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 24);
}

/* Lengths between 0 and 1, some of them 0, or equal ones. */
static void draw_lengths(unsigned *seed, bool equal, double length[])
{
  for (int k = 0; k < INTERVALS; k++)
    length[k] = equal ? 0.25 : fmax(drawn(seed) - 0.1, 0);
}

/* The largest |integral of relaxed - rounded| of control i, from sums of its own. */
static double integrated(const gradyn_sum_up *grid, const double relaxed[], const double rounded[],
                         size_t i)
{
  double e = 0, most = 0;
  for (size_t k = 0; k < grid->intervals; k++) {
    const size_t at = i * grid->intervals + k;
    e += (relaxed[at] - rounded[at]) * grid->length[k];
    most = fmax(most, fabs(e));
  }
  return most;
}

/* Whole numbers between -3 and 4. */
TEST(whole_numbers_differ_by_half_an_interval_at_most)
{
  unsigned seed = 1;
  for (int d = 0; d < DRAWS; d++) {
    double length[INTERVALS], a[INTERVALS], w[INTERVALS], e[1];
    const gradyn_sum_up grid = {1, INTERVALS, length};
    draw_lengths(&seed, d % 2 == 0, length);
    for (int k = 0; k < INTERVALS; k++)
      a[k] = -3 + 7 * drawn(&seed);
    const double deviation = gradyn_sum_up_round(&grid, a, w, e);
    assert_close(deviation, integrated(&grid, a, w, 0), 1e-12, 1e-12);
    assert_true(deviation <= gradyn_sum_up_bound(&grid) * (1 + 1e-12));
    for (int k = 0; k < INTERVALS; k++)
      assert_true(w[k] == floor(a[k]) || w[k] == ceil(a[k]));
  }
}

/* Weights of 2 to 6 modes, of which some are 0 for long. */
TEST(sets_differ_by_less_than_their_bound)
{
  unsigned seed = 2;
  for (int d = 0; d < DRAWS; d++) {
    const size_t n = 2 + (size_t)(d % (MOST - 1));
    double length[INTERVALS], a[MOST * INTERVALS], w[MOST * INTERVALS], e[MOST];
    const gradyn_sum_up grid = {n, INTERVALS, length};
    draw_lengths(&seed, d % 3 == 0, length);
    for (int k = 0; k < INTERVALS; k++) {
      double sum = 0;
      for (size_t i = 0; i < n; i++)
        sum += a[i * INTERVALS + (size_t)k] = pow(drawn(&seed), 3) * (drawn(&seed) > 0.4) + 1e-9;
      for (size_t i = 0; i < n; i++)
        a[i * INTERVALS + (size_t)k] /= sum;
    }
    const double deviation = gradyn_sum_up_round(&grid, a, w, e);
    double most = 0;
    for (size_t i = 0; i < n; i++)
      most = fmax(most, integrated(&grid, a, w, i));
    assert_close(deviation, most, 1e-12, 1e-12);
    assert_true(deviation < gradyn_sum_up_bound(&grid));
    for (int k = 0; k < INTERVALS; k++) {
      double ones = 0;
      for (size_t i = 0; i < n; i++) {
        assert_true(w[i * INTERVALS + (size_t)k] == 0 || w[i * INTERVALS + (size_t)k] == 1);
        ones += w[i * INTERVALS + (size_t)k];
      }
      assert_true(ones == 1);
    }
  }
}

/* Weights 1/n, then equal ones of the modes that have not yet been 1: n modes differ by 1/2 + ... + 1/n. */
TEST(a_set_attains_the_sum_of_reciprocals)
{
  enum { N = 5 };
  double length[N], a[N * N], w[N * N], e[N], expected = 0;
  const gradyn_sum_up grid = {N, N, length};
  for (int k = 0; k < N; k++) {
    length[k] = 1;
    for (int i = 0; i < N; i++)
      a[i * N + k] = i < k ? 0 : 1.0 / (N - k);
  }
  for (int i = 2; i <= N; i++)
    expected += 1.0 / i;
  assert_close(gradyn_sum_up_round(&grid, a, w, e), expected, 1e-12, 0);
}

TEST(one_control_attains_half_an_interval_and_keeps_whole_numbers)
{
  const double length[] = {2, 1, 0, 1}, a[] = {0.5, 3, 0.4, -2};
  double w[4], e[1];
  const gradyn_sum_up grid = {1, 4, length};
  assert_true(gradyn_sum_up_round(&grid, a, w, e) == 1 && gradyn_sum_up_bound(&grid) == 1);
  assert_true(w[0] == 1 && w[1] == 3 && w[2] == 0 && w[3] == -2);
}
