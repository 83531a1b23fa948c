/* Radau IIA with three stages and steps of equal length for F(t, y, y', p) = 0 of index 1, in complex
 * arithmetic: an independent computation of the derivatives of the discrete run, by complex step through the
 * whole integration. A step is written as collocation: rates are those of the polynomial through its start
 * and its stages. */
#ifndef RADAU_COMPLEX_H
#define RADAU_COMPLEX_H

#include <complex.h>

enum { RADAU_COMPLEX_STATES = 4, RADAU_COMPLEX_PARAMETERS = 4 }; /* at most */

typedef struct radau_complex_system {
  int states, parameters;
  /* F [states], analytic in all that it is given; F must not use the rates of algebraic states. */
  void (*residual)(double complex t, const double complex y[], const double complex yp[],
                   const double complex p[], double complex F[]);
  double complex (*integrand)(double complex t, const double complex y[], const double complex p[]);
} radau_complex_system;

/* Takes y [states] from time 0 to t_end, in so many steps; returns the integral by the method's own
 * quadrature. Algebraic states need no consistent start. Stages that are not found to round-off end the
 * program. */
double complex radau_complex(const radau_complex_system *s, const double complex p[], double t_end,
                             int steps, double complex y[]);

/* States at the end and, last, the integral, from `start` at the parameters p: value [states + 1], and their
 * derivatives slope [states + 1][parameters]. */
void radau_complex_gradient(const radau_complex_system *s, const double p[], const double start[],
                            double t_end, int steps, double value[], double slope[]);

#endif
