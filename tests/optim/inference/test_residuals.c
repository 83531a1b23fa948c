/* Tests of residuals against their definitions. */
#include "tests/support.h"

#include "optim/inference/residual_tests.h"

enum { COUNT = 12 };

static gradyn_residual_tests test(const double u[COUNT])
{
  gradyn_functional_info info[1 + COUNT] = {{.name = "fit", .use = GRADYN_OBJECTIVE}};
  double all[1 + COUNT] = {NAN};
  gradyn_residual_tests out;
  for (int k = 0; k < COUNT; k++) {
    info[1 + k] = (gradyn_functional_info){.use = GRADYN_RESIDUAL, .fit = 0};
    all[1 + k] = u[k];
  }
  gradyn_residuals_test(info, 1 + COUNT, 0, all, &out);
  return out;
}

/* 12 residuals with mean 0.25 and signs ++ --- + - ++++ -, that is 6 runs of 7 and 5. Mean number of runs
 * 1 + 70/12, variance 70 (70 - 12)/(144 11). Skewness and kurtosis were computed by hand. */
TEST(their_numbers_are_those_of_definitions)
{
  static const double u[COUNT] = {1, 2, -1, -0.5, -2, 0.5, -1.5, 1, 0.5, 2.5, 1.5, -1};
  const gradyn_residual_tests s = test(u);
  double m[5] = {0}, lag = 0;
  for (int k = 0; k < COUNT; k++)
    m[1] += u[k] / COUNT;
  for (int k = 0; k < COUNT; k++) {
    for (int p = 2; p <= 4; p++)
      m[p] += pow(u[k] - m[1], p) / COUNT;
    lag += k > 0 ? (u[k] - m[1]) * (u[k - 1] - m[1]) : 0;
  }
  assert_int_equal(s.count, COUNT);
  assert_close(s.mean, 0.25, 1e-15, 0);
  assert_close(s.square_sum, 23.5, 1e-15, 0);
  assert_int_equal(s.largest, 10);
  assert_close(s.correlation, lag / (m[2] * COUNT), 1e-14, 0);
  const double deviation = sqrt(70.0 * 58 / (144 * 11));
  assert_close(s.runs_probability, erfc((1 + 70.0 / 12 - 6) / deviation / sqrt(2)), 1e-13, 0);
  const double skewness = m[3] / pow(m[2], 1.5), excess = m[4] / (m[2] * m[2]) - 3;
  assert_close(s.normal_probability,
               exp(-COUNT / 12.0 * (skewness * skewness + excess * excess / 4)), 1e-13, 0);
}

TEST(tests_without_meaning_are_undefined)
{
  static const double zero[COUNT] = {0}, one[COUNT] = {1};
  const gradyn_residual_tests s = test(zero), single = test(one);
  assert_true(isnan(s.correlation) && isnan(s.runs_probability) && isnan(s.normal_probability));
  assert_true(isnan(single.runs_probability)); /* zeros have no sign */
  assert_true(isfinite(single.normal_probability));
}
