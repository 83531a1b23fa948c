/* Four right-hand sides side by side, for which compilers emit vector instructions. Arrays of lanes
 * must be aligned: use gradyn_lanes_create(). */
#ifndef GRADYN_CORE_LANES_H
#define GRADYN_CORE_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/pattern.h"

#define GRADYN_LANES 4

typedef double gradyn_lanes __attribute__((vector_size(32), aligned(32)));

/* gcc 11 has it by another name. */
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 12
typedef int64_t gradyn_lane_places __attribute__((vector_size(32)));
#define __builtin_shufflevector(a, b, ...)                                                         \
  __builtin_shuffle(a, b, (gradyn_lane_places){__VA_ARGS__})
#endif

/* GRADYN_WIDE stands before functions that are translated twice, for any 64-bit processor of the x86
 * family and for those with registers that hold all lanes; the loader picks one when the program
 * starts. Only "avx2", never "fma": without fused operations both give the same bits. For static
 * functions only, with names that occur once in the library (clang derives symbols from them). Needs
 * a loader that picks, and sanitizers are not set up yet while it does. */
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define GRADYN_SANITIZED_HERE
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined GRADYN_SANITIZED
#define GRADYN_SANITIZED_HERE
#endif
#if defined __x86_64__ && defined __GLIBC__ && defined __has_attribute &&                          \
    !defined GRADYN_SANITIZED_HERE
#if __has_attribute(target_clones)
#define GRADYN_WIDE __attribute__((target_clones("avx2", "default")))
#define GRADYN_TWICE
#endif
#endif
#ifndef GRADYN_WIDE
#define GRADYN_WIDE
#endif

/* Kernels of one loop nest, inlined with their size as a constant for the sizes of small mechanisms:
 * loops this short are all overhead unless the compiler unrolls them. Sanitizers look at each once. */
#ifdef GRADYN_SANITIZED_HERE
#define GRADYN_KERNEL static inline
#else
#define GRADYN_KERNEL static inline __attribute__((always_inline))
#endif
#define GRADYN_BY_SIZE_CASE(size, kernel, ...)                                                     \
  case size:                                                                                       \
    kernel(size, __VA_ARGS__);                                                                     \
    break;
#define GRADYN_BY_SIZE(size, kernel, general, ...)                                                 \
  switch (size) {                                                                                  \
    GRADYN_BY_SIZE_CASE(2, kernel, __VA_ARGS__)                                                    \
    GRADYN_BY_SIZE_CASE(3, kernel, __VA_ARGS__)                                                    \
    GRADYN_BY_SIZE_CASE(4, kernel, __VA_ARGS__)                                                    \
    GRADYN_BY_SIZE_CASE(5, kernel, __VA_ARGS__)                                                    \
    GRADYN_BY_SIZE_CASE(6, kernel, __VA_ARGS__)                                                    \
    GRADYN_BY_SIZE_CASE(7, kernel, __VA_ARGS__)                                                    \
    GRADYN_BY_SIZE_CASE(8, kernel, __VA_ARGS__)                                                    \
  default:                                                                                         \
    general(size, __VA_ARGS__);                                                                    \
    break;                                                                                         \
  }

/* Before each loop of a triangular nest, whose inner loops have bounds that are constants only once the outer
 * one is unrolled. */
#define GRADYN_UNROLL _Pragma("GCC unroll 8")

/* Zeroed array of count lanes, to be released with free(); NULL: out of memory. */
gradyn_lanes *gradyn_lanes_create(size_t count);

/* Zeros. */
void gradyn_lanes_clear(int count, gradyn_lanes *x);

/* Copies columns (stride apart) into lanes and back; the lanes beyond `columns` are zero. */
void gradyn_lanes_load(int count, int columns, const double *from, int stride, gradyn_lanes *to);
void gradyn_lanes_store(int count, int columns, const gradyn_lanes *from, double *to, int stride);

/* Entries of two lanes, both packs side by side, to packs one after the other; and back. */
void gradyn_lanes_part(int count, const gradyn_lanes *both, gradyn_lanes *first,
                       gradyn_lanes *second);
void gradyn_lanes_join(int count, const gradyn_lanes *first, const gradyn_lanes *second,
                       gradyn_lanes *both);

/* Packs of lanes that so many columns take. */
static inline size_t gradyn_lanes_packs(int columns)
{
  return ((size_t)columns + GRADYN_LANES - 1) / GRADYN_LANES;
}

/* Entry 0 of column j of packs [(columns + 3)/4][count]; the others are GRADYN_LANES numbers apart. */
static inline double *gradyn_lane(const gradyn_lanes *packs, int count, int j)
{
  const size_t at = (size_t)j; /* unsigned: division by a power of two is a shift */
  return (double *)(packs + at / GRADYN_LANES * (size_t)count) + at % GRADYN_LANES;
}
/* Copies that column out of its lane and back. */
void gradyn_lane_get(const gradyn_lanes *packs, int count, int j, double *column);
void gradyn_lane_put(const double *column, int count, int j, gradyn_lanes *packs);

/* y += alpha A^T x over the first `rows` rows. */
void gradyn_lanes_multiply_transposed(const gradyn_pattern *A, int rows, const double *values,
                                      double alpha, const gradyn_lanes *x, gradyn_lanes *y);
/* y += alpha A x over the first `rows` rows. */
void gradyn_lanes_multiply(const gradyn_pattern *A, int rows, const double *values, double alpha,
                           const gradyn_lanes *x, gradyn_lanes *y);

/* y -= A x or A^T x over the first `rows` rows of A, for entries of one or two lanes. */
void gradyn_lanes_subtract(int lanes, bool transposed, const gradyn_pattern *A, int rows,
                           const double *values, const gradyn_lanes *x, gradyn_lanes *y);

/* A sum of vectors: y = from + sum of weight_k x_k, `terms` of them, each of `count` lanes, or y += that of
 * plain numbers. Every entry is summed in their order; y may be `from`. */
void gradyn_lanes_add(int terms, const double *weight, const gradyn_lanes *const *x, int count,
                      const gradyn_lanes *from, gradyn_lanes *y);
void gradyn_numbers_add(int terms, const double *weight, const double *const *x, int count,
                        double *y);

/* Which translation of the GRADYN_WIDE functions serves, in words. */
const char *gradyn_lanes_registers(void);

/* Whether any lane of any of them is not zero, by the bits beside the signs. */
GRADYN_KERNEL bool gradyn_lanes_any(int count, const gradyn_lanes *x)
{
  typedef uint64_t bits __attribute__((vector_size(32)));
  bits all = {0};
  GRADYN_UNROLL
  for (int i = 0; i < count; i++)
    all |= (bits)x[i];
  all |= __builtin_shufflevector(all, all, 2, 3, 0, 1); /* both halves, then both of a half */
  return (all[0] | all[1]) << 1 != 0;
}

/* Sum of squares. */
void gradyn_lanes_squares(int count, const gradyn_lanes *x, gradyn_lanes *out);

#endif
