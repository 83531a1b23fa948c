/* Continuous adjoint of ALI3-P, for comparison with the exact adjoint of the discrete scheme. */
#ifndef GRADYN_ADJOINT_ALI3P_CONTINUOUS_H
#define GRADYN_ADJOINT_ALI3P_CONTINUOUS_H

#include "dae/fixed/fixed.h"

typedef struct gradyn_continuous gradyn_continuous;

/* Creates sweeps over runs of ALI3-P; `march` is borrowed and must outlive *out. Errors:
 * GRADYN_UNSUPPORTED, unless it uses the trapezoidal rule with exact projections and a constant mass
 * matrix; GRADYN_NO_MEMORY. *out may be set on failure, too; free *out in any case. */
gradyn_status gradyn_continuous_create(gradyn_fixed *march, gradyn_continuous **out);

/* Frees the sweeps, not the runs; NULL: no effect. */
void gradyn_continuous_free(gradyn_continuous *s);

/* The function continuous_adjoint of gradyn_method: runs, then integrates the adjoint equations of López
 * Varela (2022), eqs. (5.86) to (5.89), backwards on the grid of the run. psi [nf] may be NULL; x_bar
 * [nf][nx] is approximate. Both are undefined after an error. Errors: those of the run and of its
 * functions. */
gradyn_status gradyn_continuous_sweep(gradyn_continuous *s, double *psi, double *x_bar);

#endif
