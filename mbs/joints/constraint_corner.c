/* Two vectors keep the cosine of their angle, whatever their lengths: Phi = a.b/(|a||b|) - c, with the
 * only datum c. Welded beams are held by it, whose slopes change length as the beams stretch. With
 *   P = 1/(|a||b|), C = P a.b:  Phi_a = P b - C/(a.a) a, and a and b exchanged. */
#include "mbs/joints/kernel.h"

GRADYN_KERNEL void corner(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  /* P = (a.a b.b)^-1/2, C = P a.b */
  mbs_jet aa = mbs_product(dim, a, 0, 0), bb = mbs_product(dim, a, 1, 1);
  mbs_jet P = mbs_inverse_root(mbs_times(aa, bb)), C = mbs_times(P, mbs_product(dim, a, 0, 1));
  mbs_jet A = mbs_times(C, mbs_inverse(aa)), B = mbs_times(C, mbs_inverse(bb));
  for (int k = 0; k < dim; k++) {
    mbs_jet a_k = a->x[k], b_k = a->x[dim + k];
    g->x[k] = mbs_minus(mbs_times(P, b_k), mbs_times(A, a_k)); /* Phi_a = P b - C/(a.a) a */
    g->x[dim + k] = mbs_minus(mbs_times(P, a_k), mbs_times(B, b_k));
  }
  g->phi = mbs_minus(C, a->s);
  g->s = mbs_number(-1);
}

MBS_JET_FUNCTIONS(corner, 2)

const mbs_element_ops mbs_corner_ops = {
    .kind = "corner", .multiplier = "N m", .degree = 3, MBS_JET_OPS(corner)};
