/* A problem for second derivatives of general equations. */
#ifndef GRADYN_TESTS_OPTIM_REACTOR_H
#define GRADYN_TESTS_OPTIM_REACTOR_H

#include <gradyn/problem.h>

extern const gradyn_problem reactor_problem;

#endif
