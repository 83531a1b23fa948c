/* Points that fill a box evenly: a Sobol sequence of any dimension with a digital shift. */
#ifndef GRADYN_OPTIM_SOBOL_H
#define GRADYN_OPTIM_SOBOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct gradyn_sobol gradyn_sobol;

/* Returns a new sequence of points with this number of coordinates; its shift follows from the seed, and
 * equal seeds give equal points. Free it by gradyn_sobol_free(). NULL: out of memory. */
gradyn_sobol *gradyn_sobol_create(size_t dimensions, uint64_t seed);
/* Frees a sequence; NULL is ignored. */
void gradyn_sobol_free(gradyn_sobol *sobol);

/* Returns coordinate `dimension`, from 0, of point `index`, from 0; it is between 0 and 1, exclusive. */
double gradyn_sobol_coordinate(const gradyn_sobol *sobol, uint32_t index, size_t dimension);

/* Returns 64 random bits: number k, from 0, of a stream (SplitMix64; Steele, Lea & Flood 2014). */
uint64_t gradyn_random_bits(uint64_t stream, uint64_t k);

#endif
