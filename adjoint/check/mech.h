/* Data for the check of a mechanical model, as a whole and element by element. */
#ifndef GRADYN_ADJOINT_CHECK_MECH_H
#define GRADYN_ADJOINT_CHECK_MECH_H

#include "adjoint/check/probe.h"

/* An entry of a sparse matrix, and the next one in its column (-1: none). */
typedef struct gradyn_mech_entry {
  int row, next;
  double value;
} gradyn_mech_entry;

/* Parts of the residual, or constraints of one order, at a state (q, v, a, lam). */
typedef struct gradyn_mech_probe {
  gradyn_probe probe;
  gradyn_mech *mech;
  int n, m, all;               /* coordinates; constraints; also fixed values and contacts */
  int parts, order;            /* parts that are checked; GRADYN_NO_ORDER: the residual */
  int first;                   /* index in the state of the first column of a matrix */
  int *column;                 /* [ns] first entry of each column of a matrix, -1: none */
  gradyn_mech_entry *entry_of; /* [nnz of dyn or jac] */
  double *K, *C, *M;           /* [dyn.nnz + 1] */
  double *J, *U;               /* [jac.nnz + 1] */
  double *line;                /* [2 n] a direction of q and v */
  double *mu;                  /* [2][ns] */
  double *bar, *x_bar; /* [2][2 n] and [2][nx]: their transposed products by q and v, and by data */
  double most;         /* largest effect on x_bar of a change of a datum by its size */
  double *rows_of;     /* [n + all] rows of a term */
  gradyn_lanes *work;  /* [3 n + all] */
  gradyn_worst transposed; /* errors of transposed products in the present block */
  /* kind and name of the element that is checked separately; NULL: all together */
  const char *element;
  gradyn_worst right; /* largest error of the correct blocks of such elements */
} gradyn_mech_probe;

/* Sets *p, allocates its arrays, and sets the state: directions, and state entries that the run does not
 * have, are random. Close p->probe in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_mech_probe_open(gradyn_mech_probe *p, gradyn_checking *c);

/* Checks every derivative of the model, or of the element p->element: matrices, constraints, multipliers,
 * motions, products. Adds items. Errors: GRADYN_NO_MEMORY; those of gradyn_check_proceed(); failures of the
 * model. */
gradyn_status gradyn_mech_probe_blocks(gradyn_mech_probe *p);

/* Checks the model's own products M x and solutions with M and J; does nothing for models that use matrices
 * for them. Errors: GRADYN_NO_MEMORY; failures of the model. */
gradyn_status gradyn_mech_probe_solves(gradyn_mech_probe *p);

/* Reports the comparisons *w of one block with those of another route, such as "differences": as an item
 * with the name `block`, or, for a separate element, as a part of `right`, and as an item only if the block
 * is wrong or has a kink. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_mech_probe_report(gradyn_mech_probe *p, const gradyn_worst *w,
                                       const char *route, const char *block);

#endif
