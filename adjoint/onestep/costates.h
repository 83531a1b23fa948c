/* Costates at the nodes of a sweep of a one-step method. */
#ifndef GRADYN_ADJOINT_ONESTEP_COSTATES_H
#define GRADYN_ADJOINT_ONESTEP_COSTATES_H

#include "adjoint/costates.h"
#include "adjoint/onestep/sweeps.h"

/* Room for those of a march; and another node at t with its stage, which a step has arrived at, or begins
 * with. */
gradyn_status gradyn_onestep_costates_begin(gradyn_onestep_sweeps *s);
gradyn_status gradyn_onestep_costates_add(gradyn_onestep_sweeps *s, double t, const double *stage,
                                          bool arrived);

#endif
