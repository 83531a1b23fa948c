/* Motions of bodies and loads on them as six numbers about each body's origin, along axes of the ground:
 * (angular velocity; velocity), (torque; force). See factors.c for B and T. */
#ifndef GRADYN_MBS_PASSES_SIX_H
#define GRADYN_MBS_PASSES_SIX_H

#include "mbs/passes/tree.h"

/* Blocks of an inertia [A, H; H^T, S]. */
typedef struct tree_share {
  double A[3][3], H[3][3], S[3][3];
} tree_share;

/* Six lanes of a body. */
typedef struct lane_six {
  gradyn_lanes e[6];
} lane_six;

/* Adds B^T p, the load p of a body, to that of its parent, *to. arm [3]: r - r_p, m, from origin to
 * origin. */
GRADYN_KERNEL void hand_lanes_in(const double *arm, const lane_six *p, lane_six *to)
{
  for (int i = 0; i < 3; i++) {
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    to->e[i] += p->e[i] + arm[next] * p->e[3 + last] - arm[last] * p->e[3 + next];
    to->e[3 + i] += p->e[3 + i];
  }
}

/* Sets *a to B from, the motion of a body that is fixed to its parent with the motion *from. arm [3]: r -
 * r_p, m, from the parent's origin to its own. */
GRADYN_KERNEL void hand_lanes_out(const double *arm, const lane_six *from, lane_six *a)
{
  for (int i = 0; i < 3; i++) {
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    a->e[i] = from->e[i];
    a->e[3 + i] = from->e[3 + i] + from->e[next] * arm[last] - from->e[last] * arm[next];
  }
}

/* Adds sign T^T F to *p, of loads F [natural n] at a body's vectors, with base vectors in X [natural n]. */
GRADYN_KERNEL void load_lanes(const tree_link *link, const double *X, const double sign,
                              const gradyn_lanes *F, lane_six *p)
{
  for (int k = 0; k < 3; k++)
    p->e[3 + k] += sign * F[link->own[0] + k];
  for (int i = 1; i < TREE_VECTORS; i++) {
    const double *axis = X + link->own[i];
    for (int k = 0; k < 3; k++) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      p->e[k] += sign * (axis[next] * F[link->own[i] + last] - axis[last] * F[link->own[i] + next]);
    }
  }
}

/* Adds T a to dX [natural n]: changes of the body's vectors by its motion *a, with base vectors in X
 * [natural n]. */
GRADYN_KERNEL void move_lanes(const tree_link *link, const double *X, const lane_six *a,
                              gradyn_lanes *dX)
{
  for (int k = 0; k < 3; k++)
    dX[link->own[0] + k] += a->e[3 + k];
  for (int i = 1; i < TREE_VECTORS; i++) {
    const double *axis = X + link->own[i];
    for (int k = 0; k < 3; k++) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      dX[link->own[i] + k] += a->e[next] * axis[last] - a->e[last] * axis[next];
    }
  }
}

#endif
