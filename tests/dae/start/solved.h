/* Models with their initial state, solved. */
#ifndef GRADYN_TESTS_DAE_START_SOLVED_H
#define GRADYN_TESTS_DAE_START_SOLVED_H

#include "core/model/model.h"
#include "dae/start/initial.h"
#include <gradyn/problem.h>

typedef struct solved {
  gradyn_model *model;
  gradyn_initial initial;
  gradyn_status status; /* of the solution: GRADYN_NOT_ASSEMBLED, ... */
} solved;

/* Builds a model at rho, which has to succeed, and solves its initial state, which may not; release it. */
solved solve(gradyn_build_fn build, const gradyn_scalar *rho);
void release(solved *s);

#endif
