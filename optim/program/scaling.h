/* Factors that scale objective and constraints to size one, and detection of linearly dependent equality
 * constraints. */
#ifndef GRADYN_OPTIM_SCALING_H
#define GRADYN_OPTIM_SCALING_H

#include "optim/program/program.h"

/* Scaling factors of a program. */
typedef struct gradyn_scaling {
  double objective; /* factor of the objective, a power of two > 0 */
  bool provisional; /* the gradient was too small to determine a scale */
  /* differences of values have confirmed that slopes below the floor are real */
  bool seen;
  double *row;        /* [rows], factors of the constraints, powers of two */
  bool *dropped;      /* [rows], equality constraints that depend linearly on the others */
  double *g;          /* [n], scratch memory */
  double *equality;   /* stored entries of the gradients of equality constraints, scratch memory */
  size_t *number;     /* [equalities], scratch memory */
  gradyn_arena arena; /* memory of all arrays */
} gradyn_scaling;

/* Returns the new factors of a program, all 1, with `dropped` all false. The program is not kept; other
 * functions get it again. Free them by gradyn_scaling_free(). NULL: out of memory. */
gradyn_scaling *gradyn_scaling_create(const gradyn_program *program);
/* Frees the factors; NULL is ignored. */
void gradyn_scaling_free(gradyn_scaling *scaling);

/* Selects the factors from psi [functionals] and the stored entries of gradient [functionals][parameters] at
 * a point. Each scaled function then has a gradient of length about one. Also finds dependent equality
 * constraints. With `plain`, the factors and `provisional` stay. Error: GRADYN_NO_MEMORY, without a message;
 * the scaling stays. */
gradyn_status gradyn_scaling_choose(gradyn_scaling *scaling, const gradyn_program *program,
                                    const double psi[], const double gradient[], bool plain);

/* Returns the length of the gradient of the objective, for steps of one unit; with several pieces, the
 * largest of their lengths. gradient: stored entries of [functionals][parameters]. */
double gradyn_scaling_slope(gradyn_scaling *scaling, const gradyn_program *program,
                            const double gradient[]);

/* Returns the length of the gradient of constraint i, from 0, of program->rows, for steps of one unit.
 * gradient: stored entries of [functionals][parameters]. */
double gradyn_scaling_row_slope(gradyn_scaling *scaling, const gradyn_program *program, size_t i,
                                const double gradient[]);
/* Returns the smallest slope of the objective that determines a scale: a share of its value at psi
 * [functionals]. */
double gradyn_scaling_floor(const gradyn_program *program, const double psi[]);

#endif
