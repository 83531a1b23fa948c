/* Pairs of opposite forces between two points, which depend only on differences of positions and velocities
 * (the function mutual() of their kinds).
 *
 * A kind gives derivatives of the force at the second point. They are with respect to the differences
 * (second minus first) of positions and of velocities, each [dim][dim], and by active inputs [inputs][dim].
 * The derivative by velocities is NULL if not requested. The functions here expand these to derivatives of
 * both forces by both points. */
#ifndef GRADYN_MBS_MUTUAL_H
#define GRADYN_MBS_MUTUAL_H

#include "core/linear/lanes.h"

/* Expands B [dim][dim] to full [2 dim][2 dim]: B in the diagonal blocks, -B in the others. */
GRADYN_KERNEL void mbs_spread_mutual(int dim, const double *B, double *full)
{
  const int local = 2 * dim;
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) {
      const double b = B[dim * i + j];
      full[local * i + j] = full[local * (i + dim) + j + dim] = b;
      full[local * i + j + dim] = full[local * (i + dim) + j] = -b;
    }
}

/* Expands derivatives by inputs [inputs][dim] to [inputs][2 dim]. */
GRADYN_KERNEL void mbs_spread_mutual_inputs(int dim, int inputs, const double *by, double *full)
{
  for (int k = 0; k < inputs; k++)
    for (int i = 0; i < dim; i++) {
      full[2 * dim * k + i] = -by[dim * k + i];
      full[2 * dim * k + dim + i] = by[dim * k + i];
    }
}

#endif
