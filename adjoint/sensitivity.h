/* Gradients of all functionals with respect to data, by method. */
#ifndef GRADYN_ADJOINT_SENSITIVITY_H
#define GRADYN_ADJOINT_SENSITIVITY_H

#include "dae/idas.h"

/* Directions in data space as sparse columns; directions count = the number of columns. */
typedef struct gradyn_directions {
  int count, nx;
  int *start;    /* [count + 1] */
  int *index;    /* [entries] indices in x */
  double *value; /* [entries] */
  int capacity;  /* room in index and value */
  double *scale; /* [count] typical size of the parameter behind a column: for tolerances */
} gradyn_directions;

typedef struct gradyn_idas_direct gradyn_idas_direct;
typedef struct gradyn_idas_adjoint gradyn_idas_adjoint;

/* Forward sensitivities of IDAS. gradient [nf][directions]. */
gradyn_status gradyn_idas_direct_create(gradyn_idas *march, gradyn_idas_direct **out);
void gradyn_idas_direct_free(gradyn_idas_direct *d);
gradyn_status gradyn_idas_direct_run(gradyn_idas_direct *d, const gradyn_directions *directions,
                                     double *psi, double *gradient);

/* Adjoint of IDAS with checkpoints. x_bar [nf][nx]; entries of data that are not active (active
 * [nx] false) are left zero, which saves their quadratures. */
gradyn_status gradyn_idas_adjoint_create(gradyn_idas *march, gradyn_idas_adjoint **out);
void gradyn_idas_adjoint_free(gradyn_idas_adjoint *a);
gradyn_status gradyn_idas_adjoint_run(gradyn_idas_adjoint *a, const bool *active, double *psi,
                                      double *x_bar);

#endif
