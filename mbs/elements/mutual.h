/* Forces that act between two points by opposite forces and depend on differences alone, mutual() of their
 * kinds: derivatives of the second point's force by what this has over the first one, of place and of
 * velocity [dim][dim], the latter NULL if not asked for, and by inputs that vary [inputs][dim]. Here: from
 * those to derivatives of both forces by both points. */
#ifndef GRADYN_MBS_MUTUAL_H
#define GRADYN_MBS_MUTUAL_H

#include "core/linear/lanes.h"

/* B [dim][dim] to [2 dim][2 dim]: B at both points, -B across. */
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

/* Of `inputs`, by [inputs][dim] to [inputs][2 dim]. */
GRADYN_KERNEL void mbs_spread_mutual_inputs(int dim, int inputs, const double *by, double *full)
{
  for (int k = 0; k < inputs; k++)
    for (int i = 0; i < dim; i++) {
      full[2 * dim * k + i] = -by[dim * k + i];
      full[2 * dim * k + dim + i] = by[dim * k + i];
    }
}

#endif
