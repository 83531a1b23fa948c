/* Second derivatives of the Lagrangian in the form that Ipopt requires: entries of the lower triangle.
 * Only entries that are in a block of the objective are stored. */
#ifndef GRADYN_OPTIM_HESSIAN_H
#define GRADYN_OPTIM_HESSIAN_H

#include "optim/program/program.h"

/* Entries of second derivatives of the Lagrangian of a program. */
typedef struct gradyn_hessian {
  const gradyn_program *program; /* borrowed */
  /* [functionals], factors of the functionals in the Lagrangian, owned; set by the caller */
  double *weight;
  /* [count], indices of free parameters among x, from 0, ordered by rows; column <= row; owned */
  size_t *row, *column;
  size_t count;
  /* a value belongs to an entry that was not in the list; the list now has the new entries */
  bool grown;
} gradyn_hessian;

/* Creates an empty list of entries, and out->weight [functionals], zero. The program, whose objective has
 * curve(), must outlive *out. Clear *out in any case. Error: GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_hessian_create(const gradyn_program *program, gradyn_hessian *out);
/* Frees the members, not the program; may be repeated. */
void gradyn_hessian_clear(gradyn_hessian *h);

/* Adds all entries of the blocks of the objective at rho [parameters] with h->weight, also zeros, if both
 * parameters are free. Entries in the list stay; indices of entries may change. Errors: those of the
 * objective's curve(), with its message; GRADYN_NO_MEMORY. */
gradyn_status gradyn_hessian_find(gradyn_hessian *h, const double rho[]);

/* Fills values [count] of the listed entries at rho [parameters] with h->weight, for steps of one unit. If
 * a nonzero entry is not in the list, the list is extended, `grown` is set, and the values have no meaning.
 * Errors: those of the objective's curve(), with its message; GRADYN_NO_MEMORY. */
gradyn_status gradyn_hessian_values(gradyn_hessian *h, const double rho[], double values[]);

#endif
