/* Costates at the nodes of a sweep of a one-step method. */
#ifndef GRADYN_ADJOINT_ONESTEP_COSTATES_H
#define GRADYN_ADJOINT_ONESTEP_COSTATES_H

#include "adjoint/costates.h"
#include "adjoint/onestep/sweeps.h"

/* Reserves memory in model->span.costates for the costates of the run. Call it after the run, before its
 * adjoint sweep. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_costates_begin(gradyn_onestep_sweeps *s);
/* Stores the costates of the node at time t, s, from s->z. stage: states and rates of this node. arrived:
 * true for the end of a step, false for the start of one; both are stored at an event. Errors: failures of
 * the rates and functionals. */
gradyn_status gradyn_onestep_costates_add(gradyn_onestep_sweeps *s, double t, const double *stage,
                                          bool arrived);

#endif
