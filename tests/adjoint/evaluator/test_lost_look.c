/* The comparison that detects lost derivatives, for functions of a few numbers at points where differences
 * are inaccurate. */
#include "tests/support.h"

#include <complex.h>

#include "adjoint/complex_loss.h"
#include <gradyn/problem.h>
#include <gradyn/tgmath.h>

enum { ARGUMENTS = 3, RESULTS = 2 };

typedef gradyn_status function(const gradyn_scalar z[], gradyn_scalar f[]);

#define OF_TWO(name, first, second)                                                                \
  static gradyn_status name(const gradyn_scalar z[], gradyn_scalar f[])                            \
  {                                                                                                \
    const gradyn_scalar x = z[0], y = z[1];                                                        \
    f[0] = first;                                                                                  \
    f[1] = (second) + 0 * x * y;                                                                   \
    return GRADYN_OK;                                                                              \
  }

/* A number between 0 and 1 that differs for every z. */
static double noise(gradyn_scalar z)
{
  return fmod(1e15 * (1 + creal(z)) * (1 + creal(z)), 1);
}

OF_TWO(smooth, sin(x) * y, exp(x - y))
OF_TWO(corner, fabs(x), fmax(x, y))
OF_TWO(corners, fabs(x) - fabs(y), fmin(x, y) * fmax(x, y))
OF_TWO(jump, x + (creal(x) > 1 ? 1 : 0), y)
OF_TWO(stairs, x + floor(1e3 * creal(x)), floor(creal(y)))
OF_TWO(steep, tanh(x / 1e-9), tanh((y - 1) / 1e-13))
OF_TWO(narrow, 1e-12 * tanh(x / 1e-12), sqrt(y *y + 1e-24))
OF_TWO(round_off, 1 + 6e-17 * x - 1, 1e6 + 1e-12 * y - 1e6)
OF_TWO(cancelling, 1e9 * (x + y) - 1e9 * y - 1e9 * x, x)
OF_TWO(fast, -0.6 * x + sin(x), y)
OF_TWO(flat, 3, 4)
OF_TWO(beside_large, 1e6 * x + 1e-11 * y - 1e6 * x, 1e6 * y)
OF_TWO(noisy, x + 1e-8 * noise(x), y + 1e-10 * noise(y))
OF_TWO(root, sqrt(x), x)
OF_TWO(tiny, 1e-200 * x * y, 1e-200 * y)
OF_TWO(huge, 1e200 * x * y, 1e200 * y)

OF_TWO(by_double, sin(creal(x)) * y, y)
OF_TWO(by_modulus, y, cabs(y) + 0.1 * x)
OF_TWO(small_part, x *x + 1e-3 * creal(x), y)
OF_TWO(by_conj, x, conj(y))
OF_TWO(beside_corner, fabs(x), fabs(x) + creal(y))
OF_TWO(fast_and_half, 1e-10 * (sin(x) - 0.6 * x), 0.5 * y + 0.5 * creal(y))
OF_TWO(small_and_large, 1e-3 * creal(x), 1e3 * y)
OF_TWO(nearly_level, 1e-2 * (creal(x) - (1 - 1e-4) * x) + y, y)

/* A small slope beside a 1 that cancels: the values are multiples of the round-off of 1. */
static double hidden_slope;
OF_TWO(hidden, 1 + hidden_slope * x - 1, y)

/* Defined for x >= 1 only; the value is a square root. */
static gradyn_status half_space(const gradyn_scalar z[], gradyn_scalar f[])
{
  if (creal(z[0]) < 1)
    return GRADYN_CALLBACK;
  f[0] = creal(z[0]) * z[1];
  f[1] = 0;
  return GRADYN_OK;
}

/* Defined near x = 1 only. */
static gradyn_status close_by(const gradyn_scalar z[], gradyn_scalar f[])
{
  f[0] = creal(z[0]) * z[1];
  f[1] = 0;
  return fabs(creal(z[0]) - 1) < 3e-4 ? GRADYN_OK : GRADYN_CALLBACK;
}

static gradyn_status nowhere(const gradyn_scalar z[], gradyn_scalar f[])
{
  (void)z;
  (void)f;
  return GRADYN_NON_FINITE;
}

static gradyn_status no_memory(const gradyn_scalar z[], gradyn_scalar f[])
{
  (void)z;
  (void)f;
  return GRADYN_NO_MEMORY;
}

static gradyn_status call(void *self, const gradyn_scalar *argument, gradyn_scalar *result)
{
  function *const *fn = self;
  return (*fn)(argument, result);
}

/* Tests fn for a lost derivative at the point (x, y). */
static gradyn_status look(function *fn, const double at[ARGUMENTS],
                          const gradyn_checked_function *bounds, gradyn_complex_loss *lost)
{
  gradyn_complex_loss_workspace *capacity;
  const double size[ARGUMENTS] = {fmax(fabs(at[0]), 1e-3), fmax(fabs(at[1]), 1e-3), 0};
  gradyn_checked_function f = *bounds;
  f.call = call;
  f.self = &fn;
  f.arguments = ARGUMENTS;
  f.results = RESULTS;
  assert_int_equal(gradyn_complex_loss_workspace_create(ARGUMENTS, RESULTS, &capacity), GRADYN_OK);
  const gradyn_status status = gradyn_complex_loss_check(capacity, &f, at, size, lost);
  gradyn_complex_loss_workspace_free(capacity);
  return status;
}

