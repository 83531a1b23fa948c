/* Typical sizes of what a model is made of: its states, its data, and units. */
#ifndef GRADYN_ADJOINT_EVALUATOR_SIZES_H
#define GRADYN_ADJOINT_EVALUATOR_SIZES_H

#include "core/model/model.h"
#include <gradyn/trajectory.h>

typedef struct gradyn_sizes {
  const gradyn_model *model;
  const double *x;                   /* [nx] data */
  double *largest;                   /* [ny] values of the states during a run */
  double *size, *x_size;             /* [ny], [nx] of states and data */
  double mass, length, time, extent; /* kg, m, s of the mechanism; m, largest distance of points */
} gradyn_sizes;

/* Fills `largest` from a run; y [columns] is scratch for a row of it. */
void gradyn_sizes_follow(gradyn_sizes *s, const gradyn_trajectory *run, double *y);

/* Fills all that follows from the data and `largest`. */
void gradyn_sizes_fill(gradyn_sizes *s);

/* Size of one of a unit, "kg m^2/s", made of mass, length and time of a mechanism; of general equations the
 * largest state that has the unit. 0: not known. */
double gradyn_sizes_natural(const gradyn_sizes *s, const char *unit);

#endif
