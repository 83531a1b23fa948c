/* A double pendulum of uniform rods in absolute angles, and what a wall does to it: by hand, in
 * complex numbers, so that all derivatives come by complex step. */
#ifndef GRADYN_TESTS_REFERENCE_DOUBLE_PENDULUM_H
#define GRADYN_TESTS_REFERENCE_DOUBLE_PENDULUM_H

#include <complex.h>

typedef struct double_pendulum {
  double length[2], mass[2]; /* m, kg; the rods hang from the origin */
  double gravity;            /* m/s^2, down */
  double wall, restitution;  /* m, the tip stays on the left of x = wall */
} double_pendulum;

/* State (angles from straight down, counter-clockwise, and their rates) [4] to its rates, and to the
 * state behind an impact of the tip; and the gap to the wall. */
void double_pendulum_rates(const double_pendulum *p, const double complex y[4],
                           double complex rate[4]);
void double_pendulum_impact(const double_pendulum *p, const double complex y[4],
                            double complex after[4]);
double complex double_pendulum_gap(const double_pendulum *p, const double complex y[4]);

/* Xi = R_y + (F+ - R_y F-) r_y/(r_y F-) at a state on the wall, [4][4]. */
void double_pendulum_saltation(const double_pendulum *p, const double y[4], double matrix[16]);

#endif
