/* Tests of residuals: runs of equal sign (Wald and Wolfowitz 1940), skewness and kurtosis (Jarque and Bera
 * 1987). */
#include "optim/inference/residual_tests.h"

#include <math.h>

#include "optim/inference/distributions.h"

/* Fewest data for the test of normality, whose distribution is valid for many data only. */
enum { FEWEST_FOR_NORMAL = 8 };

/* Sums over the residuals of a fit. */
typedef struct sums {
  double positive, negative, runs; /* counts; zeros have no sign and end no run */
  double last_sign, before;        /* sign and value of the previous residual */
  double lag, second, third,
      fourth; /* moments about the mean; lag: products of successive residuals */
} sums;

/* Adds a residual u, in standard deviations, to the sums of the tests; first: no residual precedes it. */
static void add(sums *s, double u, double mean, bool first)
{
  const double d = u - mean, sign = (double)((u > 0) - (u < 0));
  s->positive += sign > 0;
  s->negative += sign < 0;
  s->runs += sign != 0 && sign != s->last_sign;
  s->last_sign = sign != 0 ? sign : s->last_sign;
  s->lag += first ? 0 : d * s->before;
  s->before = d;
  s->second += d * d;
  s->third += d * d * d;
  s->fourth += d * d * d * d;
}

/* With a and b residuals of each sign the number of runs has the mean 1 + 2ab/(a + b). */
static double test_runs(const sums *s)
{
  const double a = s->positive, b = s->negative, n = a + b, c = 2 * a * b;
  if (a < 2 || b < 2)
    return NAN;
  const double variance = c * (c - n) / (n * n * (n - 1));
  return gradyn_normal_tails(fabs(s->runs - 1 - c / n) / sqrt(variance));
}

/* n/6 (S^2 + (K - 3)^2/4) has the chi-square distribution with two degrees of freedom. */
static double test_normal(const sums *s, double n)
{
  const double variance = s->second / n;
  if (n < FEWEST_FOR_NORMAL || !(variance > 0))
    return NAN;
  const double skewness = s->third / n / pow(variance, 1.5);
  const double excess = s->fourth / n / (variance * variance) - 3;
  return exp(-n / 12 * (skewness * skewness + excess * excess / 4));
}

void gradyn_residuals_test(const gradyn_functional_info functionals[], size_t count, size_t fit,
                           const double u[], gradyn_residual_tests *out)
{
  sums s = {0};
  *out = (gradyn_residual_tests){.fit = fit, .largest = fit};
  for (size_t i = fit; i < count; i++)
    if (functionals[i].use == GRADYN_RESIDUAL && functionals[i].fit == fit) {
      out->mean += u[i];
      out->square_sum += u[i] * u[i];
      if (out->count == 0 || fabs(u[i]) > fabs(u[out->largest]))
        out->largest = i;
      out->count++;
    }
  out->mean /= out->count > 0 ? (double)out->count : 1;
  bool first = true;
  for (size_t i = fit; i < count; i++)
    if (functionals[i].use == GRADYN_RESIDUAL && functionals[i].fit == fit) {
      add(&s, u[i], out->mean, first);
      first = false;
    }
  out->correlation = out->count >= 3 && s.second > 0 ? s.lag / s.second : NAN;
  out->runs_probability = test_runs(&s);
  out->normal_probability = test_normal(&s, (double)out->count);
}
