/* Inside of the check of a mechanical model: what looks at all of it and at its elements by themselves. */
#ifndef GRADYN_ADJOINT_CHECK_MECH_H
#define GRADYN_ADJOINT_CHECK_MECH_H

#include "adjoint/check/probe.h"

/* An entry of a sparse matrix, and the next one in its column (-1: none). */
typedef struct gradyn_mech_entry {
  int row, next;
  double value;
} gradyn_mech_entry;

/* Parts of the residual, or rows of constraints of one order, at a state (q, v, a, lam). */
typedef struct gradyn_mech_probe {
  gradyn_probe probe;
  gradyn_mech *mech;
  int n, m, all;               /* coordinates; constraints of the motion; m + held + contacts */
  int parts, order;            /* what is looked at; GRADYN_NO_ORDER: the residual */
  int first;                   /* entry of the state that the first column of a matrix belongs to */
  int *column;                 /* [ns] first entry of each column of a matrix, -1: none */
  gradyn_mech_entry *entry_of; /* [nnz of dyn or jac] */
  double *K, *C, *M;           /* [dyn.nnz + 1] */
  double *J, *U;               /* [jac.nnz + 1] */
  double *line;                /* [2 n] a direction of q and v */
  double *mu;                  /* [2][ns] */
  double *bar, *x_bar;         /* [2][2 n], [2][nx] what these make of q and v, and of data */
  double most;                 /* of x_bar, what any datum's change by its size does */
  double *rows_of;             /* [n + all] those of a term */
  gradyn_lanes *work;          /* [3 n + all] */
  gradyn_worst transposed;     /* of the block at hand */
  const char *element; /* kind and name of the one looked at by itself; NULL: all together */
  gradyn_worst right;  /* the worst of what is right of such elements */
} gradyn_mech_probe;

/* Every derivative of the model as it is, or of an element isolated: matrices, constraints, multipliers,
 * motions, products. */
gradyn_status gradyn_mech_probe_blocks(gradyn_mech_probe *p);

/* Of models that solve without matrices: whether they do so with M and J. */
gradyn_status gradyn_mech_probe_solves(gradyn_mech_probe *p);

/* What is found out of a block: an item of its own or, of an element by itself, a part of `right`, and an
 * item only if it is wrong. */
gradyn_status gradyn_mech_probe_report(gradyn_mech_probe *p, const gradyn_worst *w,
                                       const char *route, const char *block);

/* One element after the other by itself, the blocks relative to their own sizes: an item for each kind, and
 * one for each block that is wrong. */
gradyn_status gradyn_mech_probe_elements(gradyn_mech_probe *p);

#endif
