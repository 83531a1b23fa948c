/* Rods, constant distances between moving or ground points: most constraints of most mechanisms. Tables
 * avoid a call for each. Equations as in mbs/joints/constraints.c, with constant s and w = 1/s. */
#ifndef GRADYN_MBS_RODS_H
#define GRADYN_MBS_RODS_H

#include "mbs/elements/mechanism.h"

/* Fills the tables of rods and scalar products, and the list of constraints other than rods, in which
 * scalar products come first. To be called once, after the patterns exist. Error: GRADYN_NO_MEMORY, without
 * a message. */
gradyn_status mbs_collect_rods(gradyn_mbs *m);

/* Frees the tables of mbs_collect_rods(), also after a failure; to be called once. */
void mbs_clear_rods(gradyn_mbs *m);

/* Copies the present lengths of all rods, m, from the data to their table. */
void mbs_load_rods(gradyn_mbs *m);

/* Writes Phi, Phi' or Phi'' (order 0, 1, 2) of each rod to its row of value [m], at full arrays; other rows
 * stay. Returns the row of the first value that is not finite, or -1. */
int mbs_rods_phi(const gradyn_mbs *m, const mbs_point_state *at, int order, double *value);

/* Writes the derivative of Phi^(order) by q to the rows of rods in values [jac.nnz]; other rows stay. */
void mbs_rods_phi_q(const gradyn_mbs *m, const mbs_point_state *at, int order, double *values);

/* Adds Phi_q^T lam over all rods to f [full]; lam [m]. */
void mbs_rods_force(const gradyn_mbs *m, const mbs_point_state *at, const double *lam, double *f);

/* Adds lam times the second derivative of Phi by q, over all rods, to K, in pattern dyn; lam [m]. */
void mbs_rods_hessian(const gradyn_mbs *m, const double *lam, double *K);

#endif
