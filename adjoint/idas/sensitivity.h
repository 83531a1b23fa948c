/* Gradients of all functionals with respect to data, for the method idas. */
#ifndef GRADYN_ADJOINT_IDAS_SENSITIVITY_H
#define GRADYN_ADJOINT_IDAS_SENSITIVITY_H

#include "adjoint/directions.h"
#include "dae/idas/idas.h"

typedef struct gradyn_idas_direct gradyn_idas_direct;
typedef struct gradyn_idas_adjoint gradyn_idas_adjoint;

/* Creates the integrator of forward sensitivities. march: borrowed, must outlive *out. *out may be set on
 * failure, too; free *out in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_idas_direct_create(gradyn_idas *march, gradyn_idas_direct **out);

/* Frees the integrator of sensitivities, not `march`; NULL: no effect. */
void gradyn_idas_direct_free(gradyn_idas_direct *d);
/* Runs with forward sensitivities. psi [nf]; gradient [nf][directions]; both undefined after an error.
 * Errors: those of the run. */
gradyn_status gradyn_idas_direct_run(gradyn_idas_direct *d, const gradyn_directions *directions,
                                     double *psi, double *gradient);

/* Creates the integrator of the adjoint equations, with error weights of idas/sizes.h. march: borrowed,
 * must outlive *out. *out may be set on failure, too; free *out in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_idas_adjoint_create(gradyn_idas *march, gradyn_idas_adjoint **out);

/* Frees the integrator of the adjoint equations, not `march`; NULL: no effect. */
void gradyn_idas_adjoint_free(gradyn_idas_adjoint *a);
/* Runs forward, storing all steps, then backward. psi [nf]; x_bar [nf][nx] is zero for data that active
 * [nx] does not mark, which saves their quadratures. Errors: those of the runs; GRADYN_NON_FINITE. */
gradyn_status gradyn_idas_adjoint_run(gradyn_idas_adjoint *a, const bool *active, double *psi,
                                      double *x_bar);

/* Sets the number of steps, `capacity`, for which each arc initially has memory. Results do not depend on
 * it. Tests use it. */
void gradyn_idas_adjoint_room(gradyn_idas_adjoint *a, long capacity);

#endif
