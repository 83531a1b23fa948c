/* Functionals of a run with IDAS: their values, and the sizes to which their errors are relative. */
#ifndef GRADYN_DAE_IDAS_SUMS_H
#define GRADYN_DAE_IDAS_SUMS_H

#include <stdbool.h>

#include "gradyn/base.h"

struct gradyn_idas;

/* Functionals during a run: inner value = integral + terminal part. */
typedef struct gradyn_idas_sums {
  int count;      /* nf, number of all functionals */
  int nq;         /* number of functionals with an integral */
  int *integral;  /* [nq] indices of functionals with an integral */
  double *inner;  /* [nf] integral plus terminal part */
  double *size;   /* [nf] size of psi without cancellation: see gradyn_idas_add_size() */
  double *mass;   /* [nq] approximate integrals of |g| */
  double reached; /* time reached, s */
} gradyn_idas_sums;

/* Adds to sums.size of each functional with an integral the larger of a tenth of the integral of |g| and
 * atol/rtol. Errors of psi are relative to sums.size where psi is small. */
void gradyn_idas_add_masses(struct gradyn_idas *s);

/* Adds to sums.size of functional f, from 0, the size of its terminal part at y [ny] and t, s. The size is
 * the sum of |slope_i| max(|y_i|/10, atol_i/rtol). Errors: fatal failures of the functional. */
gradyn_status gradyn_idas_add_size(struct gradyn_idas *s, int f, double t, const double *y);

#endif
