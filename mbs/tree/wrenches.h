/* Joints on the tree whose multipliers are told, by what goes through them: see wrenches.c. */
#ifndef GRADYN_MBS_TREE_WRENCHES_H
#define GRADYN_MBS_TREE_WRENCHES_H

#include "mbs/passes/passes.h"
#include "mbs/passes/six.h"

/* Frame a, frame b, and the axes of the ground, which a pin is along. */
enum { TREE_FRAMES = 3, TREE_PAIRS = 16 };

/* A part of a joint's row, share x (p.q), as the link's body sees it: p is a vector of its frame, q of any
 * frame, origins first. Where both are its own, it is listed a second time the other way round. */
typedef struct tree_pair_of {
  int row;   /* which of the joint's */
  int p;     /* which of the frame that the body has */
  int of, q; /* which of which frame */
  int angle; /* by whose cosine, or sine, the share is; -1: it is constant */
  bool sine;
  double sign;
} tree_pair_of;

/* A joint and its rows J_i, those of its coordinates among them: three that hold its origins, which are
 * forces, and three of directions alone, or where its body turns freely unit turns about the ground's axes in
 * the place of these. */
typedef struct tree_wrench {
  int link, rows, row[6]; /* of natural coordinates, those that hold origins first */
  int pairs;
  tree_pair_of pair[TREE_PAIRS];
  int angle[2]; /* where angles of frames a and b stand in X; -1: it has none */
  /* of the present data: origins and directions in components of their bodies */
  double v[2][TREE_FRAME_VECTORS][3];
  /* at the place looked at: the same along the ground's axes, origins from that of the link's body; shares of
   * pairs and their derivatives by angles */
  double at[TREE_FRAMES][TREE_FRAME_VECTORS][GRADYN_LANES], share[TREE_PAIRS], slope[TREE_PAIRS];
  double by_load[6][6]; /* lam = -(J_i T)^-T f of what goes through the joint, f */
} tree_wrench;

/* Lists the rows of a link's joint. */
gradyn_status tree_list_rows(const tree *c, int link, tree_wrench *to);
/* v, with the present data. */
void tree_load_rows(const tree *c, tree_wrench *joint);
/* What belongs to the place of c->X. */
gradyn_status tree_find_wrench(const tree *c, tree_wrench *joint);

/* What the rows with multipliers lam [natural m] load the link's body with, g = (J_i T)^T lam, changes by dX
 * in c->dX[0] and data of d; its transpose at a motion by: minus bars of X into c->bar[0], and of data. */
void tree_bend_along(const tree *c, const tree_wrench *joint, const double *lam,
                     const tree_change *d, lane_six *dg);
void tree_bend_against(tree *c, const tree_wrench *joint, const double *lam, const lane_six *by,
                       const tree_adjoints *b);

#endif
