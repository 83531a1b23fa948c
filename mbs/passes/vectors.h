/* Vectors of bodies in arrays of natural coordinates: x, y, z of each in lanes. The first column of all maps
 * is known: 1 for the origin, else 0. */
#ifndef GRADYN_MBS_VECTORS_H
#define GRADYN_MBS_VECTORS_H

#include "mbs/passes/tree.h"

/* Sets *to to zero. Compilers translate long initialisers to slow repeated instructions. */
GRADYN_KERNEL void tree_clear(tree_axes *to)
{
  const gradyn_lanes nothing = {0};
  to->e[0] = to->e[1] = to->e[2] = to->e[3] = nothing;
}

/* Sets *to to the components of a vector x [3], and 0. */
GRADYN_KERNEL void tree_take(const double *x, gradyn_lanes *to)
{
  *to = (gradyn_lanes){x[0], x[1], x[2], 0};
}

/* Stores the first three lanes in to [3]. */
GRADYN_KERNEL void tree_put(const gradyn_lanes *from, double *to)
{
  for (int k = 0; k < 3; k++)
    to[k] = (*from)[k];
}

/* Sets *to to the vectors of a body, at offsets at [TREE_VECTORS] of X. */
GRADYN_KERNEL void tree_take_body(const double *X, const int *at, tree_axes *to)
{
  tree_clear(to); /* avoids compiler warnings */
  for (int i = 0; i < TREE_VECTORS; i++)
    tree_take(X + at[i], &to->e[i]);
}

/* Sets *to to the vectors of a link's parent in X, which has this order of time derivatives; the ground has
 * constant axes. */
GRADYN_KERNEL void tree_take_parent(const tree_link *link, const double *X, int order,
                                    tree_axes *to)
{
  if (link->from[0] >= 0) {
    tree_take_body(X, link->from, to);
    return;
  }
  tree_clear(to);
  for (int i = 1; i < TREE_VECTORS && order == 0; i++)
    to->e[i][i - 1] = 1;
}

/* Adds share f x to *y, without the first column of f, that of the parent's origin. */
GRADYN_KERNEL void tree_add_product(const tree_map *f, double share, const tree_axes *x,
                                    tree_axes *y)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 1; j < TREE_VECTORS; j++)
      y->e[i] += share * f->e[i][j] * x->e[j];
}

/* Adds L^T F, loads on the parent's vectors, to the array `all` [natural n], at offsets to
 * [TREE_VECTORS]. */
GRADYN_KERNEL void tree_pull_in(const tree_map *L, const tree_axes *F, const int *to, double *all)
{
  for (int j = 0; j < TREE_VECTORS; j++) {
    gradyn_lanes sum;
    tree_take(all + to[j], &sum);
    sum += j == 0 ? F->e[0] : L->e[0][j] * F->e[0];
    for (int i = 1; i < TREE_VECTORS && j > 0; i++)
      sum += L->e[i][j] * F->e[i];
    tree_put(&sum, all + to[j]);
  }
}

/* Sets *to to L^T F, loads on the parent's vectors. */
GRADYN_KERNEL void tree_pull_back(const tree_map *L, const tree_axes *F, tree_axes *to)
{
  to->e[0] = F->e[0];
  for (int j = 1; j < TREE_VECTORS; j++) {
    to->e[j] = L->e[0][j] * F->e[0];
    for (int i = 1; i < TREE_VECTORS; i++)
      to->e[j] += L->e[i][j] * F->e[i];
  }
}

/* Returns the sum over all vectors of the scalar products of F and b. */
GRADYN_KERNEL double tree_contract(const tree_axes *F, const tree_axes *b)
{
  gradyn_lanes sum = {0};
  for (int i = 0; i < TREE_VECTORS; i++)
    sum += F->e[i] * b->e[i];
  return sum[0] + sum[1] + sum[2];
}

#endif
