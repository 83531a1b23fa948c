/* The chain rule between a backward sweep and the parameters: dpsi/drho = dpsi/dx dx/drho. */
#ifndef GRADYN_ADJOINT_CHAIN_H
#define GRADYN_ADJOINT_CHAIN_H

#include "adjoint/directions.h"

/* Marks in active [nx] the data that vary with the parameters rho [parameters], which is restored. */
gradyn_status gradyn_chain_begin(gradyn_model *model, const gradyn_parameters *parameters,
                                 gradyn_scalar *rho, gradyn_directions *d, bool *active);

/* gradient [nf][parameters] from x_bar [nf][nx] (used up) of a sweep after that. Data whose bars are all
 * zero cost no builds. */
gradyn_status gradyn_chain_apply(gradyn_model *model, gradyn_scalar *rho, gradyn_directions *d,
                                 double *x_bar, double *gradient);

#endif
