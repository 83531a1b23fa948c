/* An equation whose solution becomes infinite in one piece without control: y' = y^2 - u from 1 over 2.5 s,
 * to 0.5 at the end with the least integral of u^2; a guess of the state is declared. And one that grows, y'
 * = 3 y. */
#ifndef GRADYN_TESTS_OPTIM_BLOW_H
#define GRADYN_TESTS_OPTIM_BLOW_H

#include <gradyn/problem.h>

enum { BLOW_KNOTS = 11 };

extern const gradyn_problem blow_problem, growth_problem;

#endif
