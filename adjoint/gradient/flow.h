/* General equations between the rows of a trajectory: states that follow from the differential ones, and the
 * motion itself, as exact as the rows are. */
#ifndef GRADYN_ADJOINT_FLOW_H
#define GRADYN_ADJOINT_FLOW_H

#include "dae/systems/rates.h"
#include <gradyn/trajectory.h>

typedef struct gradyn_flow {
  gradyn_rates
      *rates;    /* NULL: they enter with a singular matrix, and interpolation has the last word */
  double *z;     /* [nz] states */
  double *work;  /* [3 nz] */
  double *stage; /* [record] */
} gradyn_flow;

/* With the data in force; to be cleared in any case. */
gradyn_status gradyn_flow_create(gradyn_model *model, gradyn_flow *out);
void gradyn_flow_clear(gradyn_flow *flow);

/* All states of a row at t from those that are differential; what has no solution stays as it was. */
gradyn_status gradyn_flow_complete(gradyn_flow *flow, double t, double *row);
/* The row at a time within a step of a trajectory, or a little beside it. */
gradyn_status gradyn_flow_follow(gradyn_flow *flow, const gradyn_trajectory *trajectory,
                                 size_t step, double t, double *row);

#endif
