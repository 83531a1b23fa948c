/* Points that fill a box evenly: a Sobol sequence of any dimension with a digital shift. */
#ifndef GRADYN_OPTIM_SOBOL_H
#define GRADYN_OPTIM_SOBOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct gradyn_sobol gradyn_sobol;

/* Creates a sequence; its shift follows from the seed. NULL: out of memory. */
gradyn_sobol *gradyn_sobol_create(size_t dimensions, uint64_t seed);
void gradyn_sobol_free(gradyn_sobol *sobol);

/* Returns a coordinate of point `index` (0, 1, ...) of the unit cube, in (0, 1). */
double gradyn_sobol_coordinate(const gradyn_sobol *sobol, uint32_t index, size_t dimension);

/* Returns the k-th number of a stream of random bits (SplitMix64; Steele, Lea & Flood 2014). */
uint64_t gradyn_random_bits(uint64_t stream, uint64_t k);

#endif
