/* Forces that read multipliers of joints on the tree: see readings.c. */
#ifndef GRADYN_MBS_TREE_READINGS_H
#define GRADYN_MBS_TREE_READINGS_H

#include "mbs/tree/passes.h"

/* The load of a coordinate depends on a multiplier that is read. */
typedef struct tree_press {
  int z, row; /* of these coordinates, of the natural multipliers */
  int jac;    /* where the slope stands in matrices of the natural pattern jac */
} tree_press;

typedef struct tree_readings {
  tree_press *press; /* [presses] */
  int presses;
  int *at, count;    /* [count] the coordinates */
  int *row, rows;    /* [rows] what is read */
  mbs_lists forces;  /* of elements, with these forces and without constraints */
  double *slope, *J; /* [natural jac.nnz + 1] dR/dlam of what is read, Phi_q of all constraints */
  double *lam;       /* [natural m] all multipliers at the place read at last */
  gradyn_lanes *bar; /* [2][natural m] changes or bars of these */
} tree_readings;

/* Finds them once there is a tree; c->readings stays NULL if there are none. */
gradyn_status tree_find_readings(tree *c);

/* What forces read at a natural state in c->X whose other multipliers stand in c->lam, into natural->read. Or
 * what somebody else has found: of the rows on the tree that are read, in their order. */
gradyn_status tree_read(tree *c, gradyn_mech_state *natural);
void tree_put_read(const tree *c, const double *given, double *read);

/* What forces that read change by through that, added to r [n]; and minus its transpose, likewise, at fixed
 * accelerations and multipliers. Of a term that has been looked at, with c->dX along. */
gradyn_status tree_readings_along(tree *c, const gradyn_mech_term *term, int columns,
                                  const gradyn_mech_change *d, gradyn_lanes *r);
gradyn_status tree_readings_against(tree *c, const gradyn_mech_term *term, int columns,
                                    const gradyn_lanes *mu, const gradyn_mech_bars *bars);
/* And through accelerations and multipliers: added to M [n][n] and to U, pattern jac; either may be NULL. */
gradyn_status tree_readings_slopes(tree *c, const gradyn_mech_state *at, double *M, double *U);

#endif
