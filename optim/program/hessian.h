/* Second derivatives of the Lagrangian in the form that Ipopt requires: entries of the lower triangle.
 * Only entries that are in a block of the objective are stored. */
#ifndef GRADYN_OPTIM_HESSIAN_H
#define GRADYN_OPTIM_HESSIAN_H

#include "optim/program/program.h"

/* Entries of second derivatives of the Lagrangian of a program. */
typedef struct gradyn_hessian {
  const gradyn_program *program; /* borrowed */
  /* [functionals], factors of the functionals in the Lagrangian; set by the caller */
  double *weight;
  /* [count], indices of free parameters, ordered by rows; column <= row */
  size_t *row, *column;
  size_t count;
  /* a value belongs to an entry that was not in the list; the list now has the new entries */
  bool grown;
} gradyn_hessian;

/* Creates an empty list of entries. Clear *out in any case. GRADYN_NO_MEMORY: out of memory. */
gradyn_status gradyn_hessian_create(const gradyn_program *program, gradyn_hessian *out);
void gradyn_hessian_clear(gradyn_hessian *h);

/* Adds the entries that the blocks have at rho [parameters] with the weights. Entries in the list remain.
 * Fails as the evaluation does, or with GRADYN_NO_MEMORY. */
gradyn_status gradyn_hessian_find(gradyn_hessian *h, const double rho[]);
/* Fills values [count] at rho [parameters] with the weights, for steps of one unit. If an entry is
 * missing in the list, `grown` is set, the list is extended, and the values have no meaning. Fails as
 * gradyn_hessian_find() does. */
gradyn_status gradyn_hessian_values(gradyn_hessian *h, const double rho[], double values[]);

#endif
