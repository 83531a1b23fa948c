/* Multipliers at the end of a search, from which another search can start. */
#ifndef GRADYN_OPTIM_WARM_START_H
#define GRADYN_OPTIM_WARM_START_H

#include "optim/drivers/driver.h"
#include "optim/program/program.h"
#include "optim/program/scaling.h"

/* Multipliers without scaling: gradient of the objective + sum of functional_i sign_i gradient_i - lower +
 * upper = 0. The barrier parameter is in the unit of the objective. */
typedef struct gradyn_warm_start {
  size_t functionals, parameters;
  double *functional;    /* [functionals], of constraints; 0: not active, or no constraint */
  double *lower, *upper; /* [parameters], of bounds */
  double barrier;        /* 0: multipliers are not known */
} gradyn_warm_start;

/* Sets the sizes; multipliers that exist remain, new ones are 0. Returns false if memory is out. Clear it
 * in any case. */
bool gradyn_warm_start_resize(gradyn_warm_start *warm, size_t functionals, size_t parameters);
void gradyn_warm_start_clear(gradyn_warm_start *warm);

/* The multipliers of a scaled program with the constraints row [m], indices of its rows, and back. Not for
 * programs with pieces of a maximum. *out and *from have arrays [m] and [n]. */
void gradyn_warm_start_scale(const gradyn_warm_start *warm, const gradyn_program *program,
                             const gradyn_scaling *scaling, const size_t row[], size_t m,
                             gradyn_multipliers *out);
void gradyn_warm_start_take(gradyn_warm_start *warm, const gradyn_program *program,
                            const gradyn_scaling *scaling, const size_t row[], size_t m,
                            const gradyn_multipliers *from);

#endif
