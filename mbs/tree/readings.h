/* Forces that depend on multipliers of joints in the tree, in space: see readings.c. These forces are called
 * readers. */
#ifndef GRADYN_MBS_TREE_READINGS_H
#define GRADYN_MBS_TREE_READINGS_H

#include "core/linear/pattern.h"
#include "mbs/passes/factors.h"
#include "mbs/tree/wrenches.h"

/* Such a force, and the coordinates on which it acts. */
typedef struct tree_reader {
  const mbs_element *e;
  /* [loads] index among all loads, and local coordinates */
  int loads, load[MBS_READS], local[MBS_READS];
  /* [states] coordinates of first-order states, and local coordinates; loads on them are always evaluated */
  int states, state[MBS_READS], own[MBS_READS];
  int number[MBS_READS];           /* [reads] indices among the multipliers */
  int slope[MBS_READS][MBS_READS]; /* [load][read] positions in slope */
  mbs_kept kept;                   /* intermediate results of `rub` */
} tree_reader;

typedef struct tree_readings {
  tree_reader *reader;
  int readers;
  int *at, loads; /* coordinates on which the forces act */
  /* Natural multipliers: constraint; its joint, and its row of this joint, -1: a remaining constraint. */
  int *row, numbers, *joint, *joint_row;
  gradyn_pattern by;    /* [loads][numbers] */
  tree_wrench *of;      /* [joints] with such multipliers, or with freely rotating bodies */
  int joints, *of_link; /* [links] their joint; -1: none */
  tree_share *own;      /* [links] inertias */
  lane_six *six;        /* [links] */
  /* [joints] Changes of loads of constraints on bodies, or their factors. */
  lane_six *bend;
  double (*through)[6];           /* [links] loads that pass through joints */
  double *J, *lam;                /* [natural jac.nnz + 1] of remaining constraints, [natural m] */
  double t;                       /* time of J */
  gradyn_discrete_state discrete; /* discrete state of J */
  double *tau, *slope;            /* [loads], [by.nnz] */
  bool rubbed;                    /* forces have intermediate results of the present state */
  gradyn_lanes *w;                /* [numbers] changes or adjoints; followed by [natural m] */
} tree_readings;

/* Finds forces that depend on multipliers of joints in the tree, after tree_find(). c->left.readings stays
 * NULL if there are none; then only tree_free_readings(), tree_load_readings(), tree_reads(),
 * tree_readings_slopes() and tree_find_small() may be called. Errors: GRADYN_NO_MEMORY, GRADYN_UNSUPPORTED
 * with a message. */
gradyn_status tree_find_readings(tree *c);

/* Frees memory outside the arena; to be called before the arena is cleared. */
void tree_free_readings(tree *c);

/* Copies the present data on which readers depend. */
void tree_load_readings(tree *c);

/* Computes the multipliers of the tree's joints on which forces depend. natural: a state from
 * tree_to_natural(), in c->X and c->lam; its lam and read then point to all natural multipliers, valid until
 * the next call. c->F receives the loads on bodies without those of the tree's joints and of these forces.
 * Errors: failures of callbacks; GRADYN_SINGULAR, with a message: directions of a joint are degenerate. */
gradyn_status tree_read(tree *c, gradyn_mech_state *natural);

/* Sets tau [loads] to the loads of readers, which are forces that depend on multipliers, and slope [by.nnz]
 * to their derivatives by multipliers. view: the state, with multipliers view->lam [natural m]. again: only
 * multipliers have changed since the last call. Errors: failures of callbacks. */
gradyn_status tree_friction_loads(tree *c, const mbs_point_state *view, bool again, double *tau,
                                  double *slope);

/* Subtracts the forces Q of readers, forces that depend on multipliers, on first-order states from r [n].
 * Errors: failures of callbacks. */
gradyn_status tree_rub_states(tree *c, const mbs_point_state *view, double *r);

/* Returns whether a term has forces whose multipliers must be computed: its parts contain GRADYN_FORCE, and
 * its state gives no `read`. */
bool tree_reads(const tree *c, const gradyn_mech_term *term);

/* Sets *seen to the equations of motion as a term in natural coordinates, at a state of the tree. Also
 * computes tau and slope of c->left.readings. Errors: failures of callbacks; GRADYN_SINGULAR, with a
 * message: directions of a joint are degenerate. */
