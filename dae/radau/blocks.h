/* Linear systems of collocation. For a matrix B [count][count] and derivatives at as many points, the blocks
 * are
 *
 *   delta_ij W_i + B_ij V_i + (B^2)_ij Q_i,   W, V, Q: r by w, by the last and by the first part of z.
 *
 * They result from the equations at all points by elimination of z. With B = h A, they are the exact system
 * of a step. With a diagonal block of the real Schur form of h A, they are a part of the simplified
 * system. */
#ifndef GRADYN_DAE_RADAU_BLOCKS_H
#define GRADYN_DAE_RADAU_BLOCKS_H

#include "core/linear/linsys.h"
#include "dae/systems/implicit.h"

enum { GRADYN_MOST_BLOCKS = 3 };

typedef struct gradyn_blocks {
  const gradyn_implicit *model; /* borrowed */
  int count;
  gradyn_linsys *system; /* unknowns [count][nw] */
  int *
      position; /* [count][count][nnz] indices of the blocks' entries in its values; -1: zero entry */
} gradyn_blocks;

/* Creates the system for `count` points, at most GRADYN_MOST_BLOCKS, and the present pattern of the model,
 * which is borrowed. Clear *out in any case. Errors: GRADYN_UNSUPPORTED, the model has no state;
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_blocks_create(const gradyn_implicit *model, int count, gradyn_blocks *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_blocks_clear(gradyn_blocks *s);

/* Factorises the system for B = h A, A [count][count], and at [count], the derivatives at each point. t:
 * time for messages, s; h in s. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_blocks_factor(gradyn_blocks *s, double t, double h, const double *A,
                                   const gradyn_implicit_slopes *const *at);

#endif
