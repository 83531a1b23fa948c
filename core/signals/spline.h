/* Natural cubic splines: second derivatives at knots. */
#ifndef GRADYN_CORE_SPLINE_H
#define GRADYN_CORE_SPLINE_H

#include <gradyn/model.h>

/* Sets curve [count] to the second derivatives at the knots [count] of the natural spline through them,
 * count >= 2, 0 at both ends. They are by time, for increasing times [count], s, or by knot index, times
 * NULL. work [count]; arrays do not overlap. */
void gradyn_spline_curve(int count, const gradyn_scalar *times, const gradyn_scalar *knots,
                         gradyn_scalar *work, gradyn_scalar *curve);

/* A spline with known second derivatives. times NULL: derivatives by knot index. */
typedef struct gradyn_spline {
  int count;
  const double *times, *knots, *curve; /* [count] */
} gradyn_spline;

/* Transposed derivative of gradyn_spline_curve(): knots_bar [count] += (d curve/d knots)^T curve_bar, and
 * times_bar [count] += (d curve/d times)^T curve_bar unless times_bar is NULL. curve_bar [count] is
 * overwritten; work [count]. */
void gradyn_spline_transposed(const gradyn_spline *spline, double *work, double *curve_bar,
                              double *times_bar, double *knots_bar);

#endif
