/* The five-bar linkage by a hand-written program for IDAS and this mechanism only: the reference for the
 * cost of gradyn's generality. Index-1 semi-explicit form with 22 unknowns, dense linear solver, analytic
 * Jacobians. */
#ifndef RAW_IDAS_FIVE_BAR_H
#define RAW_IDAS_FIVE_BAR_H

typedef struct raw_counts {
  long steps, steps_backward;
  long residuals, jacobians; /* of the forward run */
} raw_counts;

/* Each returns 0, or the negative flag of IDAS with which it failed; runs over 5 s with the given
 * relative tolerance for everything. psi [3]; gradient [3][5] with respect to the free lengths of
 * the springs and mass, centre of mass and length of bar A1. */
int raw_simulate(double rtol, double psi[3], raw_counts *counts);
int raw_direct(double rtol, double psi[3], double gradient[3][5], raw_counts *counts);
int raw_adjoint(double rtol, double psi[3], double gradient[3][5], raw_counts *counts);

#endif
