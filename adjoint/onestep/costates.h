/* Costates at the nodes of a sweep of a one-step method. */
#ifndef GRADYN_ADJOINT_ONESTEP_COSTATES_H
#define GRADYN_ADJOINT_ONESTEP_COSTATES_H

#include "adjoint/costates.h"
#include "adjoint/onestep/sweeps.h"

/* begin(): reserves memory for the costates of a run; error GRADYN_NO_MEMORY. add(): stores the costates of
 * the node at t, s, with its stage; arrived: a step ends there, otherwise one begins. */
gradyn_status gradyn_onestep_costates_begin(gradyn_onestep_sweeps *s);
gradyn_status gradyn_onestep_costates_add(gradyn_onestep_sweeps *s, double t, const double *stage,
                                          bool arrived);

#endif
