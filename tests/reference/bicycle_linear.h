/* The linearised equations of motion of a bicycle that rolls straight ahead, Meijaard, Papadopoulos,
 * Ruina and Schwab (2007), appendix A, by hand and in their axes: x ahead, z down. */
#ifndef GRADYN_TESTS_REFERENCE_BICYCLE_LINEAR_H
#define GRADYN_TESTS_REFERENCE_BICYCLE_LINEAR_H

#include <complex.h>

/* M q'' + v C q' + (g K0 + v^2 K2) q = 0 in the angles of lean and steer. */
typedef struct bicycle_linear {
  double M[2][2], C[2][2], K0[2][2], K2[2][2];
} bicycle_linear;

/* Of wheel base and trail (m) and the tilt of the steer axis (rad), with what else is in table 1. */
void bicycle_linear_make(double wheel_base, double trail, double tilt, bicycle_linear *out);

/* Its four eigenvalues at a speed, m/s. */
void bicycle_linear_eigenvalues(const bicycle_linear *b, double speed, double complex root[4]);

#endif
