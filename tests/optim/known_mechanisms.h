/* Mechanisms whose best design is known in closed form. */
#ifndef GRADYN_TESTS_OPTIM_KNOWN_MECHANISMS_H
#define GRADYN_TESTS_OPTIM_KNOWN_MECHANISMS_H

#include <gradyn/problem.h>

/* A crank (centre x and y, length, phase) that follows a circle, an ellipse, one that is nearly a
 * circle, and an ellipse with a crank that may not be as long as it should. */
extern const gradyn_problem known_crank_circle, known_crank_ellipse, known_crank_nearly,
    known_crank_short;
extern const gradyn_problem gradyn_problem_double_integrator;

#endif
