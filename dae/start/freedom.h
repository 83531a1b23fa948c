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

/* Solves the initial position for the model's present data, and fills *out. Call free(out->dependent) in
 * any case. Errors, with a message: those of gradyn_initial_place() and gradyn_freedom_dependents(). */
gradyn_status gradyn_freedom_find(gradyn_mech *mech, gradyn_found_freedom *out);

/* Sets *dependents to the number of redundant rows of Phi_q at the position at->q, without nonholonomic
 * constraints. `at` must have been created with GRADYN_CONSTRAINT. dependent [m], or NULL: indices of these
 * rows, from 0, ascending. Errors: GRADYN_NO_MEMORY; failures of the constraints and of the factorisation. */
gradyn_status gradyn_freedom_dependents(gradyn_initial *at, int *dependents, int *dependent);

/* Sets *dependents to the number of redundant rows of Phi_q at at->q, including nonholonomic constraints.
 * `at` must have been created with GRADYN_CONSTRAINT. dependent [m], or NULL: indices of these rows, from
 * 0, ascending. Errors: GRADYN_NO_MEMORY; failures of the constraints and of the factorisation. */
gradyn_status gradyn_freedom_dependent_rates(gradyn_initial *at, int *dependents, int *dependent);

/* Returns the number of coordinates without mechanical meaning (gradyn_mech.spare) that occur in no row of
 * Phi_q. Call gradyn_freedom_dependents() or gradyn_freedom_dependent_rates() before. */
int gradyn_freedom_spare(gradyn_initial *at);

#endif
