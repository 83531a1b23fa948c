/* Steady motions: tests whether the motion of a mechanism at a state is steady, so that nothing depends on
 * the coordinates that change; docs/theory/statics.md, section 4. */
#ifndef GRADYN_DAE_STEADY_H
#define GRADYN_DAE_STEADY_H

#include "core/model/model.h"
#include "dae/start/initial.h"
#include <gradyn/analysis.h>

/* The data of a linearisation that the test needs: the object at a state with a and lam, and changes of this
 * state that satisfy its constraints. The changes are by positions, by rates, by first-order states, and by
 * signals, in this order. */
typedef struct gradyn_near {
  gradyn_initial *initial;
  gradyn_model *model;
  const double *change; /* [count][3][n] (dq, dv, da) */
  int count, family[3]; /* number of changes; ends of the first three kinds */
} gradyn_near;

/* Tests the motion at the state in near->initial. Sets out->motion and, if the motion is not steady, the
 * reason in out->unsteady. L [n][n], by rows, becomes the matrix of q' = L q + u if the motion is steady, and
 * zero otherwise. out->largest must be set. near->initial has the same q, v, a and lam afterwards, unless
 * there is an error. Errors: GRADYN_NO_MEMORY; failures of the equations of motion. */
gradyn_status gradyn_steady_find(const gradyn_near *near, gradyn_linearisation *out, double *L);

#endif
