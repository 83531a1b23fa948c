/* Factors that bring objective and constraints to the size of one, and equalities that say nothing
 * new. */
#ifndef GRADYN_OPTIM_SCALING_H
#define GRADYN_OPTIM_SCALING_H

#include "optim/program/program.h"

typedef struct gradyn_scaling {
  double objective;   /* factor of the objective, a power of two */
  bool provisional;   /* the gradient there was too small to tell its size */
  bool seen;          /* differences of values have shown that slopes below the floor are real */
  double *row;        /* [rows], factors of the constraints */
  bool *dropped;      /* [rows], equalities that depend linearly on the others */
  double *g;          /* [n], scratch */
  double *equality;   /* [equalities][n], their gradients, scratch */
  size_t *number;     /* [equalities], scratch */
  gradyn_arena arena; /* of all arrays */
} gradyn_scaling;

/* Takes memory for the factors of a programme; all are one. NULL: out of memory. */
gradyn_scaling *gradyn_scaling_create(const gradyn_program *program);
void gradyn_scaling_free(gradyn_scaling *scaling);

/* Chooses the factors from psi [functionals] and gradient [functionals][parameters] at a point:
 * each function gets a gradient of length about one. With plain set the factors are one.
 * GRADYN_NO_MEMORY: they stay as they were. */
gradyn_status gradyn_scaling_choose(gradyn_scaling *scaling, const gradyn_program *program,
                                    const double psi[], const double gradient[], bool plain);

/* Length of the objective's gradient per units of the parameters, and the length below which it is
 * too small against the objective to tell a size. */
double gradyn_scaling_slope(gradyn_scaling *scaling, const gradyn_program *program,
                            const double gradient[]);
/* Likewise of a constraint. */
double gradyn_scaling_row_slope(gradyn_scaling *scaling, const gradyn_program *program, size_t i,
                                const double gradient[]);
double gradyn_scaling_floor(const gradyn_program *program, const double psi[]);

#endif
