/* Constraints of Euler parameters p: Phi = (p.p - 1)/2, rows c->left.rows to m - 1 of a tree's motion. See
 * norms.c. */
#ifndef GRADYN_MBS_PASSES_NORMS_H
#define GRADYN_MBS_PASSES_NORMS_H

#include "mbs/passes/passes.h"

/* r [n] += p lam, the loads of the constraints, with p and multipliers of the state `at`. */
void tree_norms_load(const tree *c, const gradyn_mech_state *at, double *r);

/* Writes Phi, Phi' or Phi'' (order 0, 1, 2) at the state `at` to their entries of phi [m]; others stay. */
void tree_norms_values(const tree *c, int order, const gradyn_mech_state *at, double *phi);

/* Adds the change of tree_norms_load() by d->q [n] to r [n]; multipliers do not change. */
void tree_norms_load_along(const tree *c, const gradyn_mech_state *at, const gradyn_mech_change *d,
                           gradyn_lanes *r);

/* Adds the change of tree_norms_values() by d->q and d->v [n], each NULL: zero, to phi [m]. */
void tree_norms_values_along(const tree *c, int order, const gradyn_mech_state *at,
                             const gradyn_mech_change *d, gradyn_lanes *phi);

/* Transpose of tree_norms_load_along() for mu [n]: subtracts its product from adjoints->q [n]; NULL: no
 * effect. */
void tree_norms_load_against(const tree *c, const gradyn_mech_state *at, const gradyn_lanes *mu,
                             const gradyn_mech_adjoints *adjoints);

/* Transpose of tree_norms_values_along() for mu [m]: subtracts its products from adjoints->q and
 * adjoints->v [n]; NULL: not requested. */
void tree_norms_values_against(const tree *c, int order, const gradyn_mech_state *at,
                               const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints);

/* Whether a term has other constraints than those of Euler parameters. Parts select those of the start and of
 * contacts; those of the motion always count. */
bool tree_asks_others(const tree *c, int parts);

/* Writes the rows of Euler parameters of Phi_q at q [n] to values, pattern mech.jac; other rows stay. */
void tree_norms_slopes(const tree *c, const double *q, double *values);

#endif
