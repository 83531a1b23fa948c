/* Extrapolated differences against closed forms, and their distinction of kinks and jumps from noise. */
#include "core/linear/differences.h"

#include "tests/support.h"

enum {
  EXPONENTIAL,
  ROOT,
  STEPS,
  WAVE,
  KINK,
  SMALL_KINK,
  JUMP,
  NEAR_KINK,
  NOISY,
  VIBRATION,
  GRAINY,
  FUNCTIONS
};

/* Not smooth, and the same at every call. */
static double rough(double s)
{
  return sin(1e9 * s + 0.3);
}

static gradyn_status functions(void *user, double s, double *value)
{
  const double *limit = user;
  if (limit && s > *limit)
    return GRADYN_NOT_CONVERGED;
  value[EXPONENTIAL] = exp(2 * s);
  value[ROOT] = sqrt(0.06 + s);
  value[STEPS] = s > 0.02 ? 2 : s < -0.03 ? 0.5 : 1; /* flat, but further off */
  value[WAVE] = 1e6 + sin(40 * s);
  value[KINK] = 3 * s + 0.01 * fabs(s);
  value[SMALL_KINK] = exp(s) +
                      1e-5 * fabs(s); /* a kink that is small compared with slope and curvature */
  value[JUMP] = 3 * s + (s > 0 ? 1e-3 : 0);
  value[NEAR_KINK] = fabs(s - 0.011) + s * s;
  value[NOISY] = cos(s + 1) + 1e-9 * rough(s);
  value[GRAINY] = 1 + (1e4 + (2 * s - 1e4)); /* cancelling terms leave steps of 2e-12 */
  value[VIBRATION] = s + 0.03 * sin(2e3 * s + 0.4) + 0.01 * cos(5e3 * s);
  return GRADYN_OK;
}

/* The same, below 0 alone. */
static gradyn_status functions_below(void *user, double s, double *value)
{
  (void)user;
  return s > 0 ? GRADYN_INTERRUPTED : functions(NULL, s, value);
}

static int counted; /* calls of exponential() */
static gradyn_status exponential(void *user, double s, double *value)
{
  (void)user;
  counted++;
  value[0] = exp(2 * s);
  return GRADYN_OK;
}

TEST(test_smooth_functions)
{
  LOCAL(gradyn_differences) d;
  assert_ok(gradyn_differences_create(FUNCTIONS, &d), NULL);
  assert_ok(gradyn_differentiate(&d, FUNCTIONS, functions, NULL, 0.05, 12, NULL), NULL);
  assert_close(d.slope[EXPONENTIAL], 2, 1e-12, 0);
  assert_close(d.slope[ROOT], 0.5 / sqrt(0.06), 1e-11, 0);
  assert_true(d.slope[STEPS] == 0 && d.error[STEPS] < 1e-6);
  /* the error is limited by round-off of a large constant, and the estimate includes it */
  assert_close(d.slope[WAVE], 40, 0, d.error[WAVE]);
  assert_true(d.error[WAVE] < 1e-5);
  /* with steps shorter than the distance to a kink, there is none */
  assert_close(d.slope[NEAR_KINK], -1, 1e-10, 0);
  assert_false(d.kink[EXPONENTIAL] || d.kink[ROOT] || d.kink[WAVE] || d.kink[NEAR_KINK]);
}

TEST(test_kinks)
{
  LOCAL(gradyn_differences) d;
  assert_ok(gradyn_differences_create(FUNCTIONS, &d), NULL);
  assert_ok(gradyn_differentiate(&d, FUNCTIONS, functions, NULL, 0.05, 12, NULL), NULL);
  assert_true(d.kink[KINK] && d.kink[SMALL_KINK]);
  assert_close(d.gap[SMALL_KINK], 2e-5, 1e-3, 0);
  assert_true(d.kink[JUMP]);
}

/* A function that oscillates much faster than the first steps. Their quotients disagree, and the estimated
 * error must be above a thousandth. Short steps give the derivative. */
TEST(test_vibration)
{
  const double slope = 1 + 60 * cos(0.4);
  LOCAL(gradyn_differences) d;
  assert_ok(gradyn_differences_create(FUNCTIONS, &d), NULL);
  for (int levels = 6; levels <= GRADYN_DIFFERENCE_MOST; levels++) {
    assert_ok(gradyn_differentiate(&d, FUNCTIONS, functions, NULL, 0.05, levels, NULL), NULL);
    if (d.error[VIBRATION] < 1e-3 * slope)
      assert_close(d.slope[VIBRATION], slope, 0, 10 * d.error[VIBRATION]);
  }
  assert_close(d.slope[VIBRATION], slope, 1e-9, 0);
  /* the result is right also if the steps end as soon as the error is small enough */
  for (int i = 0; i < FUNCTIONS; i++)
    d.enough[i] = 1e9;
  d.enough[VIBRATION] = 1e-6 * slope;
  assert_ok(gradyn_differentiate(&d, FUNCTIONS, functions, NULL, 0.05, 20, NULL), NULL);
  assert_close(d.slope[VIBRATION], slope, 1e-6, 0);
  assert_true(d.error[VIBRATION] <= 1e-6 * slope);
}

