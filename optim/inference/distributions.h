/* Probabilities of distributions, in closed forms. */
#ifndef GRADYN_OPTIM_DISTRIBUTIONS_H
#define GRADYN_OPTIM_DISTRIBUTIONS_H

#include <stddef.h>

/* Returns P(|N| > x) of a standard normal variable, x >= 0. */
double gradyn_normal_tails(double x);

/* Returns x with P(N <= x) = p of a standard normal variable, 0 < p < 1. */
double gradyn_normal_quantile(double p);

/* Returns P(X > x) of the chi-square distribution with n >= 1 degrees of freedom, x >= 0. */
double gradyn_chi_square_tail(double x, size_t n);

/* Returns P(|T| <= t) of Student's distribution with n >= 1 degrees of freedom, t >= 0. */
double gradyn_student_within(double t, size_t n);

/* Returns t with P(|T| <= t) = 0.95. degrees: a whole number from 1, or HUGE_VAL for the normal
 * distribution. */
double gradyn_student_95(double degrees);

#endif