gradyn_status tree_look_at_readings(tree *c, const gradyn_mech_state *at, gradyn_mech_term *seen);

/* Writes the changes of the residual [natural n] of the term *seen by *moved, in `columns` lanes, then
 * those of its constraints, to c->rows, as `along` of gradyn_mech_ops. all false: without readers. Errors:
 * failures of callbacks. */
gradyn_status tree_ask_along(tree *c, bool all, const gradyn_mech_term *seen, int columns,
                             const gradyn_mech_change *moved);

/* Transpose of tree_ask_along() for factors `rows`: products, in `columns` lanes, are subtracted from the
 * adjoints, as `against` of gradyn_mech_ops. all false: without readers. Errors: failures of callbacks. */
gradyn_status tree_ask_against(tree *c, bool all, const gradyn_mech_term *seen, int columns,
                               gradyn_lanes *rows, const gradyn_mech_adjoints *adjoints);

/* Adds to r [n] the change of the residual of readers by the change of multipliers. The latter follows from
 * changes of loads (c->dF), of bodies (c->dX[0]) and of data (d). */
void tree_read_along(tree *c, const tree_change *d, gradyn_lanes *r);

/* First step of the transpose of tree_read_along(): adds to c->rows the factors of the equations of motion
 * for adjoints mu [n] of the residual. */
void tree_read_test(tree *c, const gradyn_lanes *mu);

/* Second step of the transpose of tree_read_along(), after tree_ask_against(): subtracts adjoints of X due
 * to the multipliers from c->bar[0], and of data from those of b. */
void tree_read_against(tree *c, const tree_adjoints *b);

/* Adds the derivatives of the residual through readers: by accelerations to M [n][n], by rows, and by
 * multipliers, transposed, to U, pattern mech.jac. M or U NULL: not requested. Without readers, or if
 * at->read is set, adds nothing. Errors: failures of callbacks; GRADYN_SINGULAR, with a message: directions
 * of a joint are degenerate. */
gradyn_status tree_readings_slopes(tree *c, const gradyn_mech_state *at, double *M, double *U);

/* --- wrenches --------------------------------------------------------------------------------- */

/* Appends the joint of a link to c->left.readings->of, unless it is listed. GRADYN_UNSUPPORTED, with a
 * message: the joint's constraints do not determine its reaction. */
gradyn_status tree_list_wrench(tree *c, int link);

/* Computes by_load of all listed joints, and the members J and own, at the natural state in c->X, unless
 * they are valid. Errors: failures of callbacks; GRADYN_SINGULAR, with a message: directions of a joint are
 * degenerate. */
gradyn_status tree_find_wrenches(tree *c, const gradyn_mech_state *natural);

/* Writes the multipliers of the listed joints to lam [natural m], from the loads on bodies c->F; other
 * entries stay. */
void tree_sum_wrenches(tree *c, double *lam);

/* Sets the changes w [numbers] of the multipliers by loads on bodies in c->own.six [links], which are
 * summed. bend [joints]: changes of loads of constraints; NULL: none. Entries of remaining constraints are
 * 0. f: factors that contain the arms; NULL: arms of the present position. */
void tree_hand_wrenches_in(tree *c, const double *f, const lane_six *bend, gradyn_lanes *w);

/* Transpose of tree_hand_wrenches_in() for w [numbers]: writes a motion of bodies and factors of changes of
 * constraints to `six` and `bend` of c->left.readings. f: factors that contain the arms; NULL: arms of the
 * present position. */
void tree_test_wrenches(tree *c, const double *f, const gradyn_lanes *w);

/* Sets arm [3] to r - r_p, m, from the parent's origin to that of the link, at the present position. */
static inline void tree_arm_at(const tree *c, const tree_link *link, double arm[3])
{
  for (int k = 0; k < 3; k++)
    arm[k] = c->X[0][link->own[0] + k] - (link->from[0] >= 0 ? c->X[0][link->from[0] + k] : 0);
}

/* Prepares the small system of loads of forces that depend on multipliers, gradyn_multiplier_forces, with
 * factors of the tree; in readings_small.c. */
void tree_find_small(tree *c);

#endif
