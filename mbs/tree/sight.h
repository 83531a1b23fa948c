/* What joint coordinates see of the mechanism in natural ones, and what that answers. */
#ifndef GRADYN_MBS_TREE_SIGHT_H
#define GRADYN_MBS_TREE_SIGHT_H

#include "mbs/passes/passes.h"

/* The natural state at a state, in c->X and c->lam: multipliers of the first rows; velocities and
 * accelerations, or zero in their place. */
typedef struct tree_sight {
  int rows;
  bool v, a;
} tree_sight;

void tree_look(tree *c, const gradyn_mech_state *at, const tree_sight *sight,
               gradyn_mech_state *natural);
/* What selected parts see: W' v belongs to the forces, W a to the inertia, and both feel the mass. *seen: the
 * parts to ask for, and where. */
gradyn_status tree_look_at_parts(tree *c, int parts, const gradyn_mech_state *at,
                                 gradyn_mech_term *seen);

/* While schemes ask, elements are those of c->left.lists: between the two. */
void tree_leave_out(tree *c);
gradyn_status tree_put_back(tree *c, gradyn_status status);

/* W^T R before W^T, into c->F, at a natural state that has been looked at. */
gradyn_status tree_loads(tree *c, int parts, const gradyn_mech_state *natural);
/* (W^T R)_q dq + (W^T R)_v dv + (W^T R)_x dx of a term, added to r; its equations, likewise. */
gradyn_status tree_loads_along(tree *c, const gradyn_mech_term *term, int columns,
                               const gradyn_mech_change *d, gradyn_lanes *r);
gradyn_status tree_equations_along(tree *c, const gradyn_mech_state *node,
                                   const gradyn_mech_term *term, int columns,
                                   const gradyn_mech_change *d, gradyn_lanes *r);

/* Motions that may go on as they are, for `carry` of mech.h; see carry.c. */
bool tree_carry(const gradyn_mech *mech, const gradyn_mech_state *at, int which, double *L);

#endif
