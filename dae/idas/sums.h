/* Functionals of a run with IDAS: their values, and the sizes to which their errors are relative. */
#ifndef GRADYN_DAE_IDAS_SUMS_H
#define GRADYN_DAE_IDAS_SUMS_H

#include <stdbool.h>

#include "gradyn/base.h"

struct gradyn_idas;

/* Functionals during a run: inner value = integral + terminal part. */
typedef struct gradyn_idas_sums {
  int count;     /* nf, number of all functionals */
  int nq;        /* number of functionals with an integral */
  int *integral; /* [nq] indices of functionals with an integral */
  double *inner; /* [nf] integral plus terminal part */
  /* [nf] boundary at which the terminal part is evaluated: that of a given time, or arcs.count at the end.
   * 0: not reached yet. At the start: GRADYN_IDAS_START */
  int *taken_at;
  double *value;  /* [nf] terminal parts at given times or at the start */
  double *size;   /* [nf] size of psi without cancellation: see gradyn_idas_add_size() */
  double *mass;   /* [nq] approximate integrals of |g| */
  double reached; /* time reached, s */
} gradyn_idas_sums;

/* Evaluates the terminal parts whose given time is the end of arc k, from 0. *any: whether there are some;
 * then s->sun.y, yp have been made consistent in arc k. Errors: GRADYN_NON_FINITE, a terminal part; failures
 * of functionals and equations. */
gradyn_status gradyn_idas_take_instants(struct gradyn_idas *s, int k, bool *any);

/* Add to sums.size, to which errors are relative where psi is small. add_masses(): for each integral, the
 * larger of a tenth of the integral of |g| and atol/rtol. add_size(): for the terminal part of functional f
 * at y [ny] and t, s, the sum of |slope_i| max(|y_i|/10, atol_i/rtol). Errors: fatal failures of the
 * functional. */
void gradyn_idas_add_masses(struct gradyn_idas *s);
gradyn_status gradyn_idas_add_size(struct gradyn_idas *s, int f, double t, const double *y);

/* Evaluates the terminal parts at the start of the run, whose state is s->sun.y. Errors: failures of the
 * functionals. */
enum { GRADYN_IDAS_START = -1 }; /* taken_at of these parts */
gradyn_status gradyn_idas_take_start(struct gradyn_idas *s);

#endif
