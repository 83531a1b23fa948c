/* Degrees of freedom of a mechanism: the rank of its constraints. */
#ifndef GRADYN_DAE_FREEDOM_H
#define GRADYN_DAE_FREEDOM_H

#include "dae/start/initial.h"

/* Degrees of freedom under the constraints of the motion. First-order states, and coordinates of constraints
 * that are absent, do not count. */
typedef struct gradyn_found_freedom {
  /* n minus the rank in a position near the initial one, without nonholonomic constraints */
  int degrees;
  int rates; /* the same with nonholonomic constraints: free velocities */
  /* degrees of freedom in the initial position; the position is singular if they are more */
  int at_start;
  /* the initial position can move only to first order: the nearest position is itself */
  bool first;
  /* number of redundant constraints, at velocity level, near the initial position */
  int dependents;
  int *dependent; /* [m] the first `dependents` entries are their indices, ascending; owned */
} gradyn_found_freedom;

/* Solves the initial position for the model's present data, and counts. Failures have a message. Call
 * free(out->dependent) in any case. */
gradyn_status gradyn_freedom_find(gradyn_mech *mech, gradyn_found_freedom *out);

/* Count the redundant rows of the present Phi_q of an initial state with GRADYN_CONSTRAINT rows. dependent
 * [m]: their indices, ascending; may be NULL. The first function leaves out nonholonomic constraints; the
 * second includes them, as velocities do. Errors: GRADYN_NO_MEMORY; failures of the factorisation. */
gradyn_status gradyn_freedom_dependents(gradyn_initial *at, int *dependents, int *dependent);
gradyn_status gradyn_freedom_dependent_rates(gradyn_initial *at, int *dependents, int *dependent);

/* Returns the number of coordinates without mechanics that occur in no row of Phi_q. Phi_q is that of the
 * last call of the functions above. */
int gradyn_freedom_spare(gradyn_initial *at);

#endif
