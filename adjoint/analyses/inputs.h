/* Inputs of a linearisation along a run: changes of data whose effect at one time must be bounded. */
#ifndef GRADYN_ADJOINT_INPUTS_H
#define GRADYN_ADJOINT_INPUTS_H

#include "adjoint/analyses/nominal.h"

/* A change dx [nx] of data, borrowed, with its name and kind ("signal", "datum") for messages. */
typedef struct gradyn_input {
  const char *kind, *name;
  const double *dx;
} gradyn_input;

/* Checks an input in all modes and at all events of a nominal run. Errors: GRADYN_UNSUPPORTED, it moves a
 * constraint, or the time of an event that changes the motion; failures of constraints and events. */
gradyn_status gradyn_input_check(gradyn_nominal *nominal, const gradyn_input *input);

#endif
