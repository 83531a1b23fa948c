/* How many ways a mechanism can move: the rank of its constraints. */
#ifndef GRADYN_DAE_FREEDOM_H
#define GRADYN_DAE_FREEDOM_H

#include "dae/start/initial.h"

/* Of the constraints of the motion. First-order states, and coordinates that stand for absent constraints,
 * are no freedoms. */
typedef struct gradyn_found_freedom {
  int degrees; /* n minus their rank in a position near the initial one, rows of velocities left out */
  int rates;    /* the same with these: velocities that are free */
  int at_start; /* the same in the initial position, which is singular if it has more */
  bool first;   /* the nearest position is the initial one again: to first order only it can move */
  int dependents; /* how many follow from others, near the initial position, in velocities */
  int *dependent; /* [m], of which these are the first: their numbers, ascending; owned */
} gradyn_found_freedom;

/* Solves the initial position of the model's present data and counts. Failures have a message;
 * free(out->dependent) in any case. */
gradyn_status gradyn_freedom_find(gradyn_mech *mech, gradyn_found_freedom *out);

/* Rank of the present Phi_q of an initial state of GRADYN_CONSTRAINT rows: how many rows depend on others
 * (their numbers, ascending, in dependent [m] unless it is NULL). Rows of velocities are left out; the second
 * counts all rows, as velocities have them. */
gradyn_status gradyn_freedom_dependents(gradyn_initial *at, int *dependents, int *dependent);
gradyn_status gradyn_freedom_dependent_rates(gradyn_initial *at, int *dependents, int *dependent);

/* How many coordinates without mechanics there are that no row of its Phi_q ties, which is that of the last
 * call above. */
int gradyn_freedom_spare(gradyn_initial *at);

#endif
