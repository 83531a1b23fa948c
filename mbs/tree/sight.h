/* Evaluation of the mechanism in natural coordinates, for joint coordinates. */
#ifndef GRADYN_MBS_TREE_SIGHT_H
#define GRADYN_MBS_TREE_SIGHT_H

#include "mbs/passes/passes.h"

/* Parts of a state that tree_to_natural() transforms. rows: number of leading constraints with multipliers;
 * v, a: with velocities and accelerations, which are otherwise zero. */
typedef struct tree_sight {
  int rows;
  bool v, a;
} tree_sight;

/* Converts the state `at` of the tree to natural coordinates. *sight: the parts to convert. *natural then
 * points to c->X and c->lam, valid until the next conversion; multipliers of joints in the tree are 0. */
void tree_to_natural(tree *c, const gradyn_mech_state *at, const tree_sight *sight,
                     gradyn_mech_state *natural);

/* Sets seen->at and seen->parts to the term in natural coordinates for selected parts. X'' = W a + W' v: W
 * a belongs to inertia and W' v to forces, so both need GRADYN_INERTIA. Also computes multipliers on which
 * forces depend. Errors: failures of callbacks; GRADYN_SINGULAR, with a message: directions of a joint are
 * degenerate. */
gradyn_status tree_look_at_parts(tree *c, int parts, const gradyn_mech_state *at,
                                 gradyn_mech_term *seen);

/* Removes the constraints that the tree's joints replace from the mechanism's lists, until
 * tree_restore_lists(). */
void tree_hide_replaced(tree *c);

/* Ends tree_hide_replaced(): restores the lists. Returns `status`, unchanged. */
gradyn_status tree_restore_lists(tree *c, gradyn_status status);

/* Computes R of these parts before the product with W^T, into c->F [natural n], at an evaluated natural
 * state. Errors: failures of callbacks. */
gradyn_status tree_loads(tree *c, int parts, const gradyn_mech_state *natural);

/* Adds (W^T R)_q dq + (W^T R)_v dv + (W^T R)_x dx of a term to r [n], for the changes *d in `columns`
 * lanes. Errors: failures of callbacks; GRADYN_SINGULAR, with a message: directions of a joint are
 * degenerate. */
gradyn_status tree_loads_along(tree *c, const gradyn_mech_term *term, int columns,
                               const gradyn_mech_change *d, gradyn_lanes *r);

/* Adds the changes by *d, in `columns` lanes, of a term's constraints phi(term->order) at the node to r
 * [rows of the term]. Errors: failures of callbacks. */
gradyn_status tree_equations_along(tree *c, const gradyn_mech_state *node,
                                   const gradyn_mech_term *term, int columns,
                                   const gradyn_mech_change *d, gradyn_lanes *r);

/* The function carry of gradyn_mech_ops, in carry.c: sets L [n][n] to guess number `which`, from 0, of a
 * velocity field L q + u that continues a steady motion. Returns false, and L stays, if there is no such
 * guess. */
bool tree_carry(const gradyn_mech *mech, const gradyn_mech_state *at, int which, double *L);

#endif
