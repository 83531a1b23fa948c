/* Joint coordinates in the plane. A body or rod has a point P, its pivot, and an angle. Its vectors X_v and
 * its pivot are
 *     X_v = tau_v P + kappa_v U,   U = exp(i angle),   P = P_p + (rho + z xi) U_p,
 * in complex numbers, where z is a slide. The angle is the parent's plus an offset plus a rotation; angles
 * of rods, and of bodies without a joint, are relative to the ground. All passes use scalars; see
 * docs/theory/coordinates.md. */
#ifndef GRADYN_MBS_PASSES_PLANE_H
#define GRADYN_MBS_PASSES_PLANE_H

#include "mbs/passes/plane_link.h"

/* The ground's axes, which are constant. */
extern const plane_place plane_ground;

/* Returns the state of the parent of a link with a pivot that is no point of X, or that of the ground;
 * owned by c. */
static inline const plane_place *plane_parent(const tree *c, const plane_link *link)
{
  return link->parent >= 0 ? &c->plane->link[link->parent].at : &plane_ground;
}

/* Returns U of link i, from 0, the unit vector of its angle, after plane_take_angles(). */
static inline plane_vector plane_turned(const plane *p, int i)
{
  return (plane_vector){((const double *)p->cosine)[i], ((const double *)p->sine)[i]};
}

/* Returns whether the coordinate of a link is a displacement. */
static inline bool plane_slides(const plane_link *link)
{
  return link->z >= 0 && link->turns == 0;
}

/* --- functions of tree.h and passes.h, in the plane ------------------------------------------- */

/* Makes the links of the tree from the declared turns, once. GRADYN_NO_MEMORY, without a message. */
gradyn_status plane_find(tree *c);

/* Computes the constants of the links from the present data. */
void plane_load(tree *c);

/* Selects the data of links with derivatives: active [nx]; active NULL: all. */
void plane_activate(tree *c, const bool *active);

/* Computes angles and U of all links at coordinates q [n], unless they are valid for q. */
void plane_take_angles(tree *c, const double *q);

/* Computes orders `first` to `orders` - 1, each 0 to 2, of X, X', X'' of the links, at the state that
 * tree_move() has stored. */
void plane_move(tree *c, int first, int orders);

/* Does the part of tree_push() for links of the plane: sets their entries of c->dX[0] to W dz, dz [n]. */
void plane_push(tree *c, const gradyn_lanes *dz);

/* Does the part of tree_follow() for links of the plane: sets their entries of c->dX[0] to c->dX[2] to the
 * changes of X, X', X'' by *d. */
void plane_follow(tree *c, const tree_change *d);

/* Does the part of tree_pull() for links of the plane: adds W^T F to r [n], with their loads F in c->F,
 * which is overwritten. */
void plane_pull(tree *c, double *r);

/* Does the part of tree_pull_change() for links of the plane: adds the change of W^T F by *d to r [n], with
 * F in c->F and dF in c->dF, both overwritten. */
void plane_pull_change(tree *c, const tree_change *d, gradyn_lanes *r);

/* Does the part of tree_against() for links of the plane: from the adjoints of X, X', X'' in c->bar, adds
 * those of coordinates, rates, accelerations and data to *b. */
void plane_against(tree *c, const tree_adjoints *b);

/* Adds the loads c->F on the vectors of link i, from 0, to its force f and moment m. Links are visited from
 * the leaves to the root; the caller clears f and m of all links first. */
void plane_load_link(tree *c, int i);

/* Adds the force of link i, and its moment about the parent's pivot, to the parent; if the link's pivot
 * belongs to X, adds the force to c->F instead. Also adds the link's moment to the parent if its angle is
 * relative to the parent's. */
void plane_pass_loads(tree *c, int i);

/* Returns whether each inertia belongs to one link and, at most, its pivot, or to one coordinate of no
 * link. */
bool plane_has_own_inertias(const tree *c);

/* Returns whether plane_has_own_inertias() is true, and each pivot of a rod that is fixed to another link
 * is a point of X. */
bool plane_has_own_masses(const tree *c);

/* Adds M X'' for the vectors of links to F [natural n]; only if plane_has_own_masses() returns true. */
void plane_add_inertia(const tree *c, double *F);

/* Adds share M x for the vectors of links to y [natural n], x [natural n] in lanes; only if
 * plane_has_own_masses() returns true. */
void plane_multiply_mass(const tree *c, double share, const gradyn_lanes *x, gradyn_lanes *y);

/* Returns the count of numbers of the factors of all links of a plane tree, the value of c->own.kept. 0:
 * the model has no such factors. */
int plane_count_factors(tree *c);

/* Computes the factors f [c->own.kept] of the links of a plane tree, W^T M W = L D L^T, at the present
 * position. Errors, without a message: GRADYN_SINGULAR: coordinate *weak has no inertia;
 * GRADYN_NON_FINITE. */
gradyn_status plane_factor(tree *c, double *f, int *weak);

/* Replaces x [n] by L^-1 x, with the factors f of the links of a plane tree. */
void plane_enter(const tree *c, const double *f, gradyn_lanes *x);

/* Replaces x [n] by L^-T D^-1 x, with the factors f of the links of a plane tree. */
void plane_leave(const tree *c, const double *f, gradyn_lanes *x);

#endif
