/* Typical sizes of the states, data and units of a model. */
#ifndef GRADYN_ADJOINT_EVALUATOR_SIZES_H
#define GRADYN_ADJOINT_EVALUATOR_SIZES_H

#include "core/model/model.h"
#include <gradyn/evaluate.h>

typedef struct gradyn_sizes {
  const gradyn_model *model;
  const double *x;       /* [nx] data */
  double *largest;       /* [ny] largest values of the states during a run */
  double *size, *x_size; /* [ny] and [nx]: sizes of states and data */
  double mass, length, time,
      extent; /* units of the mechanism, kg, m, s; largest distance between points, m */
} gradyn_sizes;

/* Raises s->largest [ny] to the largest values of the states in the trajectory `run`. y [columns of the
 * trajectory] is workspace. All arrays of *s belong to the caller, who has set s->model and s->x. */
void gradyn_sizes_follow(gradyn_sizes *s, const gradyn_trajectory *run, double *y);

/* Computes size, x_size, mass, length, time and extent of *s from model, x and largest, which the caller
 * has set. All arrays belong to the caller. */
void gradyn_sizes_fill(gradyn_sizes *s);

/* Returns the natural size of a unit such as "kg m^2/s", in this unit. For a mechanism, it follows from
 * mass, length and time; for general equations, it is the largest state with this unit. 0: unknown. */
double gradyn_sizes_natural(const gradyn_sizes *s, const char *unit);

#endif
