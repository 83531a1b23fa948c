/* Multipliers of the rows that joint coordinates do without: see reactions.c. */
#ifndef GRADYN_MBS_REACTIONS_H
#define GRADYN_MBS_REACTIONS_H

#include "core/linear/linsys.h"
#include "mbs/passes/tree.h"

/* As many rows tie a body to its parent and its base vectors to each other as its vectors have
 * components, at most: in the plane fewer. */
enum { TREE_ROWS = 3 * TREE_VECTORS };

/* Those of a link, and their Jacobian at the place looked at last. Behind the rows of a spherical joint
 * stand turns of the body about the ground's axes: along these nothing goes through the joint. */
typedef struct tree_reactions {
  int rows, row[TREE_ROWS];      /* in natural coordinates */
  int own[TREE_ROWS][TREE_ROWS]; /* [row][component] in jac; -1: zero */
  gradyn_linsys *matrix;         /* NULL: nothing goes through the joint */
  double rest[3];                /* torques that turns are left with */
} tree_reactions;

/* Lists the rows of all links; tree_free_reactions() also after a failure. */
gradyn_status tree_find_reactions(tree *c);
void tree_free_reactions(tree *c);

/* The natural multipliers of the joints on the tree at a natural state whose others stand in lam, where they
 * are put. */
gradyn_status tree_react(tree *c, const gradyn_mech_state *at, double *lam);

/* After that, at the same state: bars of those multipliers [natural m] to those of X, X', X'' there, which
 * are left in c->bar, of data and time; those of other multipliers are added to left_bar [natural m], NULL:
 * not. */
gradyn_status tree_react_against(tree *c, const gradyn_mech_state *at, int columns,
                                 const gradyn_lanes *lam_bar, gradyn_lanes *left_bar,
                                 const gradyn_mech_adjoints *data);

#endif
