/* Second derivatives of constraints by seeds of jets. A kernel computes Phi and its gradient for jets,
 * values with two time derivatives. If the rates are set to a unit vector, the rate of the gradient is a
 * column of the second derivatives. */
#include <string.h>

#include "mbs/joints/kernel.h"

/* Arguments of a kernel with all rates zero; the caller seeds one of the rates. */
static void take_still(const gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                       const double *z, mbs_arguments *a)
{
  mbs_take_arguments(m->dim, 0, e->points, e, at, z, a);
  a->s.d[1] = a->s.d[2] = 0; /* also the rates of a law */
}

/* Phi_xx is symmetric: the seed x' = e_i gives row i, which is also column i. */
gradyn_status mbs_jet_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                              const double *z, double *H)
{
  mbs_arguments a;
  take_still(m, e, at, z, &a);
  for (int i = 0; i < e->local; i++) {
    a.x[i].d[1] = 1; /* x' = e_i */
    e->ops->slope(m->dim, &a, H + i * e->local);
    a.x[i].d[1] = 0;
  }
  return GRADYN_OK;
}

/* Phi_xs, the derivative of Phi_x by the first input s. Phi depends on no other input. */
gradyn_status mbs_jet_mixed(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *g_z)
{
  mbs_arguments a;
  /* the other inputs, rates of s, occur in Phi' and Phi'' only */
  int inputs = mbs_input_count(e);
  if (inputs == 0)
    return GRADYN_OK;
  take_still(m, e, at, z, &a);
  a.s.d[1] = 1; /* s' = 1 */
  e->ops->slope(m->dim, &a, g_z);
  memset(g_z + e->local, 0, (size_t)((inputs - 1) * e->local) * sizeof *g_z);
  return GRADYN_OK;
}
