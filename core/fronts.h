/* Fronts: the plan by which a sparse matrix is factorised in small dense blocks.
 *
 * The order of elimination is fixed by the pattern alone. Unknowns that follow each other and meet the same
 * others form a front, a dense matrix of its pivots and of its boundary, what they meet that is eliminated
 * later. Once its pivots are gone, what they leave on the boundary is added to the front of the boundary's
 * first unknown, its parent. For chains and trees of bodies a front is about one body. */
#ifndef GRADYN_CORE_FRONTS_H
#define GRADYN_CORE_FRONTS_H

#include "core/arena.h"
#include "core/pattern.h"

typedef struct gradyn_front {
  int first, pivots; /* its pivots in the order of elimination: first, first + 1, ... */
  int rows, width;   /* rows with those of the boundary, and lanes that each takes */
  int boundary;      /* index[boundary + i]: place in the order of row pivots + i */
  int entries;    /* its first entry in source and place; they end where the next front's begin */
  int child;      /* its first one; -1: none. Children come before it */
  int sibling;    /* the next child of the same parent */
  size_t factors; /* where its rows of U and L^T begin, in lanes */
  size_t work;    /* and where the front itself does, as long as it is needed */
} gradyn_front;

typedef struct gradyn_fronts {
  int n, count;
  int *order;          /* [n] unknown at each place of the order */
  double *sign;        /* [n] of a good pivot there: -1 of multipliers, 1 of others */
  gradyn_front *front; /* [count + 1], of which the last has but a beginning of entries */
  int *index;          /* [sum of boundaries] */
  int *into;           /* [the same] row of the parent to which a row of the boundary is added */
  int *source,
      *place; /* [nnz] entries of the matrix by fronts: where in its values, in the front */
  int widest; /* lanes of the widest row */
  size_t factors, work; /* lanes of all rows of pivots, and of fronts that are needed at a time */
} gradyn_fronts;

/* The plan for a square pattern. Unknowns from `multipliers` on are such, without a diagonal of their own:
 * they are eliminated behind all that they meet. Arrays are of the arena. GRADYN_NO_MEMORY;
 * GRADYN_UNSUPPORTED: constraints meet so many unknowns that nothing would stay sparse. */
gradyn_status gradyn_fronts_plan(const gradyn_pattern *pattern, int multipliers,
                                 gradyn_arena *arena, gradyn_fronts *out);

#endif
