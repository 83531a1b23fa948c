/* Scalar products of moving vectors, which keep base vectors orthonormal: half of the constraints in space.
 * Tables avoid a call for each. Phi = f (a.b - c), with f = 1/2 and c = 1 for the length of one vector, as
 * in constraints.c. */
#ifndef GRADYN_MBS_DOTS_H
#define GRADYN_MBS_DOTS_H

#include "mbs/elements/mechanism.h"

/* The table entry of the constraint with index i, a scalar product of moving vectors; patterns must exist. */
mbs_dot mbs_dot_of(const gradyn_mbs *m, int i);

/* For all entries of the table, as for rods in mbs/mechanism/rods.h. phi: Phi, Phi' or Phi'' to value [m];
 * returns the row of the first value that is not finite, or -1. phi_q: its derivative by q to values in
 * pattern jac. force: f [full] += Phi_q^T lam. hessian: K += lam times second derivatives, in pattern dyn;
 * lam [m]. */
int mbs_dots_phi(const gradyn_mbs *m, const mbs_point_state *at, int order, double *value);
void mbs_dots_phi_q(const gradyn_mbs *m, const mbs_point_state *at, int order, double *values);
void mbs_dots_force(const gradyn_mbs *m, const mbs_point_state *at, const double *lam, double *f);
void mbs_dots_hessian(const gradyn_mbs *m, const double *lam, double *K);

#endif
