/* Multipliers of natural constraints that joint coordinates replace: see reactions.c. */
#ifndef GRADYN_MBS_REACTIONS_H
#define GRADYN_MBS_REACTIONS_H

#include "core/linear/linsys.h"
#include "mbs/passes/tree.h"

/* Largest number of constraints of a link, the number of components of its vectors; fewer in the plane. */
enum { TREE_ROWS = 3 * TREE_VECTORS };

/* Constraints of a link, and their Jacobian at the present position. For a spherical joint, rotations of
 * the body about the ground's axes follow; the joint transmits no torque about them. */
typedef struct tree_reactions {
  int rows, row[TREE_ROWS];      /* in natural coordinates */
  int own[TREE_ROWS][TREE_ROWS]; /* [row][component] in jac; -1: zero */
  gradyn_linsys *matrix;         /* NULL: the joint transmits no force */
  double rest[3]; /* torques along these rotations, which schemes leave in the equations */
} tree_reactions;

/* Lists the constraints of all links, once. Errors: GRADYN_UNSUPPORTED with a message, GRADYN_NO_MEMORY. */
gradyn_status tree_find_reactions(tree *c);

/* Frees the matrices of tree_find_reactions(); also required after its failure, before the arena is
 * cleared. */
void tree_free_reactions(tree *c);

/* Computes the natural multipliers of the tree's joints at a natural state, without using at->lam. lam
 * [natural m] contains all other multipliers on entry, and all on return. Overwrites c->F and c->J. Errors:
 * GRADYN_SINGULAR with a message, if directions of a joint are degenerate; failures of callbacks. */
gradyn_status tree_react(tree *c, const gradyn_mech_state *at, double *lam);

/* Transposed derivative of tree_react(), called after it at the same state, with all multipliers in at->lam.
 * From the adjoints lam_bar [natural m] of the joints' multipliers, adds to the adjoints of data and time in
 * *data. Those of X, X', X'' are in c->bar, cleared before. Adjoints of the other multipliers are added to
 * left_bar [natural m]; NULL: not requested. Errors: failures of callbacks. */
gradyn_status tree_react_against(tree *c, const gradyn_mech_state *at, int columns,
                                 const gradyn_lanes *lam_bar, gradyn_lanes *left_bar,
                                 const gradyn_mech_adjoints *data);

#endif
