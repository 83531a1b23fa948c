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
  int *integral; /* [nq] their numbers */
  double *inner; /* [nf] integral plus terminal part */
  /* [nf] boundary of the terminal part: at a given time once it is reached, otherwise the end, arcs.count; 0:
   * not reached yet */
  int *taken_at;
  double *value;  /* [nf] terminal parts at given times */
  double *size;   /* [nf] of psi, whatever cancels in it: see gradyn_idas_add_size() */
  double *mass;   /* [nq] about the integrals of |g| */
  double reached; /* time reached, s */
} gradyn_idas_sums;

/* Evaluates the terminal parts at given times at the end of arc k, once. *any: there are some; the state is
 * then consistent, in arc k. */
gradyn_status gradyn_idas_take_instants(struct gradyn_idas *s, int k, bool *any);

/* Add to sums.size, to which errors of small values are relative. add_masses(): of each integral the larger
 * of a tenth of the integral of |g| and atol/rtol. add_size(): of the terminal part of functional f at y [ny]
 * and t the sum of |slope_i| max(|y_i|/10, atol_i/rtol). Errors: fatal failures of the functional. */
void gradyn_idas_add_masses(struct gradyn_idas *s);
gradyn_status gradyn_idas_add_size(struct gradyn_idas *s, int f, double t, const double *y);

enum { GRADYN_IDAS_START = -1 }; /* taken_at of terminal parts at the start */
gradyn_status gradyn_idas_take_start(struct gradyn_idas *s);

#endif
