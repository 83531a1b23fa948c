/* The cart-pole in two coordinates, position and angle, with complex numbers: an independent reference for
 * its functionals and gradients. */
#ifndef CART_POLE_JOINT_H
#define CART_POLE_JOINT_H

#include <complex.h>

/* Functionals in the order of the problem. */
enum {
  CART_POLE_X,
  CART_POLE_V,
  CART_POLE_ROTATION,
  CART_POLE_OMEGA,
  CART_POLE_EXCURSION,
  CART_POLE_EFFORT,
  CART_POLE_TIME,
  CART_POLE_FUNCTIONALS
};

/* Swings for a duration, s, under the natural cubic spline through knots [count <= 100], N. */
void cart_pole_joint(double complex duration, int count, const double complex knots[],
                     int steps_per_knot, double complex psi[CART_POLE_FUNCTIONALS]);

/* The natural spline through knots [count] at knot number s, 0 <= s <= count - 1. */
double complex cart_pole_spline(int count, const double complex knots[], double s);

#endif
