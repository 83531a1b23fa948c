/* Typical sizes of the states, data and units of a model. */
#ifndef GRADYN_ADJOINT_EVALUATOR_SIZES_H
#define GRADYN_ADJOINT_EVALUATOR_SIZES_H

#include "core/model/model.h"
#include <gradyn/evaluate.h>

typedef struct gradyn_sizes {
  const gradyn_model *model;
  const double *x;                   /* [nx] data */
  double *largest;                   /* [ny] largest values of the states during a run */
  double *size, *x_size;             /* [ny] and [nx]: sizes of states and data */
  double mass, length, time, extent; /* kg, m, s of the mechanism; largest distance of points, m */
} gradyn_sizes;

/* Raises `largest` [ny] by the rows of a run. y [columns of the trajectory] is workspace. The caller
 * allocates all arrays of *s. */
void gradyn_sizes_follow(gradyn_sizes *s, const gradyn_trajectory *run, double *y);

/* Computes all other members from the model, the data x and `largest`. */
void gradyn_sizes_fill(gradyn_sizes *s);

/* Returns the size of a unit such as "kg m^2/s": for a mechanism from its mass, length and time; for general
 * equations the largest state with this unit. 0: unknown. */
double gradyn_sizes_natural(const gradyn_sizes *s, const char *unit);

#endif
