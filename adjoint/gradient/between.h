/* States of a run between the rows of its trajectory, with the signals, the mode and the captured data of
 * each step in force. */
#ifndef GRADYN_ADJOINT_BETWEEN_H
#define GRADYN_ADJOINT_BETWEEN_H

#include "adjoint/gradient/flow.h"
#include "dae/start/initial.h"

typedef struct gradyn_between {
  gradyn_model *model;
  const gradyn_trajectory *trajectory;
  gradyn_initial equations; /* of a mechanism */
  gradyn_flow flow;         /* of general equations */
  double *work;             /* [6 n] of a mechanism */
  size_t step;              /* in force */
} gradyn_between;

/* With the data and the event log of the run in force; to be cleared in any case. */
gradyn_status gradyn_between_create(gradyn_model *model, const gradyn_trajectory *trajectory,
                                    gradyn_between *out);
/* Signals are evaluated by time again. */
void gradyn_between_clear(gradyn_between *between);

/* Puts signals, mode and captured data of a step in force. */
void gradyn_between_enter(gradyn_between *between, size_t step);

/* The row [columns] at a time within that step: positions and velocities, or differential states, are
 * interpolated, the rest follows from the equations. */
gradyn_status gradyn_between_interpolate(gradyn_between *between, double t, double *row);
/* The same, as exact as the rows are: the equations are integrated from the start of the step. */
gradyn_status gradyn_between_follow(gradyn_between *between, double t, double *row);

#endif
