/* Probabilities of distributions against tables and other integrals. */
#include "tests/support.h"

#include "optim/inference/distributions.h"

/* Abramowitz and Stegun (1964), table 26.8, with more digits by integration. */
TEST(chi_square_tails_are_those_of_tables)
{
  assert_close(gradyn_chi_square_tail(3.841458820694124, 1), 0.05, 1e-13, 0);
  assert_close(gradyn_chi_square_tail(5.991464547107979, 2), 0.05, 1e-13, 0);
  assert_close(gradyn_chi_square_tail(18.307038053275146, 10), 0.05, 1e-13, 0);
  assert_close(gradyn_chi_square_tail(21.026069817483066, 12), 0.05, 1e-13, 0);
  assert_close(gradyn_chi_square_tail(19.675137572682495, 11), 0.05, 1e-13, 0);
  assert_close(gradyn_chi_square_tail(0, 3), 1, 0, 0);
  /* a sum of 5000 terms, each of which would underflow if computed from its factors */
  assert_close(gradyn_chi_square_tail(10000, 10000), 0.4981193, 0, 1e-7);
}

/* The density of Student's distribution by Simpson's rule. */
static double by_simpson(double t, size_t n)
{
  enum { STEPS = 2000 };
  const double nu = (double)n, h = t / STEPS;
  const double c = 2 * exp(lgamma((nu + 1) / 2) - lgamma(nu / 2)) / sqrt(nu * acos(-1));
  double sum = 0;
  for (int k = 0; k <= STEPS; k++)
    sum += (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2) * pow(1 + k * h * k * h / nu, -(nu + 1) / 2);
  return c * sum * h / 3;
}

TEST(students_distribution_is_the_integral_of_its_density)
{
  for (size_t n = 1; n <= 12; n++)
    for (double t = 0.5; t < 6; t += 0.7)
      assert_close(gradyn_student_within(t, n), by_simpson(t, n), 1e-9, 0);
}

TEST(intervals_of_95_percent_are_those_of_tables)
{
  assert_close(gradyn_student_95(1), 12.706204736174698, 1e-12, 0);
  assert_close(gradyn_student_95(2), 4.302652729749462, 1e-12, 0);
  assert_close(gradyn_student_95(7), 2.364624251592784, 1e-12, 0);
  assert_close(gradyn_student_95(39), 2.022690920036761, 1e-12, 0);
  assert_close(gradyn_student_95(HUGE_VAL), 1.959963984540054, 1e-15, 0);
  assert_close(gradyn_normal_tails(1.959963984540054), 0.05, 1e-13, 0);
}