/* Noise of known size must neither spoil the result nor be taken for a kink. */
TEST(test_noise)
{
  LOCAL(gradyn_differences) d;
  double noise[FUNCTIONS] = {[NOISY] = 1e-9};
  assert_ok(gradyn_differences_create(FUNCTIONS, &d), NULL);
  assert_ok(gradyn_differentiate(&d, FUNCTIONS, functions, NULL, 0.05, 12, noise), NULL);
  assert_close(d.slope[NOISY], -sin(1), 0, d.error[NOISY]);
  assert_true(d.error[NOISY] < 1e-6);
  assert_false(d.kink[NOISY]);
}

/* Round-off in steps, which differences of neighbours do not show. The estimate must include it when
 * shorter steps no longer change the result. */
TEST(test_grain)
{
  LOCAL(gradyn_differences) d;
  assert_ok(gradyn_differences_create(FUNCTIONS, &d), NULL);
  for (double first = 1e-10; first > 2e-12; first /= 2) {
    assert_ok(gradyn_differentiate(&d, FUNCTIONS, functions, NULL, first, 12, NULL), NULL);
    assert_close(d.grain[GRAINY], 0x1p-39, 1e-3, 0);
    assert_close(d.slope[GRAINY], 2, 0, d.error[GRAINY]);
  }
}

/* Independent noise, uniform from -1e-9 to 1e-9, added to a smooth function; user: state of the generator. */
static gradyn_status uniform(void *user, double s, double *value)
{
  unsigned *state = user;
  *state = *state * 1664525U + 1013904223U;
  *value = exp(2 * s) + 1e-9 * (*state / 2147483648.0 - 1);
  return GRADYN_OK;
}

/* The measured noise is at most twice the standard deviation, 2e-9 / sqrt(3), since it is the smallest of
 * several estimates. A smooth function has the noise of round-off. */
TEST(test_noise_is_measured)
{
  enum { TRIALS = 500 };
  LOCAL(gradyn_differences) d;
  double noise[FUNCTIONS], mean = 0, right = 2e-9 / sqrt(3);
  unsigned random = 1;
  assert_ok(gradyn_differences_create(FUNCTIONS, &d), NULL);
  for (int k = 0; k < TRIALS; k++) {
    assert_ok(gradyn_measure_noise(&d, 1, uniform, &random, 1e-6, noise), NULL);
    assert_true(noise[0] < 3 * right);
    mean += noise[0] / TRIALS;
  }
  assert_true(mean > 0.5 * right && mean < 1.1 * right);
  assert_ok(gradyn_measure_noise(&d, FUNCTIONS, functions, NULL, 1e-6, noise), NULL);
  assert_close(noise[EXPONENTIAL], 4.4e-16, 1e-2, 0);
  assert_close(noise[WAVE], 4.4e-10, 1e-2, 0);
  /* on one side of a kink or of a jump, the function is smooth */
  assert_true(noise[KINK] < 1e-15 && noise[JUMP] < 1e-15);
}

/* Steps at which the function fails are left out; if all fail, this is reported. */
TEST(test_failing_steps)
{
  LOCAL(gradyn_differences) d;
  double limit = 0.01, nothing = 0;
  assert_ok(gradyn_differences_create(FUNCTIONS, &d), NULL);
  assert_ok(gradyn_differentiate(&d, FUNCTIONS, functions, &limit, 0.05, 12, NULL), NULL);
  assert_close(d.slope[EXPONENTIAL], 2, 1e-11, 0);
  assert_status(gradyn_differentiate(&d, FUNCTIONS, functions, &nothing, 0.05, 12, NULL),
                GRADYN_NON_FINITE, NULL);
}

/* With differences on one side, a kink at 0 has no effect. */
TEST(test_one_side)
{
  for (int side = -1; side <= 1; side += 2) {
    LOCAL(gradyn_differences) d;
    assert_ok(gradyn_differences_create(FUNCTIONS, &d), NULL);
    d.side = side;
    /* the function is not evaluated on the other side */
    assert_ok(gradyn_differentiate(&d, FUNCTIONS, side < 0 ? functions_below : functions, NULL,
                                   0.05, 12, NULL),
              NULL);
    assert_close(d.slope[EXPONENTIAL], 2, 1e-9, 0);
    assert_close(d.slope[ROOT], 0.5 / sqrt(0.06), 1e-8, 0);
    assert_close(d.slope[KINK], 3 + side * 0.01, 1e-9, 0);
    assert_false(d.kink[KINK]);
  }
}

TEST(test_it_stops_when_errors_are_small_beside_slopes)
{
  LOCAL(gradyn_differences) d;
  assert_ok(gradyn_differences_create(1, &d), NULL);
  for (int k = 0; k < 3; k++) {
    const double share[] = {1e-12, 1e-3, 1e-3};
    counted = 0;
    d.enough[0] = 0;
    d.share = share[k];
    d.least = k < 2 ? 3 : 5;
    assert_ok(gradyn_differentiate(&d, 1, exponential, NULL, 0.01, 12, NULL), NULL);
    assert_close(d.slope[0], 2, share[k], 0);
    /* once in the middle, and pairs around it */
    assert_true(k == 0 ? counted > 7 : counted == 1 + 2 * d.least);
  }
}
