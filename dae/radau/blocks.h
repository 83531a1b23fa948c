/* Linear systems of collocation: for a matrix B of size count and slopes at as many points, blocks
 *     delta_ij W_i + B_ij V_i + (B^2)_ij Q_i,   W, V, Q: r by w, by the last and by the first part of z,
 * which is what remains of the equations at all points when z is eliminated. With B = h A it is a step of its
 * own; with a block of h A's real Schur form, a part of the simplified one. */
#ifndef GRADYN_DAE_RADAU_BLOCKS_H
#define GRADYN_DAE_RADAU_BLOCKS_H

#include "core/linear/linsys.h"
#include "dae/systems/implicit.h"

enum { GRADYN_MOST_BLOCKS = 3 };

typedef struct gradyn_blocks {
  const gradyn_implicit *model; /* borrowed */
  int count;
  gradyn_linsys *system; /* unknowns [count][nw] */
  int *place;            /* [count][count][nnz] entries of the blocks in its values */
} gradyn_blocks;

gradyn_status gradyn_blocks_create(const gradyn_implicit *model, int count, gradyn_blocks *out);
void gradyn_blocks_clear(gradyn_blocks *s);

/* Factorises for h times a matrix A [count][count] and slopes at each point; t: for messages. */
gradyn_status gradyn_blocks_factor(gradyn_blocks *s, double t, double h, const double *A,
                                   const gradyn_implicit_slopes *const *at);

#endif
