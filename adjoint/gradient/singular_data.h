/* Data by which a motion cannot be differentiated, because constraints depend on each other on its way. */
#ifndef GRADYN_ADJOINT_SINGULAR_DATA_H
#define GRADYN_ADJOINT_SINGULAR_DATA_H

#include "adjoint/evaluator/evaluator.h"

/* Marks those of the public data and of the parameters (NULL: not wanted) that move a constraint against
 * others where these depend on each other: redundant, all along, or in a position that the motion at rho
 * passes. A method with fixed steps marches once more; others end at such positions, so that the first one
 * tells all. An evaluator of its own does it: the one in hand goes on telling of its last run. */
gradyn_status gradyn_mark_singular(gradyn_evaluator *ev, const double *rho, bool *data,
                                   bool *parameters);

#endif
