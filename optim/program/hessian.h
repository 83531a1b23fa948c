/* Second derivatives of the Lagrangian as those who minimise want them: the entries of the lower triangle
 * that some block of the objective has. */
#ifndef GRADYN_OPTIM_HESSIAN_H
#define GRADYN_OPTIM_HESSIAN_H

#include "optim/program/program.h"

typedef struct gradyn_hessian {
  const gradyn_program *program; /* borrowed */
  double *weight;                /* [functionals], for who asks */
  size_t *row, *column;          /* [count] varied parameters, by rows; column <= row */
  size_t count;
  bool grown; /* an entry has turned up that had not been found: there are more now */
} gradyn_hessian;

/* No entries yet; to be cleared in any case. */
gradyn_status gradyn_hessian_create(const gradyn_program *program, gradyn_hessian *out);
void gradyn_hessian_clear(gradyn_hessian *h);

/* Joins the entries at rho [parameters], with the weights, to those there are. */
gradyn_status gradyn_hessian_find(gradyn_hessian *h, const double rho[]);
/* Their values [count] at rho with the weights, for steps of one unit, unless others turn up. */
gradyn_status gradyn_hessian_values(gradyn_hessian *h, const double rho[], double values[]);

#endif
