/* Random numbers that depend on a seed only, the same on every machine: splitmix64. */
#ifndef GRADYN_TESTS_RANDOM_H
#define GRADYN_TESTS_RANDOM_H

#include <stdint.h>

/* Return a number of [0, 1); of [from, to); of [from, to) with uniform logarithm; and one of 0, 1, ...,
 * count - 1. */
double random_unit(uint64_t *state);
double random_range(uint64_t *state, double from, double to);
double random_decades(uint64_t *state, double from, double to);
int random_choice(uint64_t *state, int count);

#endif
