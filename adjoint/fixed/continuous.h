/* Continuous adjoint of ALI3-P, for comparison with the exact adjoint of the discrete scheme. */
#ifndef GRADYN_ADJOINT_ALI3P_CONTINUOUS_H
#define GRADYN_ADJOINT_ALI3P_CONTINUOUS_H

#include "dae/fixed/fixed.h"

typedef struct gradyn_continuous gradyn_continuous;

/* Takes the memory of sweeps over a march by ALI3-P, which is borrowed. GRADYN_UNSUPPORTED unless it
 * marches by the trapezoidal rule with exact projections and a constant mass matrix. *out may be set
 * on failure, too; free it in any case. */
gradyn_status gradyn_continuous_create(gradyn_fixed *march, gradyn_continuous **out);
void gradyn_continuous_free(gradyn_continuous *s);

/* As the function of gradyn_method: marches, then integrates the adjoint equations of López Varela
 * (2022), eqs. (5.86) to (5.89), backwards on the march's grid. psi [nf] may be NULL; x_bar [nf][nx],
 * approximate. */
gradyn_status gradyn_continuous_sweep(gradyn_continuous *s, double *psi, double *x_bar);

#endif
