/* Scalar products of moving vectors, which keep base vectors orthonormal: half of the constraints in space.
 * Tables avoid a call for each. Phi = f (a.b - c), with f = 1/2 and c = 1 for the length of one vector, as
 * in constraints.c. */
#ifndef GRADYN_MBS_DOTS_H
#define GRADYN_MBS_DOTS_H

#include "mbs/elements/mechanism.h"

/* Returns the table entry of the constraint with index i, a scalar product of moving vectors; patterns must
 * exist. */
mbs_dot mbs_dot_of(const gradyn_mbs *m, int i);

/* Writes Phi, Phi' or Phi'' (order 0, 1, 2) of each scalar product to its row of value [m]; other rows
 * stay. Returns the row of the first value that is not finite, or -1. */
int mbs_dots_phi(const gradyn_mbs *m, const mbs_point_state *at, int order, double *value);

/* Writes the derivative of Phi^(order) by q to the rows of scalar products in values [jac.nnz]; other rows
 * stay. */
void mbs_dots_phi_q(const gradyn_mbs *m, const mbs_point_state *at, int order, double *values);

/* Adds Phi_q^T lam over all scalar products to f [full]; lam [m]. */
void mbs_dots_force(const gradyn_mbs *m, const mbs_point_state *at, const double *lam, double *f);

/* Adds lam times the second derivative of Phi by q, over all scalar products, to K, in pattern dyn; lam
 * [m]. */
void mbs_dots_hessian(const gradyn_mbs *m, const double *lam, double *K);

#endif
