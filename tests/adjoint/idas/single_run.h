/* Gradients of idas by one run each, for tests of a single run. */
#ifndef GRADYN_TESTS_ADJOINT_SINGLE_RUN_H
#define GRADYN_TESTS_ADJOINT_SINGLE_RUN_H

#include "adjoint/evaluator/evaluator.h"

/* Has gradients of an evaluator not be compared with tighter ones; *method lives as long as that. */
static inline void single_run(gradyn_evaluator *ev, gradyn_method *method)
{
  *method = *ev->method;
  method->tighten = NULL;
  ev->method = method;
}

#endif
