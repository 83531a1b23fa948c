/* Joints of the tree with multipliers that forces depend on, by the loads that they transmit: see
 * wrenches.c. */
#ifndef GRADYN_MBS_TREE_WRENCHES_H
#define GRADYN_MBS_TREE_WRENCHES_H

#include "mbs/passes/passes.h"
#include "mbs/passes/six.h"

/* Frame a, frame b, and the axes of the ground, which a pin uses. */
enum { TREE_FRAMES = 3, TREE_PAIRS = 16 };

/* A term of a joint's constraint, share x (p.q), for the link's body: p is a vector of its frame, q of any
 * frame; 0 are origins. If both belong to the body, the term is listed twice, with p and q exchanged. */
typedef struct tree_pair_of {
  int row;   /* constraint of the joint */
  int p;     /* vector of the body's frame */
  int of, q; /* frame and its vector */
  int angle; /* the share is the cosine, or sine, of this frame's angle; -1: constant */
  bool sine;
  double sign;
} tree_pair_of;

/* A joint and its constraints J_i, with the constraints of its coordinates. Three constrain origins and are
 * forces. The other three constrain directions only; for freely rotating bodies, unit rotations about the
 * ground's axes replace them. */
typedef struct tree_wrench {
  int link, rows, row[6]; /* in natural coordinates, constraints of origins first */
  int pairs;
  tree_pair_of pair[TREE_PAIRS];
  int angle[2]; /* indices in X of the angles of frames a and b; -1: none */
  /* From the present data: origins and directions in components of their bodies. */
  double v[2][TREE_FRAME_VECTORS][3];
  /* At the present position: these along the ground's axes, with origins relative to the link's body; shares
   * of terms, and their derivatives by angles. */
  double at[TREE_FRAMES][TREE_FRAME_VECTORS][GRADYN_LANES], share[TREE_PAIRS], slope[TREE_PAIRS];
  double by_load[6][6]; /* lam = -(J_i T)^-T f for the transmitted load f */
} tree_wrench;

/* Fills *to with the constraints of the joint of the link with an index. GRADYN_UNSUPPORTED with a message:
 * they do not determine the reaction. */
gradyn_status tree_list_rows(const tree *c, int link, tree_wrench *to);

/* Computes joint->v from the present data. */
void tree_load_rows(const tree *c, tree_wrench *joint);

/* Computes the members that depend on the position in c->X: at, share, slope, by_load. Errors:
 * GRADYN_SINGULAR with a message, if directions of the joint are degenerate. */
gradyn_status tree_find_wrench(const tree *c, tree_wrench *joint);

/* Computes the change dg, by dX in c->dX[0] and data of d, of the load g = (J_i T)^T lam on the link's
 * body. J_i: constraints of the joint. lam [natural m]: multipliers. */
void tree_bend_along(const tree *c, const tree_wrench *joint, const double *lam,
                     const tree_change *d, lane_six *dg);

/* Transpose of tree_bend_along() for a motion `by` of the joint's body and multipliers lam [natural m]:
 * subtracts adjoints of X from c->bar[0], and of data from b. */
void tree_bend_against(tree *c, const tree_wrench *joint, const double *lam, const lane_six *by,
                       const tree_adjoints *b);

#endif
