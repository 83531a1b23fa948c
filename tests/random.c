/* Steele, Lea & Flood, Fast splittable pseudorandom number generators, OOPSLA 2014. */
#include "tests/random.h"

#include <math.h>

double random_unit(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double random_range(uint64_t *state, double from, double to)
{
  return from + (to - from) * random_unit(state);
}

double random_decades(uint64_t *state, double from, double to)
{
  return exp(random_range(state, log(from), log(to)));
}

int random_choice(uint64_t *state, int count)
{
  return (int)(random_unit(state) * count);
}
