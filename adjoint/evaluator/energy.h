/* Motions whose computed energy drifts. */
#ifndef GRADYN_ADJOINT_EVALUATOR_ENERGY_H
#define GRADYN_ADJOINT_EVALUATOR_ENERGY_H

#include "adjoint/evaluator/evaluator.h"

/* Behind a simulation at rho that has left a trajectory: tells by how much the energy of a mechanism drifts
 * that nothing drives or brakes, if that is more than the tolerance explains. Of fixed steps that costs a run
 * with half the step where it is to be told. */
gradyn_status gradyn_energy_judge(gradyn_evaluator *ev, const double *rho,
                                  const gradyn_trajectory *trajectory);

#endif
