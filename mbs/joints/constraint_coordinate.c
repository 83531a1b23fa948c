/* One coordinate of a point prescribed: Phi = x - s(t), in metres. */
#include "mbs/joints/kernel.h"

GRADYN_KERNEL void coordinate(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  /* Phi_x = 1 along the axis, Phi_s = -1 */
  for (int k = 0; k < dim; k++)
    g->x[k] = mbs_number(k == a->axis);
  g->phi = mbs_minus(a->x[a->axis], a->s);
  g->s = mbs_number(-1);
}

MBS_JET_FUNCTIONS(coordinate, 1)

const mbs_element_ops mbs_coordinate_ops = {
    .kind = "coordinate", .degree = 1, MBS_JET_OPS(coordinate)};
