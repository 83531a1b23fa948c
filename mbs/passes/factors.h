/* Solves with the mass matrix of a tree, which is never formed, and with the remaining constraints. f:
 * factors, of the caller; x: lanes of right-hand sides (core/linear/lanes.h). present position: that of
 * tree_move(). */
#ifndef GRADYN_MBS_PASSES_FACTORS_H
#define GRADYN_MBS_PASSES_FACTORS_H

#include "mbs/passes/passes.h"
#include "mbs/passes/six.h"

/* The remaining constraints are those that the tree's joints do not replace. tree_find_rows(), called once,
 * finds mech.jac, their pattern, and the links on their paths. GRADYN_NO_MEMORY. tree_fill_rows() writes rows
 * first to last - 1 of J W to values, pattern mech.jac. The natural Jacobian J is in c->J, at the present
 * position. Rows of Euler parameters stay. */
gradyn_status tree_find_rows(tree *c);
void tree_fill_rows(tree *c, int first, int last, double *values);
/* A group is four remaining constraints, one per lane; groups count from 0. tree_spread_rows() copies their
 * rows of c->J to c->left.on_top.load, which must be zero. tree_clear_rows() sets its entries to zero again.
 * tree_row_size(): sum of squares of a row of c->J; not for constraints of Euler parameters. */
void tree_spread_rows(tree *c, int group);
void tree_clear_rows(tree *c, int group);
double tree_row_size(const tree *c, int row);
/* row_size of mech.h, from the natural row in c->J. 0 for constraints of Euler parameters. */
double tree_row_size_of_bodies(const gradyn_mech *mech, int row);

/* Factors of the mass matrix from the leaves to the root, and solves with them; see mech.h. They require
 * trees that hang on the ground, and a separate mass for each coordinate outside joints.
 * tree_count_factors() returns the count of numbers of all factors, gradyn_mech_factors.numbers; 0: the
 * model does not meet these conditions. If it is not 0, also sets c->own.kept, the part that belongs to
 * links. */
void tree_reserve(tree *c); /* takes their memory from the arena; check its status */
int tree_count_factors(tree *c);
/* Whether a pivot is larger than the round-off of a number of this size (> 0). */
bool tree_resists(double pivot, double size);
/* Adds a body's own inertia, T^T M_X T, at the present position, to *S. */
void tree_add_body(const tree *c, const tree_link *link, tree_share *S);
/* Factors of a link within f: r - r_p [3], m, followed by motions of its coordinates [k][6]. */
static inline const double *tree_arm_in(const tree_link *link, const double *f)
{
  return f + link->kept;
}
/* Factors of links only, f [c->own.kept], of W^T M W = L D L^T, and solves with them in place of x [n].
 * tree_factor_links(): computes f at the present position. Errors, without a message: GRADYN_SINGULAR:
 * coordinate *weak has no inertia; GRADYN_NON_FINITE. tree_enter_links(): x = L^-1 x, with constraints of
 * Euler parameters. tree_leave_links(): x = L^-T D^-1 x. tree_enter_rows(): x = L^-1 x for a group of
 * constraints, with loads on bodies in c->left.on_top.load; only links on the group's path are visited.
 * tree_divide_rows(): x = D^-1 x for these links. */
gradyn_status tree_factor_links(tree *c, double *f, int *weak);
void tree_enter_links(const tree *c, const double *f, gradyn_lanes *x);
void tree_leave_links(const tree *c, const double *f, gradyn_lanes *x);
void tree_enter_rows(const tree *c, int group, const double *f, gradyn_lanes *x);
void tree_divide_rows(const tree *c, int group, const double *f, gradyn_lanes *x);
/* Whether the remaining constraints can be solved with these factors: in space, if all coordinates that
 * they couple have inertia or belong to joints. True if no constraint remains. */
bool tree_rows_serve(const tree *c);
/* factor, enter and leave of gradyn_mech_ops, see core/mech/mech.h. */
gradyn_status tree_factor(gradyn_mech *mech, const gradyn_mech_state *at, double *f, double *S,
                          int *weak);
void tree_enter(gradyn_mech *mech, const double *f, gradyn_lanes *x);
void tree_leave(gradyn_mech *mech, const double *f, gradyn_lanes *x);

#endif
