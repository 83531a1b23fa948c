/* Gradients of the undivided motion from those of its segments. */
#ifndef GRADYN_TESTS_OPTIM_CHAINED_H
#define GRADYN_TESTS_OPTIM_CHAINED_H

#include "optim/segments/segments.h"

/* d psi/d rho to total [count][p] of `count` functionals from `first` on, with the cuts such that gaps stay
 * as they are: psi_rho - psi_w (gap_w)^-1 gap_rho. */
void chained_gradient(const gradyn_segments *s, const double *gradient, size_t first, size_t count,
                      double *total);

#endif
