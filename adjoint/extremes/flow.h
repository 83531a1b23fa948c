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

/* Prepares general equations with the present data of the model, which must outlive *out. Clear *out in any
 * case. Errors: GRADYN_NO_MEMORY; failures of the model. */
gradyn_status gradyn_flow_create(gradyn_model *model, gradyn_flow *out);
/* Frees the memory of the equations; to be called once. */
void gradyn_flow_clear(gradyn_flow *flow);

/* Computes all states of row [states] at t, s, from its differential states. Without a solution, the row
 * does not change, and the status is GRADYN_OK. Requires flow->rates. Errors: failures that are not
 * recoverable. */
gradyn_status gradyn_flow_complete(gradyn_flow *flow, double t, double *row);
/* Computes row [states] at t, s, in step `step` of a trajectory or slightly outside of it, by integration
 * from the start of the step. Requires flow->rates. Errors are those of the equations. */
gradyn_status gradyn_flow_follow(gradyn_flow *flow, const gradyn_trajectory *trajectory,
                                 size_t step, double t, double *row);

#endif
