/* Random general equations with events: coupled oscillators with an algebraic state, pushed by a signal; maps
 * and resets flip a switch in them, scale states and set them. */
#ifndef GRADYN_TESTS_DRAWN_EQUATIONS_DRAW_H
#define GRADYN_TESTS_DRAWN_EQUATIONS_DRAW_H

#include <stdint.h>

#include <gradyn/gradyn.h>

enum { EQUATIONS_PARAMETERS = 8 };

/* Draws system number `seed`, which equations_problem builds from then on. Its parameters are numbers around
 * 1, and it has a path constraint with two bounds, the first two functionals. */
void equations_draw(uint64_t seed);
gradyn_problem equations_problem(void);

#endif
