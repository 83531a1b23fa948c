/* States of a run between the rows of its trajectory, with the signals, the mode and the latched data of each
 * step. */
#ifndef GRADYN_ADJOINT_BETWEEN_H
#define GRADYN_ADJOINT_BETWEEN_H

#include "adjoint/extremes/flow.h"
#include "dae/start/initial.h"

typedef struct gradyn_between {
  gradyn_model *model;
  const gradyn_trajectory *trajectory;
  gradyn_initial equations; /* for mechanisms only */
  gradyn_flow flow;         /* for general equations only */
  double *work;             /* [6 n] workspace for mechanisms */
  size_t step;              /* index of the present step */
} gradyn_between;

/* Prepares the interpolation of a trajectory, which is borrowed. The model must have the data and the event
 * log of its run. Clear *out in any case. Errors: GRADYN_NO_MEMORY; failures of the model. */
gradyn_status gradyn_between_create(gradyn_model *model, const gradyn_trajectory *trajectory,
                                    gradyn_between *out);
/* Frees the memory of the object; to be called once. Signals are evaluated by time again. */
void gradyn_between_clear(gradyn_between *between);

/* Loads signals, mode and latched data of step 0, 1, ... into the model, and makes this step the present one:
 * from row `step` to the next row, which must exist. */
void gradyn_between_enter(gradyn_between *between, size_t step);

/* Computes row [columns] at time t, s, within the present step. Positions and velocities, or differential
 * states, are interpolated. With `all`, accelerations, multipliers and algebraic states follow from the
 * equations; otherwise they are interpolated too. Errors are those of the equations. */
gradyn_status gradyn_between_interpolate(gradyn_between *between, double t, bool all, double *row);
/* Computes row [columns] at time t, s, with the accuracy of the trajectory: integrates the equations from
 * the start of the present step. Interpolates as gradyn_between_interpolate() where this is not possible:
 * without a solution at t, or if a singular matrix multiplies the rates of general equations. Errors:
 * failures of callbacks that end a run. */
gradyn_status gradyn_between_follow(gradyn_between *between, double t, double *row);
/* Computes the rates of the positions and velocities, or differential states, of row [columns] at t, s, by
 * the accelerations in the row or by the equations. The other entries of rates [columns] do not change.
 * Errors are those of the equations. */
gradyn_status gradyn_between_rates(gradyn_between *between, double t, const double *row,
                                   double *rates);

#endif
