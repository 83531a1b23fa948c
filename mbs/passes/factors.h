/* Solves with the mass matrix of a tree, which is never formed, and rows that are left on top of them. */
#ifndef GRADYN_MBS_PASSES_FACTORS_H
#define GRADYN_MBS_PASSES_FACTORS_H

#include "mbs/passes/passes.h"
#include "mbs/passes/six.h"

/* Rows that are left: where they may depend on coordinates, mech.jac; and rows first .. last - 1 of J W
 * there, J in c->J, at the place looked at. */
gradyn_status tree_find_rows(tree *c);
void tree_fill_rows(tree *c, int first, int last, double *values);
/* J of a group at bodies' vectors and coordinates, into c->left.on_top.load; zeros again all along its path;
 * sum of squares of a row of J. */
void tree_spread_rows(tree *c, int group);
void tree_clear_rows(tree *c, int group);
double tree_row_size(const tree *c, int row);
/* row_size of mech.h, by what a row makes of bodies' vectors. */
double tree_row_of_things(const gradyn_mech *mech, int row);

/* Factors of the mass matrix from the leaves to the root, and solves by them, of trees whose bodies hang on
 * the ground, where coordinates that are no joint's have a mass each; see mech.h. Their number is 0 of
 * others. */
void tree_reserve(tree *c); /* for these, from the arena */
int tree_count_factors(tree *c);
/* Whether a pivot is more than what is left of a size by round-off. */
bool tree_resists(double pivot, double size);
/* Adds a body's own inertia, T^T M_X T, at the place looked at. */
void tree_add_body(const tree *c, const tree_link *link, tree_share *S);
/* r - r_p of a link [3], and behind it what its coordinates move it by [k][6], in factors f. */
static inline const double *tree_arm_in(const tree_link *link, const double *f)
{
  return f + link->kept;
}
/* Those of links alone, f [c->own.kept], and halves of solves by them, x = L^-1 x, Euler parameters'
 * rows included, and L^-T D^-1 x; the first of rows of a group, with loads on bodies, and D^-1 x along their
 * path. */
gradyn_status tree_factor_links(tree *c, double *f, int *weak);
void tree_enter_links(const tree *c, const double *f, gradyn_lanes *x);
void tree_leave_links(const tree *c, const double *f, gradyn_lanes *x);
void tree_enter_rows(const tree *c, int group, const double *f, gradyn_lanes *x);
void tree_divide_rows(const tree *c, int group, const double *f, gradyn_lanes *x);
/* Whether rows that are left can be solved for on top of these. */
bool tree_rows_serve(const tree *c);
gradyn_status tree_factor(gradyn_mech *mech, const gradyn_mech_state *at, double *f, double *S,
                          int *weak);
void tree_enter(gradyn_mech *mech, const double *f, gradyn_lanes *x);
void tree_leave(gradyn_mech *mech, const double *f, gradyn_lanes *x);

#endif
