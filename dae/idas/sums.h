/* Functionals of a march with IDAS: their values, and sizes to measure errors by. */
#ifndef GRADYN_DAE_IDAS_SUMS_H
#define GRADYN_DAE_IDAS_SUMS_H

#include <stdbool.h>

#include "gradyn/base.h"

struct gradyn_idas;

/* Functionals under way: psi = integral + terminal part. */
typedef struct gradyn_idas_sums {
  int count;      /* nf, of all functionals */
  int nq;         /* of those with an integral */
  int *integral;  /* [nq] their numbers */
  double *inner;  /* [nf] integral plus terminal part */
  int *taken_at;  /* [nf] boundary where the terminal part is taken: of an instant, when the march
                  * has been there, else the end, arcs.count; 0: not yet */
  double *value;  /* [nf] terminal parts taken at instants */
  double *size;   /* [nf] of psi, whatever cancels in it: see gradyn_idas_add_size() */
  double *mass;   /* [nq] about the integrals of |g| */
  double reached; /* s, so far */
} gradyn_idas_sums;

/* Takes the terminal parts of instants that lie at the end of arc k, once; true in *any if there are
 * some, and the state is the consistent one of arc k then. */
gradyn_status gradyn_idas_take_instants(struct gradyn_idas *s, int k, bool *any);

/* What errors of functionals are measured by, where their values are next to nothing: a tenth of what the
 * integrals would be if nothing in them cancelled, and of what the states at t, with their absolute
 * tolerances over rtol, make of the terminal part of functional f. */
void gradyn_idas_add_masses(struct gradyn_idas *s);
gradyn_status gradyn_idas_add_size(struct gradyn_idas *s, int f, double t, const double *y);

enum { GRADYN_IDAS_START = -1 }; /* taken_at of what is taken at the start */
gradyn_status gradyn_idas_take_start(struct gradyn_idas *s);

#endif
