/* One coordinate of two points kept equal: Phi = r_2 - r_1 along an axis, in metres; a pin has one for
 * each axis. Without inputs. */
#include "mbs/joints/kernel.h"

GRADYN_KERNEL void pin(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  for (int k = 0; k < dim; k++) {
    g->x[k] = mbs_number(k == a->axis ? -1 : 0); /* Phi_1 = -1, Phi_2 = 1 */
    g->x[dim + k] = mbs_number(k == a->axis);
  }
  g->phi = mbs_minus(a->x[dim + a->axis], a->x[a->axis]);
  g->s = mbs_number(0);
}

MBS_JET_FUNCTIONS(pin, 2)

const mbs_element_ops mbs_pin_ops = {.kind = "pin", .degree = 1, MBS_JET_OPS(pin)};
