/* Evaluation of the mechanism in natural coordinates, for joint coordinates. */
#ifndef GRADYN_MBS_TREE_SIGHT_H
#define GRADYN_MBS_TREE_SIGHT_H

#include "mbs/passes/passes.h"

/* Parts of a state that tree_look() transforms. rows: number of constraints with multipliers; v, a: with
 * velocities and accelerations, which are otherwise zero. */
typedef struct tree_sight {
  int rows;
  bool v, a;
} tree_sight;

/* Computes the natural state of a state; *natural points to c->X and c->lam. */
void tree_look(tree *c, const gradyn_mech_state *at, const tree_sight *sight,
               gradyn_mech_state *natural);
/* Computes the natural term *seen for selected parts: W' v belongs to forces, W a to inertia, and both need
 * the mass matrix. Includes multipliers that forces need. Errors: see tree_read(). */
gradyn_status tree_look_at_parts(tree *c, int parts, const gradyn_mech_state *at,
                                 gradyn_mech_term *seen);

/* During calls of schemes, elements are listed in c->left.lists: between these two calls. tree_put_back()
 * returns its argument. */
void tree_leave_out(tree *c);
gradyn_status tree_put_back(tree *c, gradyn_status status);

/* Computes R before the product with W^T, into c->F [natural n], at an evaluated natural state. Errors of
 * this and the next two functions: as tree_read(). */
gradyn_status tree_loads(tree *c, int parts, const gradyn_mech_state *natural);
/* Adds (W^T R)_q dq + (W^T R)_v dv + (W^T R)_x dx of a term to r; the same for its constraint equations. */
gradyn_status tree_loads_along(tree *c, const gradyn_mech_term *term, int columns,
                               const gradyn_mech_change *d, gradyn_lanes *r);
gradyn_status tree_equations_along(tree *c, const gradyn_mech_state *node,
                                   const gradyn_mech_term *term, int columns,
                                   const gradyn_mech_change *d, gradyn_lanes *r);

/* Velocity fields that continue a steady motion, for `carry` of mech.h; see carry.c. */
bool tree_carry(const gradyn_mech *mech, const gradyn_mech_state *at, int which, double *L);

#endif
