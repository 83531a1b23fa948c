/* A set of vectors with an orthonormal basis of their span, A = Q R. Vectors may join and leave in any
 * order. */
#ifndef GRADYN_OPTIM_BASIS_H
#define GRADYN_OPTIM_BASIS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/linear/arena.h"

/* Vectors, numbered from 0, with an orthonormal basis of their span. The arrays belong to an arena. */
typedef struct gradyn_basis {
  size_t most; /* capacity: the largest number of vectors */
  /* n: length of each vector, which may change while there are none; count: number of vectors */
  size_t n, count;
  double *Q; /* [most][n], the orthonormal basis, a vector per row */
  double *R; /* [most][most], row k: coefficients of vector k in the first k + 1 basis vectors */
  double *h; /* [most], scratch memory */
} gradyn_basis;

/* Prepares an empty set for `most` vectors of length n. The arrays come from the arena, whose status the
 * caller checks. */
void gradyn_basis_create(gradyn_arena *arena, size_t most, size_t n, gradyn_basis *out);

/* Appends v [n] as the last vector; v is overwritten in any case, unless the set is full. Returns false, and
 * the set does not change, if it is full or the distance of v from the span of the others is not above
 * `least`. The distance is absolute: scale v before. */
bool gradyn_basis_join(gradyn_basis *basis, double v[], double least);

/* Removes vector k < count; the indices of later vectors decrease by one. */
void gradyn_basis_leave(gradyn_basis *basis, size_t k);

/* Fills y [count] with the coefficients for which the sum of y_k times vector k is nearest to target
 * [n]. */
void gradyn_basis_nearest(const gradyn_basis *basis, const double target[], double y[]);

#endif
