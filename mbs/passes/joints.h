/* What kinds of joints on the tree are made of, and how poses of their bodies change. */
#ifndef GRADYN_MBS_PASSES_JOINTS_H
#define GRADYN_MBS_PASSES_JOINTS_H

#include "mbs/passes/passes.h"

/* What a coordinate moves: frame a turns about its z; b's origin slides along a direction of a; frame b turns
 * about its z; or one of the Euler parameters of the body on its parent, whatever the frames' directions. */
typedef enum tree_motion { TREE_EULER, TREE_TURN, TREE_TURN_B, TREE_SLIDE } tree_motion;

/* Which directions a kind ties: all of both frames, z; z of one to z of the other, normal; or none. */
typedef enum tree_ties { TREE_TRIADS, TREE_AXES, TREE_CROSS, TREE_POINTS } tree_ties;

typedef struct tree_kind {
  bool carries;
  tree_ties ties;
  int k;
  struct {
    tree_motion motion;
    int along; /* of slides: direction of a */
  } free[TREE_FREE];
} tree_kind;

const tree_kind *tree_kind_at(gradyn_joint_kind kind);
const tree_kind *tree_kind_of(const gradyn_mbs *m, const tree_link *link);

/* The coordinate that turns a frame, -1: none; whether any slides. */
int tree_angle_of(const tree_kind *kind, bool of_b);
bool tree_slides(const tree_kind *kind);

/* Maps of links whose kind ties no directions: what of them is constant, and at a place, see euler.c. */
void tree_euler_load(const gradyn_mbs *m, tree_link *link);
void tree_euler_map(tree_link *link, double z[3][TREE_FREE]);

/* Names of links and of what they have, once coordinates and rows are listed: "ball.p0", "ball.norm", and all
 * coordinates of a link. Then that of coordinate i, an Euler parameter. */
gradyn_status tree_name_links(tree *c);
const char *tree_parameter_name(const tree *c, int i);

/* Coordinate i of a joint as a point of the mechanism, and the row that ties it; -1: natural coordinates have
 * none such. */
int tree_coordinate_of(const mbs_joint *j, int i, int *row);

/* Orthonormal triads in the place of the directions of both frames that the joint's rows tie, with rise and
 * slide of the link; false: these directions define none. */
bool tree_make_triads(const tree_kind *kind, tree_link *link);

/* The vectors of a frame: o, x, y, z; what is not declared follows from the others. */
void tree_take_vectors(const gradyn_mbs *m, int frame, double v[TREE_FRAME_VECTORS][3]);

/* Order k of cos z and sin z. */
void tree_circle(double z, int k, double *c, double *s);

#endif
