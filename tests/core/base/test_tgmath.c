/* fabs, fmax, fmin, copysign and pow of <gradyn/tgmath.h>: scalars keep their derivatives, and real numbers
 * give the results of <math.h>. */
#include "tests/support.h"

#include <complex.h>
#include <gradyn/gradyn.h>

/* A number with a derivative in its imaginary part. */
static gradyn_scalar with(double value, double slope)
{
  return value + 1e-40 * slope * I;
}

/* Checks value and derivative of z. */
static void check(gradyn_scalar z, double value, double slope)
{
  assert_true(creal(z) == value);
  assert_true(!signbit(creal(z)) == !signbit(value));
  assert_close(cimag(z) / 1e-40, slope, 1e-15, 0);
}

TEST(scalars_keep_their_derivatives)
{
  const gradyn_scalar low = with(-3, 5), high = with(2, 7), tie = with(2, 11), other = NAN;
  check(fabs(low), 3, -5);
  check(fabs(high), 2, 7);
  check(fabs(with(0, 1)), 0, 1);
  check(fabs(-(0.0 - 1e-40 * I)), 0, -1); /* of -0.0 + 1e-40 i */
  check(fmax(low, high), 2, 7);
  check(fmin(low, high), -3, 5);
  check(fmax(tie, high), 2, 11);
  check(fmin(tie, high), 2, 11);
  check(fmax(other, low), -3, 5);
  check(fmin(low, other), -3, 5);
  check(copysign(low, high), 3, -5);
  check(copysign(high, low), -2, -7);
  check(copysign(low, -1), -3, 5);
  check(copysign(1, low), -1, 0);
}

TEST(one_of_two_may_be_real)
{
  const gradyn_scalar z = with(0.5, 3);
  check(fmax(0, z), 0.5, 3);
  check(fmax(z, 1), 1, 0);
  check(fmin(z, 1.0f), 0.5, 3);
  check(fmin(0.0, z), 0, 0);
}

/* Integer powers, with exponents of all types, must have exactly the bits of real numbers: round-off in the
 * imaginary part would count as a derivative. */
TEST(integer_powers_are_real)
{
  const double base[] = {-2.5, -0.06, -1e-30, 0, 1e-3, 3.7};
  for (size_t k = 0; k < GRADYN_COUNT(base); k++)
    for (int n = -7; n <= 130; n++) {
      const double x = base[k], value = (pow)(x, n), slope = n == 0 ? 0 : n * (pow)(x, n - 1);
      if (!isfinite(value) || !isfinite(slope) || (n != 0 && fabs(slope) < 1e-200))
        continue;
      const gradyn_scalar exponent = n, z = with(x, 3);
      const gradyn_scalar power[] = {pow(z, n), pow(z, (double)n), pow(z, exponent),
                                     pow(z, (float)n)};
      for (size_t i = 0; i < GRADYN_COUNT(power); i++)
        check(power[i], value, 3 * slope);
      const gradyn_scalar real = pow((gradyn_scalar)x, exponent);
      assert_true(creal(real) == value && cimag(real) == 0);
      /* for x <= 0 there is no derivative with respect to the exponent, but one with respect to the base */
      if (x <= 0)
        check(pow(z, with(n, 5)), value, 3 * slope);
    }
}

TEST(other_powers_are_as_ever)
{
  const gradyn_scalar z = with(1.7, 3), n = with(2.5, 7), power = pow(z, n);
  const double value = (pow)(1.7, 2.5);
  assert_close(creal(power), value, 1e-15, 0);
  assert_close(cimag(power) / 1e-40, value * (2.5 / 1.7 * 3 + 7 * log(1.7)), 1e-14, 0);
  assert_close(cimag(pow(z, with(2, 7))) / 1e-40, 2 * 1.7 * 3 + 7 * 1.7 * 1.7 * log(1.7), 1e-14, 0);
  assert_close(creal(pow(2, z)), (pow)(2, 1.7), 1e-15, 0);
  assert_true(cimag(pow(with(-1.7, 0), 2.5)) != 0 && cimag(pow(with(-1.7, 3), n)) != 0);
}

/* Real arguments: values and result types must be those of <math.h>. */
TEST(real_arguments_give_the_results_of_math_h)
{
  const double x = -2.5;
  const float f = -1.5f;
  const int whole = 16777217; /* not a float */
  assert_true(fabs(x) == 2.5 && fabs(f) == 1.5f && fmax(x, 1) == 1 && fmin(x, f) == -2.5);
  assert_true(isnan(fabs((double)NAN)) && fmax((double)NAN, 1) == 1 && fmin(1, (double)NAN) == 1);
  assert_true(copysign(3, x) == -3 && signbit(copysign(0.0, x)));
  assert_true(fmax(whole, f) == 16777217.0);
  assert_int_equal(sizeof fabs(f), sizeof(float));
  assert_int_equal(sizeof fabs(x), sizeof(double));
  assert_int_equal(sizeof fmax(f, f), sizeof(float));
  assert_int_equal(sizeof fmax(whole, f), sizeof(double));
  assert_int_equal(sizeof fmin(1.0L, x), sizeof(long double));
  assert_int_equal(sizeof copysign(f, x), sizeof(double));
  assert_true(pow(2, 3) == 8 && pow(x, 3) == -15.625 && isnan(pow(x, 0.5)) && pow(f, 2) == 2.25f);
  assert_int_equal(sizeof pow(f, f), sizeof(float));
  assert_int_equal(sizeof pow(f, 2), sizeof(double));
  assert_int_equal(sizeof pow(1.0L, x), sizeof(long double));
}
