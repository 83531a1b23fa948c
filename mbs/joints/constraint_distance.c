/* Distance of two points, constant (rods) or driven: Phi = (|r|^2 w - s)/2 with r the difference of
 * the points, s(t) the distance and w = 1/s. On the constraint Phi_q is the unit vector along r, so
 * that the multiplier is the axial force in newton, positive in tension, and Phi is in metres. */
#include "mbs/joints/kernel.h"

GRADYN_KERNEL void distance(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  mbs_jet w = mbs_inverse(a->s), square = mbs_number(0);
  for (int k = 0; k < dim; k++) {
    mbs_jet r = mbs_minus(a->x[dim + k], a->x[k]);
    square = mbs_plus(square, mbs_times(r, r));
    g->x[dim + k] = mbs_times(r, w); /* Phi_b = r w = -Phi_a */
    g->x[k] = mbs_scaled(-1, g->x[dim + k]);
  }
  mbs_jet quotient = mbs_times(square, w);
  g->phi = mbs_scaled(0.5, mbs_minus(quotient, a->s));                      /* (|r|^2 w - s)/2 */
  g->s = mbs_scaled(-0.5, mbs_plus(mbs_times(quotient, w), mbs_number(1))); /* -(|r|^2 w^2 + 1)/2 */
}

MBS_JET_FUNCTIONS(distance, 2)

const mbs_element_ops mbs_distance_ops = {.kind = "distance", .degree = 2, MBS_JET_OPS(distance)};
