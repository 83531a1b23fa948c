/* Constant distances between freely moving or ground points, which most mechanisms are made of: what the
 * assembly needs of them, without a call for each. Their mathematics is that of
 * mbs/joints/constraints.c with constant s and w = 1/s. */
#ifndef GRADYN_MBS_RODS_H
#define GRADYN_MBS_RODS_H

#include "mbs/elements/mechanism.h"

/* Fills the tables of rods and of scalar products from the sealed constraints, and the list of all but rods,
 * which begins with the latter. */
gradyn_status mbs_collect_rods(gradyn_mbs *m);
void mbs_clear_rods(gradyn_mbs *m);

/* Takes over the present lengths. */
void mbs_load_rods(gradyn_mbs *m);

/* Phi, Phi', Phi'' by order into value [m]; returns the row of the first that is not finite, or -1. */
int mbs_rods_phi(const gradyn_mbs *m, const mbs_point_state *at, int order, double *value);
/* Rows of the derivative of phi(order) by q, pattern jac. */
void mbs_rods_phi_q(const gradyn_mbs *m, const mbs_point_state *at, int order, double *values);
/* f [full] += Phi_q^T lam. */
void mbs_rods_force(const gradyn_mbs *m, const mbs_point_state *at, const double *lam, double *f);
/* K += sum of lam times the second derivatives, pattern dyn. */
void mbs_rods_hessian(const gradyn_mbs *m, const double *lam, double *K);

#endif