static const double places[][ARGUMENTS] = {{1, 1},    {0, 0},      {1, 0},        {0, 1},
                                           {-2, 0.7}, {1e-9, 1e9}, {1e12, 1e-12}, {0.3, -1}};

TEST(kept_derivatives_are_not_reported)
{
  function *const kept[] = {smooth, corner,    corners,    jump, stairs, steep,
                            narrow, round_off, cancelling, fast, flat,   beside_large,
                            noisy,  root,      tiny,       huge};
  gradyn_complex_loss lost;
  for (size_t k = 0; k < GRADYN_COUNT(kept); k++)
    for (size_t i = 0; i < GRADYN_COUNT(places); i++) {
      /* at 1e6 the steps of the stairs are as small as the spacing of numbers, so that they cannot be
       * detected */
      if (kept[k] == stairs && places[i][0] > 1e6)
        continue;
      assert_int_equal(look(kept[k], places[i], &(gradyn_checked_function){0}, &lost), GRADYN_OK);
      if (lost.found)
        fail_msg("function %zu at place %zu: %g and %g", k, i, lost.real, lost.stepped);
    }
}

/* Neighbouring difference quotients may be equal by chance if they are multiples of the same number. That
 * alone is not reported. */
TEST(small_discontinuities_are_not_reported)
{
  gradyn_complex_loss lost;
  for (int k = 0; k < 900; k++) {
    hidden_slope = 1e-11 * pow(1.01, k);
    assert_int_equal(look(hidden, places[0], &(gradyn_checked_function){0}, &lost), GRADYN_OK);
    if (lost.found)
      fail_msg("slope %g: %g by real numbers, %g by complex ones", hidden_slope, lost.real,
               lost.stepped);
  }
}

/* Difference quotients of noise are sometimes equal by chance. That is not reported. */
TEST(noise_is_not_reported)
{
  gradyn_complex_loss lost;
  for (int k = 0; k < 2000; k++) {
    const double at[ARGUMENTS] = {0.01 * k, 20 - 0.01 * k};
    assert_int_equal(look(noisy, at, &(gradyn_checked_function){0}, &lost), GRADYN_OK);
    if (lost.found)
      fail_msg("place %d: %g and %g", k, lost.real, lost.stepped);
  }
}

TEST(losses_are_named)
{
  static const struct {
    function *fn;
    int argument, result;
    double x, y, real, stepped;
  } cases[] = {
      {by_double, 0, 0, 0.4, 2, 1.8421, 0},
      {by_double, 0, 0, 0, 1, 1, 0},
      {by_modulus, 1, 1, 1, -2, -1, 0},
      {small_part, 0, 0, 1, 1, 2.001, 2},
      {by_conj, 1, 1, 3, 1, 1, -1},
      {beside_corner, 1, 1, 0, 1, 1, 0},
      {small_and_large, 0, 0, 1, 1, 1e-3, 0},
      {half_space, 0, 0, 1.5, 2, 2, 0},
      {close_by, 0, 0, 1, 2, 2, 0},
      {fast_and_half, 1, 1, 1e11, 1, 1, 0.5},
      {nearly_level, 0, 0, 1, 1, 1e-6, -1e-2},
  };
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
    gradyn_complex_loss lost;
    const double at[ARGUMENTS] = {cases[k].x, cases[k].y};
    assert_int_equal(look(cases[k].fn, at, &(gradyn_checked_function){0}, &lost), GRADYN_OK);
    if (!lost.found)
      fail_msg("case %zu is not found", k);
    assert_int_equal(lost.argument, cases[k].argument);
    assert_int_equal(lost.result, cases[k].result);
    /* a little beside the place */
    assert_close(lost.real, cases[k].real, 5e-3, 0);
    assert_close(lost.stepped, cases[k].stepped, 5e-3, 1e-12);
  }
}

/* At a bound, the comparison moves the argument inwards, at the lower and at the upper bound. If lower and
 * upper bound are equal, the argument is not moved. */
TEST(bounds_are_kept)
{
  const double low[] = {1, -9, -9}, high[] = {9, 9, 9};
  const double none_low[] = {1, 2, -9}, none_high[] = {1, 2, 9};
  const gradyn_checked_function wide = {.lower = low, .upper = high};
  const gradyn_checked_function narrow_ones = {.lower = none_low, .upper = none_high};
  gradyn_complex_loss lost;
  assert_int_equal(look(half_space, (double[]){1, 2, 0}, &wide, &lost), GRADYN_OK);
  assert_true(lost.found && lost.argument == 0);
  assert_int_equal(look(half_space, (double[]){1, 2, 0}, &narrow_ones, &lost), GRADYN_OK);
  assert_false(lost.found);
}

TEST(failures_print_nothing_unless_fatal)
{
  gradyn_complex_loss lost;
  assert_int_equal(look(nowhere, places[0], &(gradyn_checked_function){0}, &lost), GRADYN_OK);
  assert_false(lost.found);
  assert_int_equal(look(no_memory, places[0], &(gradyn_checked_function){0}, &lost),
                   GRADYN_NO_MEMORY);
  assert_false(lost.found);
}
