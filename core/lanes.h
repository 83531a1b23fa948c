/* Four right-hand sides side by side, for which compilers emit vector instructions. Arrays of lanes
 * must be aligned: use gradyn_lanes_create(). */
#ifndef GRADYN_CORE_LANES_H
#define GRADYN_CORE_LANES_H

#include <stddef.h>

#include "core/pattern.h"

#define GRADYN_LANES 4

typedef double gradyn_lanes __attribute__((vector_size(32), aligned(32)));

/* Two of the four. */
typedef double gradyn_half __attribute__((vector_size(16), may_alias));

/* Zeroed array of count lanes, to be released with free(); NULL: out of memory. */
gradyn_lanes *gradyn_lanes_create(size_t count);

/* Copies columns (stride apart) into lanes and back; the lanes beyond `columns` are zero. */
void gradyn_lanes_load(int count, int columns, const double *from, int stride, gradyn_lanes *to);
void gradyn_lanes_store(int count, int columns, const gradyn_lanes *from, double *to, int stride);

/* y += alpha A^T x over the first `rows` rows. */
void gradyn_lanes_multiply_transposed(const gradyn_pattern *A, int rows, const double *values,
                                      double alpha, const gradyn_lanes *x, gradyn_lanes *y);
/* y += alpha A x over the first `rows` rows. */
void gradyn_lanes_multiply(const gradyn_pattern *A, int rows, const double *values, double alpha,
                           const gradyn_lanes *x, gradyn_lanes *y);

/* Sum of squares. */
void gradyn_lanes_squares(int count, const gradyn_lanes *x, gradyn_lanes *out);

#endif
