/* The five-bar linkage by an explicit Runge-Kutta method with projection, written for this mechanism alone in
 * complex arithmetic: an independent computation of the derivatives of the discrete scheme, by complex step
 * through the whole integration. */
#ifndef EXPLICIT_FIVE_BAR_H
#define EXPLICIT_FIVE_BAR_H

#include "tests/reference/five_bar_joint.h"

/* psi1..psi3 after `steps` equal steps of the method of an order to t_end, s. */
void explicit_five_bar(const five_bar_data *d, int order, double complex t_end, int steps,
                       double complex psi[3]);

/* Derivatives of psi with respect to one number of d, which is left unchanged; NULL: to t_end. */
void explicit_five_bar_derivative(five_bar_data *d, int order, double complex *member, double t_end,
                                  int steps, double derivative[3]);

#endif
