/* General equations that start in a steady state. */
#ifndef GRADYN_TESTS_STEADY_MODELS_H
#define GRADYN_TESTS_STEADY_MODELS_H

#include "tests/support.h"

/* Parameters. */
enum { K1, K2, FIRST, BEFORE_PUMP, VOLUME, P };
/* States. */
enum { A, B, C };
/* Values of the setting "model". */
enum {
  CASCADE,
  REACTION,
  BINDING,
  DIVIDED,
  YIELD,
  STIFF,
  RIGID,
  BALANCED,
  SUPPLIED,
  CIRCUIT,
  TOGGLE,
  GHOST,
  CYCLE,
  UNDAMPED,
  DOUBLED,
  MODELS
};

extern const gradyn_param steady_params[P];
/* Functionals: mixture, an integral, and product, at the end. Cascade, reaction and binding have steady
 * states; see the equations of the others. */
extern const gradyn_problem steady_problem;

#endif
