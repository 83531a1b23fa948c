/* Solves with the mass matrix of a tree, which is never formed, and with the remaining constraints. f:
 * factors, of the caller; x: lanes of right-hand sides (core/linear/lanes.h). present position: that of
 * tree_move(). */
#ifndef GRADYN_MBS_PASSES_FACTORS_H
#define GRADYN_MBS_PASSES_FACTORS_H

#include "mbs/passes/passes.h"
#include "mbs/passes/six.h"

/* Finds the pattern mech.jac of the remaining constraints, which are those that the tree's joints do not
 * replace, and the links on their paths. To be called once. GRADYN_NO_MEMORY, without a message. */
gradyn_status tree_find_rows(tree *c);

/* Writes rows `first` to `last` - 1 of J W to values, pattern mech.jac, at the present position. The
 * natural Jacobian J must be in c->J. Rows of constraints of Euler parameters stay. */
void tree_fill_rows(tree *c, int first, int last, double *values);

/* Copies the rows of c->J of a group to c->left.on_top.load, which must be zero. A group is four remaining
 * constraints, one per lane; groups count from 0. */
void tree_spread_rows(tree *c, int group);

/* Sets the entries that tree_spread_rows() has written for a group to zero again. */
void tree_clear_rows(tree *c, int group);

/* Returns the sum of squares of the natural row, in c->J, of remaining constraint `row`, from 0; not for
 * constraints of Euler parameters. */
double tree_row_size(const tree *c, int row);

/* The function row_size of gradyn_mech_ops: returns the change of constraint `row`, from 0, by 1 m of
 * motion, from the natural row in c->J. 0 for constraints of Euler parameters. */
double tree_row_size_of_bodies(const gradyn_mech *mech, int row);

/* Takes the memory of the factors of links from the arena, whose status the caller checks afterwards. */
void tree_reserve(tree *c);

/* Returns the count of numbers of all factors, gradyn_mech_factors.numbers, and sets c->own.kept, the part
 * that belongs to links. 0, with c->own.kept unchanged: the model has no such factors. They require trees
 * that hang on the ground, and a separate mass for each coordinate outside joints. */
int tree_count_factors(tree *c);

/* Returns whether a pivot is larger than the round-off of a number of this size (> 0). */
bool tree_resists(double pivot, double size);

/* Adds the own inertia of a link's body, T^T M_X T, at the present position, to *S. */
void tree_add_body(const tree *c, const tree_link *link, tree_share *S);

/* Returns the address of the numbers of a link within the factors f: r - r_p [3], m, from the parent's
 * origin to its own, then k motions of six numbers, one for each coordinate. */
static inline const double *tree_arm_in(const tree_link *link, const double *f)
{
  return f + link->kept;
}

/* Computes the factors f [c->own.kept] of the links, W^T M W = L D L^T, at the present position. Errors,
 * without a message: GRADYN_SINGULAR, coordinate *weak, from 0, has no inertia; GRADYN_NON_FINITE. */
gradyn_status tree_factor_links(tree *c, double *f, int *weak);

/* Replaces x [n] by L^-1 x, with the factors f [c->own.kept] of tree_factor_links(), also for the
 * constraints of Euler parameters. */
void tree_enter_links(const tree *c, const double *f, gradyn_lanes *x);

/* Replaces x [n] by L^-T D^-1 x, with the factors f [c->own.kept] of tree_factor_links(). */
void tree_leave_links(const tree *c, const double *f, gradyn_lanes *x);

/* Replaces x [n] by L^-1 x for a group of constraints, with the factors f of tree_factor_links() and loads
 * on bodies in c->left.on_top.load. Only links on the group's path are visited. */
void tree_enter_rows(const tree *c, int group, const double *f, gradyn_lanes *x);

/* Replaces x [n] by D^-1 x for the coordinates of links on the path of a group of constraints, with the
 * factors f of tree_factor_links(). */
void tree_divide_rows(const tree *c, int group, const double *f, gradyn_lanes *x);

/* Returns whether the remaining constraints can be solved with these factors: in space, if all coordinates
 * that they couple have inertia or belong to joints. True if no constraint remains. */
bool tree_rows_serve(const tree *c);

/* The function factor of gradyn_mech_ops: computes the factors f [factors.numbers] of W^T M W, and S of the
 * remaining constraints, lower triangle then sizes, at the state `at`. Errors: GRADYN_SINGULAR, coordinate
 * *weak has no inertia; GRADYN_NON_FINITE; failures of callbacks. */
gradyn_status tree_factor(gradyn_mech *mech, const gradyn_mech_state *at, double *f, double *S,
                          int *weak);

/* The function enter of gradyn_mech_ops, the first half of a solve with f: replaces (b; g) in x [n + m] by
 * (L^-1 b; J M^-1 b - g). */
void tree_enter(gradyn_mech *mech, const double *f, gradyn_lanes *x);

/* The function leave of gradyn_mech_ops, the second half of a solve with f: replaces x [n + m], which ends
 * with lam, by M^-1 (b - J^T lam) in its first n entries. */
void tree_leave(gradyn_mech *mech, const double *f, gradyn_lanes *x);

#endif
