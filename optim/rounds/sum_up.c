/* Sum-up rounding (Sager 2005; Sager, Bock and Diehl 2012).
 *
 * Let e_i be the integral of a_i - w_i up to interval k of length h, with the relaxed values a and the
 * rounded values w. A single control takes the whole number next to a that is nearest to a + e/h. Of a set,
 * the control with the largest e_i + a_i h is 1. As e is linear between knots, it is largest at a knot. */
#include "optim/rounds/sum_up.h"

#include <math.h>

/* Returns the whole number next to a that is nearest to `due`; halves are rounded up. */
static double nearest(double a, double due)
{
  const double below = -ceil(-a);
  return due - below >= 0.5 ? ceil(a) + 0.0 : below; /* + 0.0: no -0 */
}

/* Returns the control of the set that is 1 in interval k. */
static size_t choose(const gradyn_sum_up *grid, const double relaxed[], const double e[], size_t k)
{
  size_t chosen = 0;
  double most = -HUGE_VAL;
  for (size_t i = 0; i < grid->controls; i++) {
    const double due = e[i] + relaxed[i * grid->intervals + k] * grid->length[k];
    chosen = due > most ? i : chosen;
    most = fmax(most, due);
  }
  return chosen;
}

double gradyn_sum_up_round(const gradyn_sum_up *grid, const double relaxed[], double rounded[],
                           double e[])
{
  const size_t n = grid->intervals;
  double largest = 0;
  for (size_t i = 0; i < grid->controls; i++)
    e[i] = 0;
  for (size_t k = 0; k < n; k++) {
    const double h = grid->length[k];
    const size_t one = choose(grid, relaxed, e, k);
    for (size_t i = 0; i < grid->controls; i++) {
      const double a = relaxed[i * n + k];
      double *w = &rounded[i * n + k];
      *w = grid->controls > 1 ? i == one : nearest(a, h > 0 ? a + e[i] / h : a);
      e[i] += (a - *w) * h;
      largest = fmax(largest, fabs(e[i]));
    }
  }
  return largest;
}

double gradyn_sum_up_bound(const gradyn_sum_up *grid)
{
  double longest = 0;
  for (size_t k = 0; k < grid->intervals; k++)
    longest = fmax(longest, grid->length[k]);
  return longest * (grid->controls > 1 ? (double)grid->controls - 1 : 0.5);
}
