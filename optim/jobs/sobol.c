/* Sobol sequence.
 *
 * Bit k of an index adds the direction number v_k modulo two. In the first dimension, v_k are the bits in
 * reverse order (van der Corput). In all others, v_k = m_k / 2^k with odd m_k < 2^k that follow a
 * primitive polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1:
 *
 *   m_k = 2 a_1 m_(k-1) ^ 4 a_2 m_(k-2) ^ ... ^ 2^(s-1) a_(s-1) m_(k-s+1) ^ 2^s m_(k-s) ^ m_(k-s)
 *
 * The polynomials are used in the order of their degree and coefficients. The first s numbers m are free.
 * Up to 32 dimensions, they are those of Joe & Kuo, SIAM J. Sci. Comput. 30 (2008) 2635, selected for
 * even projections on pairs of coordinates. In higher dimensions they are random, which keeps every
 * single coordinate even. */
#include "optim/jobs/sobol.h"

#include <stdbool.h>
#include <stdlib.h>

enum { BITS = 32, TABLED = 31, MOST_INITIAL = 7 };

static const uint32_t tabled[TABLED][MOST_INITIAL] = {
    {1},
    {1, 3},
    {1, 3, 1},
    {1, 1, 1},
    {1, 1, 3, 3},
    {1, 3, 5, 13},
    {1, 1, 5, 5, 17},
    {1, 1, 5, 5, 5},
    {1, 1, 7, 11, 19},
    {1, 1, 5, 1, 1},
    {1, 1, 1, 3, 11},
    {1, 3, 5, 5, 31},
    {1, 3, 3, 9, 7, 49},
    {1, 1, 1, 15, 21, 21},
    {1, 3, 1, 13, 27, 49},
    {1, 1, 1, 15, 7, 5},
    {1, 3, 1, 15, 13, 25},
    {1, 1, 5, 5, 19, 61},
    {1, 3, 7, 11, 23, 15, 103},
    {1, 3, 7, 13, 13, 15, 69},
    {1, 1, 3, 13, 7, 35, 63},
    {1, 3, 5, 9, 1, 25, 53},
    {1, 3, 1, 13, 9, 35, 107},
    {1, 3, 1, 5, 27, 61, 31},
    {1, 1, 5, 11, 19, 41, 61},
    {1, 3, 5, 3, 3, 13, 69},
    {1, 1, 7, 13, 1, 19, 1},
    {1, 3, 7, 5, 13, 19, 59},
    {1, 1, 3, 9, 25, 29, 41},
    {1, 3, 5, 13, 23, 1, 55},
    {1, 3, 7, 3, 13, 59, 17},
};

struct gradyn_sobol {
  uint32_t (*v)[BITS]; /* [dimensions], direction numbers, highest bit first */
  uint32_t *shift;     /* [dimensions] */
};

uint64_t gradyn_random_bits(uint64_t stream, uint64_t k)
{
  /* SplitMix64 (Steele, Lea & Flood 2014) at position k, without the numbers before */
  uint64_t z = stream + (k + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Whether a polynomial over the field of two elements (bit i: coefficient of x^i) of degree s is
 * primitive: the powers of x take all 2^s - 1 nonzero remainders. */
static bool is_primitive(uint32_t polynomial, int s)
{
  const uint32_t all = (UINT32_C(1) << s) - 1;
  uint32_t power = 1, period = 0;
  do {
    /* power = x^period mod polynomial */
    power <<= 1;
    if (power >> s & 1)
      power ^= polynomial; /* modulo two, subtraction is the exclusive or */
    period++;
  } while (power != 1 && power != 0 && period <= all);
  return power == 1 && period == all;
}

/* Finds the next primitive polynomial after *polynomial of degree *s. */
static void next_primitive(uint32_t *polynomial, int *s)
{
  do {
    *polynomial += 2; /* next polynomial with the constant term one */
    if (*polynomial >> (*s + 1) != 0) {
      ++*s;
      *polynomial = (UINT32_C(1) << *s) + 1;
    }
  } while (!is_primitive(*polynomial, *s));
}

/* Computes the direction numbers of a dimension >= 1 from its polynomial of degree s. */
static void direct(uint32_t v[BITS], size_t dimension, uint32_t polynomial, int s)
{
  uint32_t m[BITS] = {0};
  for (int k = 0; k < s; k++) {
    const uint32_t random = (uint32_t)gradyn_random_bits(dimension, (uint64_t)k);
    /* odd, below 2^(k+1) */
    m[k] = dimension <= TABLED ? tabled[dimension - 1][k] : (random & ((UINT32_C(2) << k) - 1)) | 1;
  }
  /* the recurrence at the top of this file; bit s - i of the polynomial is a_i */
  for (int k = s; k < BITS; k++) {
    m[k] = m[k - s] ^ (m[k - s] << s);
    for (int i = 1; i < s; i++)
      if (polynomial >> (s - i) & 1)
        m[k] ^= m[k - i] << i;
  }
  for (int k = 0; k < BITS; k++)
    v[k] = m[k] << (BITS - 1 - k); /* m_k / 2^k with the highest bit first */
}

gradyn_sobol *gradyn_sobol_create(size_t dimensions, uint64_t seed)
{
  gradyn_sobol *sobol = calloc(1, sizeof *sobol);
  if (sobol == NULL)
    return NULL;
  sobol->v = calloc(dimensions + 1, sizeof *sobol->v);
  sobol->shift = calloc(dimensions + 1, sizeof *sobol->shift);
  if (sobol->v == NULL || sobol->shift == NULL) {
    gradyn_sobol_free(sobol);
    return NULL;
  }
  uint32_t polynomial = 1; /* before x + 1 */
  int s = 1;
  for (size_t j = 0; j < dimensions; j++) {
    /* digital shift: another seed gives another sequence that is equally uniform */
    sobol->shift[j] = (uint32_t)(gradyn_random_bits(seed, j) >> 32);
    if (j == 0) {
      for (int k = 0; k < BITS; k++) /* van der Corput */
        sobol->v[j][k] = UINT32_C(1) << (BITS - 1 - k);
    } else {
      next_primitive(&polynomial, &s);
      direct(sobol->v[j], j, polynomial, s);
    }
  }
  return sobol;
}

void gradyn_sobol_free(gradyn_sobol *sobol)
{
  if (sobol == NULL)
    return;
  free(sobol->v);
  free(sobol->shift);
  free(sobol);
}

double gradyn_sobol_coordinate(const gradyn_sobol *sobol, uint32_t index, size_t dimension)
{
  uint32_t x = sobol->shift[dimension];
  for (int k = 0; k < BITS && index >> k != 0; k++)
    if (index >> k & 1)
      x ^= sobol->v[dimension][k];
  return ((double)x + 0.5) / 4294967296.0; /* the middle of its cell: never 0 or 1 */
}
