/* Vectors of which any may join or leave, with orthonormal ones of the same space: A = Q R. */
#ifndef GRADYN_OPTIM_BASIS_H
#define GRADYN_OPTIM_BASIS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/linear/arena.h"

typedef struct gradyn_basis {
  size_t most; /* vectors there is room for */
  size_t n,
      count; /* numbers of each, which may be fewer while there are none; how many there are */
  double *Q; /* [most][n] orthonormal */
  double *R; /* [most][most] of vector k what it has of the first k + 1 of these */
  double *h; /* [most] scratch */
} gradyn_basis;

/* Room for so many vectors of such a length, in an arena, whose status tells whether there was any. */
void gradyn_basis_create(gradyn_arena *arena, size_t most, size_t n, gradyn_basis *out);

/* Joins v [n], which becomes the last one and is spoilt. False: no more than such a length of it is beside
 * the space of those that are there, or there is no room, and it is left out. */
bool gradyn_basis_join(gradyn_basis *basis, double v[], double least);

/* Takes away the k-th vector; those behind move up. */
void gradyn_basis_leave(gradyn_basis *basis, size_t k);

/* Factors y [count] by which the sum of the vectors is nearest to the target [n]. */
void gradyn_basis_nearest(const gradyn_basis *basis, const double target[], double y[]);

#endif
