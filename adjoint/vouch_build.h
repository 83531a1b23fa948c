/* Vouching for derivatives of build(), before they are used. */
#ifndef GRADYN_ADJOINT_VOUCH_BUILD_H
#define GRADYN_ADJOINT_VOUCH_BUILD_H

#include "adjoint/lost.h"
#include "core/model/model.h"
#include "core/problems/parameters.h"

/* Looks at build() at rho [parameters], once for a model: GRADYN_INVALID names the number that it
 * loses. */
gradyn_status gradyn_vouch_build(gradyn_model *model, const gradyn_parameters *parameters,
                                 const gradyn_scalar *rho);

#endif
