/* Probabilities of distributions with whole degrees of freedom, as finite sums. Abramowitz and Stegun
 * (1964), 26.4.4, 26.4.5, 26.7.3 and 26.7.4. */
#include "optim/inference/distributions.h"

#include <math.h>

double gradyn_normal_tails(double x)
{
  return erfc(x * sqrt(0.5));
}

/* Solves Q(x) = q <= 1/2, where Q is the tail of p. The start is Abramowitz and Stegun's 26.2.22, with an
 * error below 0.003. Halley's method has third order: two steps reach round-off. */
double gradyn_normal_quantile(double p)
{
  const double q = fmin(p, 1 - p), t = sqrt(-2 * log(q)), pi = acos(-1);
  double x = t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
  for (int k = 0; k < 2; k++) {
    const double u = (gradyn_normal_tails(x) / 2 - q) * sqrt(2 * pi) * exp(x * x / 2);
    x += u / (1 - x * u / 2);
  }
  return p < 0.5 ? -x : x;
}

/* Probability of values above x: the sum over k of y^(a + k) e^-y/gamma(a + k + 1) with y = x/2. For odd n,
 * a is 1/2, and the tails of the normal distribution are added. For even n, a is 0. */
double gradyn_chi_square_tail(double x, size_t n)
{
  const double y = x / 2, a = n % 2 == 1 ? 0.5 : 0;
  double sum = n % 2 == 1 ? gradyn_normal_tails(sqrt(x)) : 0;
  for (size_t k = 0; k < n / 2; k++) {
    const double power = a + (double)k;
    sum += exp(power * log(y) - y - lgamma(power + 1));
  }
  return y > 0 ? fmin(sum, 1) : 1;
}

double gradyn_student_within(double t, size_t n)
{
  const double angle = atan(t / sqrt((double)n)), c = cos(angle), s = sin(angle);
  double term = n % 2 == 1 ? c : 1, sum = n == 1 ? 0 : term;
  for (size_t k = n % 2 == 1 ? 3 : 2; k < n; k += 2) {
    term *= c * c * (double)(k - 1) / (double)k;
    sum += term;
  }
  return n % 2 == 1 ? (angle + s * sum) * 2 / acos(-1) : s * sum;
}

/* Finds t by bisection. The probability increases with t, and is above 0.95 at t = 13 for all n. */
double gradyn_student_95(double degrees)
{
  double low = 1.959963984540054, high = 13; /* low: the value of the normal distribution */
  if (isinf(degrees))
    return low;
  for (int k = 0; k < 60; k++) {
    const double middle = (low + high) / 2;
    if (gradyn_student_within(middle, (size_t)degrees) < 0.95)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}
