/* Steady motions: whether a mechanism at a state goes on as it does, so that nothing depends on the
 * coordinates that move; docs/theory/statics.md, section 4. */
#ifndef GRADYN_DAE_STEADY_H
#define GRADYN_DAE_STEADY_H

#include "core/model/model.h"
#include "dae/start/initial.h"
#include <gradyn/statics.h>

/* What is known of a linearisation so far: the object at a state with a and lam, and changes of that
 * state that satisfy its constraints, of places, of rates, of first-order states, then those that follow
 * from signals. */
typedef struct gradyn_near {
  gradyn_initial *initial;
  gradyn_model *model;
  const double *change; /* [count][3][n] (dq, dv, da) */
  int count, family[3]; /* ends of the first three kinds */
} gradyn_near;

/* Fills L [n][n], row by row, of q' = L q + u if the motion is steady, zeros otherwise; out->motion and, of
 * motions that are not steady, out->unsteady. out->largest is known. The object is left as it was. */
gradyn_status gradyn_steady_find(const gradyn_near *near, gradyn_linearisation *out, double *L);

#endif
