/* Scalar products of freely moving vectors, which keep the base vectors of bodies orthonormal: half the
 * constraints of a mechanism in space. What the assembly needs of them, without a call for each; their
 * mathematics is that of constraints.c, Phi = f (a.b - c), f = 1/2 and c = 1 for the length of one. */
#ifndef GRADYN_MBS_DOTS_H
#define GRADYN_MBS_DOTS_H

#include "mbs/elements/mechanism.h"

/* What is known of constraint i, which is one of them; matrices have been laid out. */
mbs_dot mbs_dot_of(const gradyn_mbs *m, int i);

/* As those of mbs/mechanism/rods.h. */
int mbs_dots_phi(const gradyn_mbs *m, const mbs_point_state *at, int order, double *value);
void mbs_dots_phi_q(const gradyn_mbs *m, const mbs_point_state *at, int order, double *values);
void mbs_dots_force(const gradyn_mbs *m, const mbs_point_state *at, const double *lam, double *f);
void mbs_dots_hessian(const gradyn_mbs *m, const double *lam, double *K);

#endif
