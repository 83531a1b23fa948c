/* Sum-up rounding of piecewise constant controls. */
#ifndef GRADYN_OPTIM_SUM_UP_H
#define GRADYN_OPTIM_SUM_UP_H

#include <stddef.h>

/* Controls on one grid. */
typedef struct gradyn_sum_up {
  /* number of controls; 1: a whole number; more: exactly one of them is 1, the others are 0 */
  size_t controls;
  size_t intervals;
  const double *length; /* [intervals], s, >= 0 */
} gradyn_sum_up;

/* Rounds the values relaxed [controls][intervals] to rounded, of the same shape; the arrays must not
 * overlap. e [controls]: overwritten, the integrals of relaxed - rounded at the end. Returns the largest
 * |integral of relaxed - rounded| of a control from the start to any time, in the unit of a value times s. */
double gradyn_sum_up_round(const gradyn_sum_up *grid, const double relaxed[], double rounded[],
                           double e[]);

/* Returns the bound of this deviation: half the longest interval for one control, otherwise controls - 1
 * times the longest. It holds if the controls of a set add up to 1 and are at least 0. */
double gradyn_sum_up_bound(const gradyn_sum_up *grid);

#endif
