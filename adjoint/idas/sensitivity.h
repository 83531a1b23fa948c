/* Gradients of all functionals with respect to data, for the method idas. */
#ifndef GRADYN_ADJOINT_IDAS_SENSITIVITY_H
#define GRADYN_ADJOINT_IDAS_SENSITIVITY_H

#include "adjoint/directions.h"
#include "dae/idas/idas.h"

typedef struct gradyn_idas_direct gradyn_idas_direct;
typedef struct gradyn_idas_adjoint gradyn_idas_adjoint;

/* Forward sensitivities of IDAS. gradient [nf][directions]. */
gradyn_status gradyn_idas_direct_create(gradyn_idas *march, gradyn_idas_direct **out);
void gradyn_idas_direct_free(gradyn_idas_direct *d);
gradyn_status gradyn_idas_direct_run(gradyn_idas_direct *d, const gradyn_directions *directions,
                                     double *psi, double *gradient);

/* Adjoint of IDAS, with error weights by running sizes (idas/sizes.h) and room for the states of all
 * steps of an arc. x_bar [nf][nx]; entries of data that are not active (active [nx] false) are left
 * zero, which saves their quadratures. */
gradyn_status gradyn_idas_adjoint_create(gradyn_idas *march, gradyn_idas_adjoint **out);
void gradyn_idas_adjoint_free(gradyn_idas_adjoint *a);
gradyn_status gradyn_idas_adjoint_run(gradyn_idas_adjoint *a, const bool *active, double *psi,
                                      double *x_bar);

/* After a run: the steps that each arc of the next one gets room for at first. Results do not depend
 * on it. */
void gradyn_idas_adjoint_room(gradyn_idas_adjoint *a, long capacity);

#endif
