/* Forces that read multipliers of joints on the tree: see readings.c. */
#ifndef GRADYN_MBS_TREE_READINGS_H
#define GRADYN_MBS_TREE_READINGS_H

#include "mbs/tree/factors.h"

/* The load of a coordinate depends on a multiplier that is read. */
typedef struct tree_press {
  int z, row; /* of these coordinates, of the natural multipliers */
  int jac;    /* where the slope stands in matrices of the natural pattern jac */
} tree_press;

/* A force that reads, and the coordinates that it loads. */
typedef struct tree_reader {
  const mbs_element *e;
  int loads, load[MBS_READS],
      local[MBS_READS];  /* [loads] which of all, and of its local coordinates */
  int number[MBS_READS]; /* [reads] which of the numbers */
} tree_reader;

/* The joint of a link whose forces are read: its rows, and where their slopes by the body's vectors
 * stand. */
typedef struct tree_read_joint {
  int link, row[6], own[6][3 * TREE_VECTORS];
  double by_load[6][6]; /* [row] its multiplier by what the body is loaded with, six numbers */
} tree_read_joint;

/* The small system of core/mech/readings.h. Its loads and numbers begin with those of joints on the tree;
 * then come coordinates and multipliers of joints that are left. */
typedef struct tree_pressing {
  tree_reader *reader;
  int readers;
  int *at, loads;
  int *row, numbers, *joint,
      *joint_row;      /* of natural multipliers; which joint, and row of it; -1: it is left */
  tree_read_joint *of; /* [joints] */
  int joints;
  mbs_lists rows;    /* of elements: rows of these joints alone */
  tree_share *own;   /* [links] inertias */
  gradyn_lanes *six; /* [6 links] */
} tree_pressing;

typedef struct tree_readings {
  tree_press *press; /* [presses] */
  int presses;
  int *at, count;    /* [count] the coordinates */
  mbs_lists forces;  /* of elements, with these forces and without constraints */
  double *slope, *J; /* [natural jac.nnz + 1] dR/dlam of what is read, Phi_q of all constraints */
  double *lam;       /* [natural m] all multipliers at the place read at last */
  gradyn_lanes *bar; /* [2][natural m] changes or bars of these */
  tree_pressing small;
} tree_readings;

/* Where a number stands in a list, which it is added to if it is not there. */
int tree_add_once(int *list, int *count, int number);
/* Finds them once there is a tree; c->left.readings stays NULL if there are none. */
gradyn_status tree_find_readings(tree *c);

/* What forces read at a natural state in c->X whose other multipliers stand in c->lam, into
 * natural->read. */
gradyn_status tree_read(tree *c, gradyn_mech_state *natural);

/* What forces that read change by through that, added to r [n]; and minus its transpose, likewise, at fixed
 * accelerations and multipliers. Of a term that has been looked at, with c->dX along. */
gradyn_status tree_readings_along(tree *c, const gradyn_mech_term *term, int columns,
                                  const gradyn_mech_change *d, gradyn_lanes *r);
gradyn_status tree_readings_against(tree *c, const gradyn_mech_term *term, int columns,
                                    const gradyn_lanes *mu, const gradyn_mech_bars *bars);
/* And through accelerations and multipliers: added to M [n][n] and to U, pattern jac; either may be NULL. */
gradyn_status tree_readings_slopes(tree *c, const gradyn_mech_state *at, double *M, double *U);

/* The small system, where factors over the tree serve: see readings_small.c. */
gradyn_status tree_find_small(tree *c);

#endif
