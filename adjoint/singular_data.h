/* Data by which a motion cannot be differentiated, because constraints depend on each other on its way. */
#ifndef GRADYN_ADJOINT_SINGULAR_DATA_H
#define GRADYN_ADJOINT_SINGULAR_DATA_H

#include "adjoint/evaluator.h"

/* Marks those of the public data and of the parameters (NULL: not wanted) that move a constraint against
 * others where these depend on each other, all along or in a position that the motion passes. Marches once
 * more, with the data that the model holds. With methods that end at singular positions nothing is marked.
 * */
gradyn_status gradyn_mark_singular(gradyn_evaluator *ev, bool *data, bool *parameters);

#endif
