/* Work against measured error: runs at decreasing tolerances, and the cost of a given error. */
#ifndef GRADYN_BENCH_CURVE_H
#define GRADYN_BENCH_CURVE_H

#include <math.h>

enum { CURVE_RUNS = 15 };

/* Tolerance of a run: half decades from 1e-3 on. */
static inline double bench_tolerance(int run)
{
  return pow(10, -3 - 0.5 * run);
}

/* Cost at a measured error, by logarithmic interpolation between the last two runs with larger and smaller
 * errors. If the loosest run has a smaller error: the cost of this run. If all runs have larger errors:
 * NAN. The error of a failed run is HUGE_VAL. */
static inline double bench_cost_at(double goal, const double error[CURVE_RUNS],
                                   const double cost[CURVE_RUNS])
{
  int k = CURVE_RUNS - 1, looser;
  while (k >= 0 && !(error[k] <= goal))
    k--;
  if (k < 0)
    return NAN;
  for (looser = k - 1; looser >= 0 && !(isfinite(error[looser]) && error[looser] > goal); looser--)
    k = isfinite(error[looser]) ? looser : k;
  if (looser < 0 || error[k] <= 0)
    return cost[k];
  const double way = log(goal / error[k]) / log(error[looser] / error[k]);
  return cost[k] * pow(cost[looser] / cost[k], way);
}

#endif
