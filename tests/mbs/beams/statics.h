/* Equilibrium of a bench model by Newton's method, written for this test. */
#ifndef GRADYN_TESTS_MBS_STATICS_H
#define GRADYN_TESTS_MBS_STATICS_H

#include "tests/mbs/bench.h"

/* Builds the model and brings it to rest under its forces: b->y has positions and multipliers, zero
 * velocities and accelerations. */
void statics_open(bench *b, gradyn_build_fn build);

/* Displacement of a coordinate from where it was built, and a multiplier, by name: "P" and an axis,
 * "clamp.slope.y". */
double statics_displacement(const bench *b, const char *point, int axis);
double statics_multiplier(const bench *b, const char *constraint);

#endif
