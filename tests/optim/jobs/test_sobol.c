/* The points of the Sobol sequence. */
#include "tests/support.h"

#include "optim/jobs/sobol.h"

RELEASE(gradyn_sobol)

enum { DIMENSIONS = 400, POINTS = 1024 };

/* Every coordinate of the first 2^k points meets each of 2^k equal intervals once, with any shift. */
TEST(each_coordinate_is_even)
{
  for (uint64_t seed = 0; seed < 3; seed++) {
    OWNED(gradyn_sobol) *sobol = gradyn_sobol_create(DIMENSIONS, seed);
    assert_non_null(sobol);
    for (size_t j = 0; j < DIMENSIONS; j++) {
      int met[POINTS] = {0};
      for (uint32_t i = 0; i < POINTS; i++) {
        const double u = gradyn_sobol_coordinate(sobol, i, j);
        assert_true(u > 0 && u < 1);
        met[(int)(u * POINTS)]++;
      }
      for (int i = 0; i < POINTS; i++)
        assert_int_equal(met[i], 1);
    }
  }
}

/* The first two coordinates are a (0, m, 2)-net: every elementary rectangle of area 2^-m contains one of
 * 2^m points. */
TEST(the_first_pair_is_a_net)
{
  OWNED(gradyn_sobol) *sobol = gradyn_sobol_create(2, 7);
  assert_non_null(sobol);
  for (int a = 0; a <= 10; a++) {
    int met[POINTS] = {0};
    for (uint32_t i = 0; i < POINTS; i++) {
      const int x = (int)ldexp(gradyn_sobol_coordinate(sobol, i, 0), a);
      const int y = (int)ldexp(gradyn_sobol_coordinate(sobol, i, 1), 10 - a);
      met[(x << (10 - a)) + y]++;
    }
    for (int i = 0; i < POINTS; i++)
      assert_int_equal(met[i], 1);
  }
}

/* Points 1 to 7 of Sobol's sequence in five dimensions as published, times 8. */
TEST(without_shift_it_is_the_published_sequence)
{
  static const int expected[7][5] = {{4, 4, 4, 4, 4}, {6, 2, 2, 2, 6}, {2, 6, 6, 6, 2},
                                     {3, 3, 5, 7, 3}, {7, 7, 1, 3, 7}, {5, 1, 7, 5, 5},
                                     {1, 5, 3, 1, 1}};
  OWNED(gradyn_sobol) *sobol = gradyn_sobol_create(5, 0);
  assert_non_null(sobol);
  /* the order of the points follows Gray's code; the shift is that of point 0 */
  for (uint32_t i = 1; i < 8; i++)
    for (size_t j = 0; j < 5; j++) {
      const uint32_t zero = (uint32_t)(gradyn_sobol_coordinate(sobol, 0, j) * 4294967296.0);
      const uint32_t x = (uint32_t)(gradyn_sobol_coordinate(sobol, i ^ (i >> 1), j) * 4294967296.0);
      assert_int_equal((x ^ zero) >> 29, expected[i - 1][j]);
    }
}

static uint32_t reversed(uint32_t bits)
{
  uint32_t all = 0;
  for (int k = 0; k < 32; k++)
    all = all << 1 | (bits >> k & 1);
  return all;
}

/* Coordinates are midpoints of cells. In the first dimension all cells are met, in bit-reversed order; the
 * first and the last one have the same distance from the ends. */
TEST(the_ends_are_never_met)
{
  const double half = ldexp(1, -33);
  OWNED(gradyn_sobol) *sobol = gradyn_sobol_create(1, 4);
  assert_non_null(sobol);
  const uint32_t zero = (uint32_t)(gradyn_sobol_coordinate(sobol, 0, 0) * 4294967296.0);
  assert_close(gradyn_sobol_coordinate(sobol, reversed(zero), 0), half, 0, 0);
  assert_close(gradyn_sobol_coordinate(sobol, reversed(~zero), 0), 1 - half, 0, 0);
}

/* The integral over eight dimensions is far more accurate than with as many random points. */
TEST(integrals_converge)
{
  OWNED(gradyn_sobol) *sobol = gradyn_sobol_create(8, 3);
  assert_non_null(sobol);
  double even = 0, random = 0;
  for (uint32_t i = 0; i < 4096; i++) {
    double f = 1, g = 1;
    for (size_t j = 0; j < 8; j++) {
      const double u = gradyn_sobol_coordinate(sobol, i, j);
      const double r = ldexp((double)(gradyn_random_bits(5, 8 * (uint64_t)i + j) >> 11), -53);
      f *= 1 + 0.5 * (u - 0.5);
      g *= 1 + 0.5 * (r - 0.5);
    }
    even += f / 4096;
    random += g / 4096;
  }
  /* standard deviation for random points: sqrt(8 * 0.25 / 12 / 4096) = 0.0064 */
  assert_close(even, 1, 0, 6e-4);
  assert_true(fabs(random - 1) > 3 * fabs(even - 1));
}
