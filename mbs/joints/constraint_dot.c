/* Scalar products of vectors: Phi = a.b for two, Phi = (a.a - 1)/2 for one. They make base vectors
 * orthonormal and keep the slopes of beams normal to directions of bodies. They have no data. */
#include "mbs/joints/kernel.h"

GRADYN_KERNEL void dot(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  g->phi = mbs_product(dim, a, 0, 1); /* Phi_a = b, Phi_b = a */
  for (int k = 0; k < dim; k++) {
    g->x[k] = a->x[dim + k];
    g->x[dim + k] = a->x[k];
  }
  g->s = mbs_number(0);
}

MBS_JET_FUNCTIONS(dot, 2)

const mbs_element_ops mbs_dot_ops = {
    .kind = "scalar product", .multiplier = "N m", .degree = 2, MBS_JET_OPS(dot)};

GRADYN_KERNEL void square(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  g->phi = mbs_scaled(0.5, mbs_minus(mbs_product(dim, a, 0, 0), mbs_number(1))); /* (a.a - 1)/2 */
  for (int k = 0; k < dim; k++)
    g->x[k] = a->x[k];
  g->s = mbs_number(0);
}

MBS_JET_FUNCTIONS(square, 1)

const mbs_element_ops mbs_square_ops = {
    .kind = "length", .multiplier = "N m", .degree = 2, MBS_JET_OPS(square)};
