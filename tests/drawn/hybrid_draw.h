/* Random hybrid mechanisms in the plane for the campaign: points, springs, rods and drag; modes in a ring,
 * bounces, maps and resets on the way. */
#ifndef GRADYN_TESTS_CAMPAIGNS_HYBRID_DRAW_H
#define GRADYN_TESTS_CAMPAIGNS_HYBRID_DRAW_H

#include <stdint.h>

#include <gradyn/gradyn.h>

enum { P = 6, F = 7 }; /* parameters and functionals */

/* Where the motions are to be looked at. */
extern const double rho[P];
extern const gradyn_problem problem;

/* Leaves out what is taken at events: the rest adds up over parts of a motion. */
extern bool sums_alone;

/* The mechanism that `problem` builds from now on; a number at random from the same source. */
void draw(uint64_t seed);
double uniform(double a, double b);

#endif
