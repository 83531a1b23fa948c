/* Kinds of joints in the tree, changes of the poses of their bodies, and norms of Euler parameters. */
#ifndef GRADYN_MBS_PASSES_JOINTS_H
#define GRADYN_MBS_PASSES_JOINTS_H

#include "mbs/passes/passes.h"

/* Motion of a coordinate. EULER: one of the Euler parameters of the body relative to its parent. TURN:
 * rotation of frame a about its z. TURN_B: rotation of frame b about its z. SLIDE: displacement of b's
 * origin along a direction of a. */
typedef enum tree_motion { TREE_EULER, TREE_TURN, TREE_TURN_B, TREE_SLIDE } tree_motion;

/* Directions that the constraints of a kind relate: TRIADS: all of both frames; AXES: z to z; CROSS: z of
 * one normal to z of the other; POINTS: none. */
typedef enum tree_ties { TREE_TRIADS, TREE_AXES, TREE_CROSS, TREE_POINTS } tree_ties;

typedef struct tree_kind {
  bool carries; /* a joint of this kind can position a body */
  tree_ties ties;
  int k;
  struct {
    tree_motion motion;
    int along; /* slides: index of the direction of a */
  } free[TREE_FREE];
} tree_kind;

/* Returns the kind of a joint, a constant entry of a table; never NULL. */
const tree_kind *tree_kind_at(gradyn_joint_kind kind);

/* Returns the kind of a link, a constant entry of a table; a link without a joint is a floating body. */
const tree_kind *tree_kind_of(const gradyn_mbs *m, const tree_link *link);

/* Returns the index, among a kind's coordinates, of the rotation of frame b (of_b) or of frame a; -1:
 * none. */
int tree_angle_of(const tree_kind *kind, bool of_b);

/* Returns whether a coordinate of this kind is a displacement. */
bool tree_slides(const tree_kind *kind);

/* Computes the parts of a link's map that depend on the present data only, for links whose kind relates no
 * directions, such as spherical joints; in euler.c. */
void tree_euler_load(const gradyn_mbs *m, tree_link *link);

/* Computes jet, jet_z and L_zz of a link whose kind relates no directions. z [order][coordinate]: its
 * coordinates, rates and accelerations, with Euler parameters. */
void tree_euler_map(tree_link *link, double z[3][TREE_FREE]);

/* Makes names of links, of Euler parameters and of their constraints, such as "ball.p0" and "ball.norm".
 * Coordinates and constraints must be listed. GRADYN_NO_MEMORY, without a message. */
gradyn_status tree_name_links(tree *c);

/* Returns the name of coordinate i of the tree, from 0, which must be an Euler parameter; owned by the
 * tree's arena. */
const char *tree_parameter_name(const tree *c, int i);

/* Returns the index of the point that is coordinate i of a joint in natural coordinates, and sets *row to
 * the constraint that ties it; -1, both: there is none. i: from 0, in the order of tree_kind. */
int tree_coordinate_of(const mbs_joint *j, int i, int *row);

/* Replaces the directions in link->v by orthonormal triads of both frames for which the joint's constraints
 * are satisfied; also computes link->rise and link->slide. Returns false if the directions define no
 * triads. */
bool tree_make_triads(const tree_kind *kind, tree_link *link);

/* Sets v to the vectors of a frame, by its index, in components of its body (or of the ground): o, x, y, z.
 * A direction that is not declared is the cross product of the others. */
void tree_take_vectors(const gradyn_mbs *m, int frame, double v[TREE_FRAME_VECTORS][3]);

/* Sets *c and *s to the derivatives of order k >= 0 of cos z and sin z by z, rad. */
void tree_circle(double z, int k, double *c, double *s);

/* --- norms of Euler parameters ---------------------------------------------------------------- */

/* Constraints of Euler parameters p: Phi = (p.p - 1)/2, rows c->left.rows to m - 1 of the motion; see
 * norms.c. */

/* Adds p lam, the loads of the constraints |p| = 1 of Euler parameters, to r [n], with p and multipliers of
 * the state `at`. */
void tree_norms_load(const tree *c, const gradyn_mech_state *at, double *r);

/* Writes Phi, Phi' or Phi'' (order 0, 1, 2) of the constraints |p| = 1 at the state `at` to their entries
 * of phi [m]; others stay. */
void tree_norms_values(const tree *c, int order, const gradyn_mech_state *at, double *phi);

/* Adds the change of tree_norms_load() by d->q [n] to r [n]; multipliers do not change. */
void tree_norms_load_along(const tree *c, const gradyn_mech_state *at, const gradyn_mech_change *d,
                           gradyn_lanes *r);

/* Adds the change of tree_norms_values(), of this order, by d->q and d->v [n], each NULL: zero, to phi
 * [m]. */
void tree_norms_values_along(const tree *c, int order, const gradyn_mech_state *at,
                             const gradyn_mech_change *d, gradyn_lanes *phi);

/* Transpose of tree_norms_load_along() for mu [n]: subtracts its product from adjoints->q [n]; adjoints->q
 * NULL: no effect. */
void tree_norms_load_against(const tree *c, const gradyn_mech_state *at, const gradyn_lanes *mu,
                             const gradyn_mech_adjoints *adjoints);

/* Transpose of tree_norms_values_along(), of this order, for mu [m]: subtracts its products from
 * adjoints->q and adjoints->v [n]; each NULL: not requested. */
void tree_norms_values_against(const tree *c, int order, const gradyn_mech_state *at,
                               const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints);

/* Returns whether a term has other constraints than those of Euler parameters. The flags `parts` select
 * those of the start and of contacts; those of the motion always count. */
bool tree_asks_others(const tree *c, int parts);

/* Writes the rows of Euler parameters of Phi_q at q [n] to values, pattern mech.jac; other rows stay. */
void tree_norms_slopes(const tree *c, const double *q, double *values);

#endif
