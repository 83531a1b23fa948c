/* States of a run between the rows of its trajectory, with the signals, the mode and the latched data of each
 * step. */
#ifndef GRADYN_ADJOINT_BETWEEN_H
#define GRADYN_ADJOINT_BETWEEN_H

#include "adjoint/extremes/flow.h"
#include "dae/start/initial.h"

typedef struct gradyn_between {
  gradyn_model *model;
  const gradyn_trajectory *trajectory;
  gradyn_initial equations; /* of a mechanism */
  gradyn_flow flow;         /* of general equations */
  double *work;             /* [6 n] of a mechanism */
  size_t step;              /* index of the present step */
} gradyn_between;

/* The model must have the data and the event log of the run. Clear in any case. Errors: GRADYN_NO_MEMORY;
 * failures of the model. */
gradyn_status gradyn_between_create(gradyn_model *model, const gradyn_trajectory *trajectory,
                                    gradyn_between *out);
/* Frees the object; signals are evaluated by time again. */
void gradyn_between_clear(gradyn_between *between);

/* Sets signals, mode and latched data of a step in the model. */
void gradyn_between_enter(gradyn_between *between, size_t step);

/* Computes the row [columns] at time t, s, within this step. Positions and velocities, or differential
 * states, are interpolated; with `all`, the rest follows from the equations, and otherwise it is interpolated
 * as well. Errors are those of the equations. */
gradyn_status gradyn_between_interpolate(gradyn_between *between, double t, bool all, double *row);
/* The same with the accuracy of the rows: integrates the equations from the start of the step. */
gradyn_status gradyn_between_follow(gradyn_between *between, double t, double *row);
/* Computes the derivatives by time of a row's positions and velocities, or differential states, at t, s.
 * Other entries of rates [columns] do not change. Errors are those of the equations. */
gradyn_status gradyn_between_rates(gradyn_between *between, double t, const double *row,
                                   double *rates);

#endif
