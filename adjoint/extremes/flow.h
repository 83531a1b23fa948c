/* General equations between the rows of a trajectory: algebraic states and rates from differential states,
 * and the motion with the accuracy of the rows. */
#ifndef GRADYN_ADJOINT_FLOW_H
#define GRADYN_ADJOINT_FLOW_H

#include "dae/systems/rates.h"
#include <gradyn/evaluate.h>

typedef struct gradyn_flow {
  gradyn_rates
      *rates;    /* NULL: rates enter with a singular matrix, and states are only interpolated */
  double *z;     /* [nz] states */
  double *work;  /* [3 nz] */
  double *stage; /* [record] */
} gradyn_flow;

/* For the present data of the model. Clear in any case. Errors: GRADYN_NO_MEMORY; failures of the model. */
gradyn_status gradyn_flow_create(gradyn_model *model, gradyn_flow *out);
void gradyn_flow_clear(gradyn_flow *flow);

/* Computes all states of a row at t, s, from its differential states. Without a solution, the row does not
 * change. */
gradyn_status gradyn_flow_complete(gradyn_flow *flow, double t, double *row);
/* Computes the row at a time within a step of a trajectory, or slightly outside of it. */
gradyn_status gradyn_flow_follow(gradyn_flow *flow, const gradyn_trajectory *trajectory,
                                 size_t step, double t, double *row);

#endif
