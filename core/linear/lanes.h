/* Four right-hand sides side by side, for which compilers generate vector instructions. Arrays of lanes
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

/* gcc 11 has this function under another name. */
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 12
typedef int64_t gradyn_lane_places __attribute__((vector_size(32)));
#define __builtin_shufflevector(a, b, ...)                                                         \
  __builtin_shuffle(a, b, (gradyn_lane_places){__VA_ARGS__})
#endif

/* GRADYN_WIDE marks functions that are compiled twice: for any x86-64 processor, and for processors with
 * 256-bit registers. The loader selects one version at the start of the program, before sanitizers are
 * ready. Only "avx2", never "fma": without fused operations both versions give the same bits. For static
 * functions only, with unique names in the library, because clang derives symbols from them. */
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

/* Kernels of one loop nest are inlined with a constant size for small mechanisms: short loops are
 * inefficient unless they are unrolled. Sanitized builds do not force inlining. */
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

/* Placed before each loop of a triangular nest. The bounds of inner loops become constants only after the
 * outer loop is unrolled. */
#define GRADYN_UNROLL _Pragma("GCC unroll 8")

/* Returns an array of count lanes, all zero, to be released with free(). NULL: out of memory. */
gradyn_lanes *gradyn_lanes_create(size_t count);

/* Sets x [count] to zero, all lanes. */
void gradyn_lanes_clear(int count, gradyn_lanes *x);

/* Copies `columns` columns [count], at most GRADYN_LANES, into lanes `to` [count]; other lanes become zero.
 * Column j begins at from[j * stride]. */
void gradyn_lanes_load(int count, int columns, const double *from, int stride, gradyn_lanes *to);
/* Copies the first `columns` lanes of from [count] to columns; column j begins at to[j * stride]. */
void gradyn_lanes_store(int count, int columns, const gradyn_lanes *from, double *to, int stride);

/* Copies both[2 i] and both[2 i + 1] to entry i of first and second [count]. */
void gradyn_lanes_split(int count, const gradyn_lanes *both, gradyn_lanes *first,
                        gradyn_lanes *second);
/* Copies entry i of first and second [count] to both[2 i] and both[2 i + 1]. */
void gradyn_lanes_join(int count, const gradyn_lanes *first, const gradyn_lanes *second,
                       gradyn_lanes *both);

/* Returns the number of groups of GRADYN_LANES columns that hold `columns` columns. */
static inline size_t gradyn_lanes_groups(int columns)
{
  return ((size_t)columns + GRADYN_LANES - 1) / GRADYN_LANES;
}

/* Returns the address of entry 0 of column j in lanes [gradyn_lanes_groups(columns)][count]; its other
 * entries are GRADYN_LANES numbers apart. */
static inline double *gradyn_lane(const gradyn_lanes *packs, int count, int j)
{
  const size_t at = (size_t)j; /* unsigned: division by a power of two is a shift */
  return (double *)(packs + at / GRADYN_LANES * (size_t)count) + at % GRADYN_LANES;
}
/* Copies column j of packs [gradyn_lanes_groups(columns)][count] to column [count]. */
void gradyn_lane_get(const gradyn_lanes *packs, int count, int j, double *column);
/* Copies column [count] to column j of packs [gradyn_lanes_groups(columns)][count]. */
void gradyn_lane_put(const double *column, int count, int j, gradyn_lanes *packs);

/* Adds alpha A^T x over the first `rows` rows of A to y; values [nnz] of A, x [rows], y [cols]. */
void gradyn_lanes_multiply_transposed(const gradyn_pattern *A, int rows, const double *values,
                                      double alpha, const gradyn_lanes *x, gradyn_lanes *y);
/* Adds alpha A x over the first `rows` rows of A to y; values [nnz] of A, x [cols], y [rows]. */
void gradyn_lanes_multiply(const gradyn_pattern *A, int rows, const double *values, double alpha,
                           const gradyn_lanes *x, gradyn_lanes *y);

/* Subtracts A x, or A^T x if transposed, over the first `rows` rows of A from y; values [nnz] of A. Entries
 * of x and y, [rows] or [cols], have 1 or 2 lanes. */
void gradyn_lanes_subtract(int lanes, bool transposed, const gradyn_pattern *A, int rows,
                           const double *values, const gradyn_lanes *x, gradyn_lanes *y);
/* Sets y to from + sum of weight[k] x[k] over `terms` vectors of `count` lanes, in this order; y may be
 * `from`. */
void gradyn_lanes_add(int terms, const double *weight, const gradyn_lanes *const *x, int count,
                      const gradyn_lanes *from, gradyn_lanes *y);
/* Adds the sum of weight[k] x[k] over `terms` vectors to y, all of `count` numbers; in the order of terms. */
void gradyn_numbers_add(int terms, const double *weight, const double *const *x, int count,
                        double *y);
/* Returns a constant text that describes the selected version of the GRADYN_WIDE functions. */
const char *gradyn_lanes_registers(void);
/* Returns whether any lane of x [count] is nonzero; -0 is zero, NaN is not. */
GRADYN_KERNEL bool gradyn_lanes_any(int count, const gradyn_lanes *x)
{
  typedef uint64_t bits __attribute__((vector_size(32)));
  bits all = {0};
  GRADYN_UNROLL
  for (int i = 0; i < count; i++)
    all |= (bits)x[i];
  /* combines both halves; the last line combines two numbers */
  all |= __builtin_shufflevector(all, all, 2, 3, 0, 1);
  return (all[0] | all[1]) << 1 != 0;
}
/* Sets *out to the sums of squares of x [count], one in each lane. */
void gradyn_lanes_squares(int count, const gradyn_lanes *x, gradyn_lanes *out);

#endif
