/* Linearisation of a mechanism on the manifold of its constraints. */
#ifndef GRADYN_DAE_LINEARISE_H
#define GRADYN_DAE_LINEARISE_H

#include "core/model.h"
#include "dae/initial.h"
#include <gradyn/statics.h>

/* At t and a state q, v [n] that satisfies the constraints; the initial object has GRADYN_CONSTRAINT rows and
 * is left with the accelerations there. Free with gradyn_linearisation_clear() in any case. */
gradyn_status gradyn_linearise_at(gradyn_initial *s, gradyn_model *model, double t, const double *q,
                                  const double *v, gradyn_linearisation *out);

#endif
