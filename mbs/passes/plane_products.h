/* Products in the plane: rotation of jets, and adjoints of data. */
#ifndef GRADYN_MBS_PASSES_PLANE_PRODUCTS_H
#define GRADYN_MBS_PASSES_PLANE_PRODUCTS_H

#include "mbs/passes/plane.h"

/* Subtracts z, 1 to GRADYN_LANES columns, from the member of *adjoints for the datum with index `at`. */
GRADYN_KERNEL void plane_give(const tree *c, const gradyn_mech_adjoints *adjoints, int columns,
                              int at, const gradyn_lanes *z)
{
  if (adjoints->lanes) {
    adjoints->lanes[at] -= *z;
    return;
  }
  double *x = adjoints->x + at;
  const int nx = c->mech.nx;
  x[0] -= (*z)[0];
  if (columns > 1)
    x[nx] -= (*z)[1];
  if (columns > 2)
    x[2 * nx] -= (*z)[2];
  if (columns > 3)
    x[3 * nx] -= (*z)[3];
}

/* Adds to `to` [3] the change of a jet, (a U) with two time derivatives, by changes angle [3] of its angle,
 * rate and acceleration: d(a U)^(k) = sum of binomial i (a U)^(k-j) d angle^(j). */
GRADYN_KERNEL void plane_turn(const plane_vector jet[3], const gradyn_lanes angle[3],
                              plane_lanes to[3])
{
  const plane_vector n[3] = {plane_normal(jet[0]), plane_normal(jet[1]), plane_normal(jet[2])};
  plane_add_number(n[0], &angle[0], &to[0]);
  plane_add_number(n[1], &angle[0], &to[1]);
  plane_add_number(n[0], &angle[1], &to[1]);
  plane_add_number(n[2], &angle[0], &to[2]);
  plane_add_number(plane_scaled(2, n[1]), &angle[1], &to[2]);
  plane_add_number(n[0], &angle[2], &to[2]);
}

/* Transpose of plane_turn(): adds to adjoints of an angle and of its rates, in angle [3], from the adjoints
 * bar [orders], 1 to 3, of a jet. */
GRADYN_KERNEL void plane_turn_back(int orders, const plane_vector jet[3], const plane_lanes bar[3],
                                   gradyn_lanes angle[3])
{
  const plane_vector n[3] = {plane_normal(jet[0]), plane_normal(jet[1]), plane_normal(jet[2])};
  plane_add_dot(n[0], &bar[0], &angle[0]);
  if (orders > 1) {
    plane_add_dot(n[1], &bar[1], &angle[0]);
    plane_add_dot(n[0], &bar[1], &angle[1]);
  }
  if (orders > 2) {
    plane_add_dot(n[2], &bar[2], &angle[0]);
    plane_add_dot(plane_scaled(2, n[1]), &bar[2], &angle[1]);
    plane_add_dot(n[0], &bar[2], &angle[2]);
  }
}

#endif
