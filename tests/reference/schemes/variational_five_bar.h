/* The five-bar linkage by the variational scheme, written for this mechanism alone in complex arithmetic: an
 * independent computation of the derivatives of the discrete scheme, by complex step through the whole
 * integration. */
#ifndef VARIATIONAL_FIVE_BAR_H
#define VARIATIONAL_FIVE_BAR_H

#include "tests/reference/five_bar_joint.h"

/* psi1..psi3 by the scheme's own rule after `steps` equal steps to t_end, s; alpha: its quadrature. */
void variational_five_bar(const five_bar_data *d, double alpha, double complex t_end, int steps,
                          double complex psi[3]);

/* Derivatives of psi with respect to one number of d, which is left unchanged; NULL: to t_end. */
void variational_five_bar_derivative(five_bar_data *d, double alpha, double complex *member,
                                     double t_end, int steps, double derivative[3]);

#endif
