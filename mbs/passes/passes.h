/* Joint coordinates: maps of joints, passes along the tree, masses. tree.h defines X, W and the arrays of a
 * tree c. A link is a body and its joint. Data are given by their index in x. */
#ifndef GRADYN_MBS_PASSES_H
#define GRADYN_MBS_PASSES_H

#include "mbs/passes/tree.h"

/* --- parts of the tree ------------------------------------------------------------------------ */

/* Returns the index in c->link of the link that owns entry `at` of X; -1: none, a coordinate outside the
 * tree or a multiplier. */
int tree_link_at(const tree *c, int at);

/* --- joints: L and its derivatives ------------------------------------------------------------ */

/* Lists the data on which a link's map depends in `found`, all active, and stores their number in link->data.
 * Called once. Returns false if a direction of a frame of the joint is not declared. */
bool tree_find_data(const gradyn_mbs *m, tree_link *link, tree_datum found[TREE_DATA]);

/* Computes the parts of a link's map that depend on the present data only. Returns false if the directions of
 * its frames define no triad, without a message. */
bool tree_load_map(const gradyn_mbs *m, tree_link *link);

/* Computes the members jet, jet_z and L_zz of a link: L with its derivatives by time and by coordinates. z:
 * its coordinates, their rates and accelerations, [order][coordinate]. orders: 3, or 1: only L and L_z are
 * valid. */
void tree_map_at(const gradyn_mbs *m, int orders, tree_link *link, double z[3][TREE_FREE]);

/* (f g)^(n) = sum of binomial f^(k) g^(n-k). */
static const double tree_binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};

/* --- passes ----------------------------------------------------------------------------------- */

/* Computes X, X', X'' (in c->X) and the maps of all links at a state q, v, a [n], copied; v or a NULL: zero.
 * Quantities that the state leaves unchanged are not computed again. */
void tree_move(tree *c, const double *q, const double *v, const double *a);

/* Computes the first `orders`, 1 to 3, of X, X', X'' (in c->X), and the maps of all links, at a state q, v,
 * a [n], copied; v or a NULL: zero. Higher orders may then be out of date. */
void tree_move_for(tree *c, int orders, const double *q, const double *v, const double *a);

/* Lists the blocks of the natural mass matrix M, once. Returns whether each block belongs to a single
 * body. */
bool tree_find_masses(tree *c);

/* Copies the present values of the natural M for tree_add_inertia() and the other products with M. */
void tree_load_masses(tree *c);

/* Adds the inertia forces M X'' at the state of tree_move() to F [natural n]. */
void tree_add_inertia(const tree *c, double *F);

/* Adds share M x to y [natural n], for four columns in lanes, x [natural n]. */
void tree_multiply_mass(const tree *c, double share, const gradyn_lanes *x, gradyn_lanes *y);

/* Writes W^T M W at the present position to M [n][n], by rows; in space only, and only if
 * tree_find_masses() has returned true. */
void tree_fill_mass(tree *c, double *M);

/* Changes of coordinates [n], of rates [n] and of data; each NULL: no change. columns: number of directions,
 * at most GRADYN_LANES, one per lane. Accelerations do not change. */
typedef struct tree_change {
  const gradyn_lanes *q, *v;
  const gradyn_mech_change *data;
  int columns;
} tree_change;

/* Sets *z to the changes of datum `at` of d->data, which must not be NULL, one lane per direction. Returns
 * false if all are zero. */
bool tree_take_datum(const tree *c, const tree_change *d, int at, gradyn_lanes *z);

/* Sets dv to the changes by the data of *d of the vectors of frame b (of_b) or a of a link: the origin,
 * then directions, in components of the frame's body. Returns false if all are zero. */
bool tree_change_frame(const tree *c, const tree_link *link, bool of_b, const tree_change *d,
                       gradyn_lanes dv[TREE_FRAME_VECTORS][3]);

/* Sets c->dX[0] to W dz, the change of X for changes dz [n] of the coordinates; c->dX[1] and c->dX[2]
 * stay. */
void tree_push(tree *c, const gradyn_lanes *dz);

/* Sets c->dX[0] to c->dX[2] to the changes of X, X', X'' by the changes *d, at the state of tree_move(). */
void tree_follow(tree *c, const tree_change *d);

/* After tree_follow() or tree_push(): adds the change of W^T F to r [n], for the change *d and changes in
 * c->dF of the loads F in c->F. Overwrites c->F and c->dF. */
void tree_pull_change(tree *c, const tree_change *d, gradyn_lanes *r);

/* Sets r [n] to W^T F, the loads on the coordinates, with loads F [natural n] on X in c->F, which is
 * overwritten. */
void tree_pull(tree *c, double *r);

/* Changes of a link by data, or their adjoints.
 * own, parent: C_ij, the change of vector i in the direction of base vector j. own: of the link's body, dX
 * = dC X. parent: of its parent, dX = L dC X_p.
 * shift: of frame a's origin along axes of its body, by time derivatives. shifted: of directions of slides.
 * rate, acceleration: of coordinates. load: with a load mu^T F : b, change of b by its coordinate.
 * z: the coordinates, with time derivatives. */
typedef struct tree_data_lanes {
  gradyn_lanes own[TREE_VECTORS][3], parent[TREE_VECTORS][3];
  gradyn_lanes shift[3][3], shifted[TREE_FREE][3];
  gradyn_lanes rate[TREE_FREE], acceleration[TREE_FREE], load[TREE_FREE];
  double z[3][TREE_FREE];
} tree_data_lanes;

/* Copies a link's coordinates and their time derivatives of orders below `orders` from the state of
 * tree_move() to z; the others are 0. */
void tree_take_coordinates(const tree *c, const tree_link *link, int orders,
                           double z[3][TREE_FREE]);

/* Fills *d with the changes of a link by data; returns false, and leaves *d as it is, if no data of the link
 * change. */
bool tree_data_along(const tree *c, const tree_link *link, const tree_change *change,
                     tree_data_lanes *d);

/* Transpose of tree_data_along(): `frame` receives the adjoints of the vectors of the joint's frames a and
 * b, origins first, in components of their bodies, from the adjoints B. */
void tree_data_against(const gradyn_mbs *m, const tree_link *link, const tree_data_lanes *B,
                       gradyn_lanes frame[2][TREE_FRAME_VECTORS][3]);

/* Results of tree_against(): adjoints q, v, a [n] and data, each NULL: not requested. Products are added. mu
 * [n], or NULL: also subtract the adjoints of mu^T W^T F, F in c->F, which is overwritten; tree_push() has
 * filled c->dX[0] for mu. */
typedef struct tree_adjoints {
  gradyn_lanes *q, *v, *a;
  const gradyn_lanes *mu;
  const gradyn_mech_adjoints *data;
  int columns;
  int orders; /* 1 to 3: orders of X, X', X'' with adjoints; the others are zero */
} tree_adjoints;

/* Adds the adjoints `frame` of tree_data_against() to those of active data in b->data, which must not be
 * NULL. */
void tree_give_data(const tree *c, const tree_link *link,
                    gradyn_lanes frame[2][TREE_FRAME_VECTORS][3], const tree_adjoints *b);

/* Sets c->bar to zero, before adjoints of X, X', X'' [natural n] are added to it. */
void tree_clear_adjoints(tree *c);

/* From the adjoints of X, X', X'' in c->bar, adds those of coordinates, rates, accelerations and data to
 * the arrays of *b. Then clears c->bar. */
void tree_against(tree *c, const tree_adjoints *b);

#endif
