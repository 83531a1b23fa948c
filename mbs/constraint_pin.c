/* One coordinate of two points kept equal: Phi = r_2 - r_1 along an axis, in metres; a pin has one for
 * each axis. Linear, and without inputs. */
#include "mbs/mechanism.h"

static gradyn_status phi(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         int order, double *value)
{
  (void)m;
  (void)z;
  const double *full[3] = {at->pos, at->vel, at->acc};
  *value = full[order][e->at[1] + (int)e->axis] - full[order][e->at[0] + (int)e->axis];
  return GRADYN_OK;
}

static gradyn_status phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           int order, double *g)
{
  (void)at;
  (void)z;
  for (int k = 0; k < 2 * m->dim; k++)
    g[k] = 0;
  g[e->axis] = order == 0 ? -1 : 0;
  g[m->dim + (int)e->axis] = order == 0 ? 1 : 0;
  return GRADYN_OK;
}

static gradyn_status phi_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, int order, double *phi_z)
{
  (void)m;
  (void)e;
  (void)at;
  (void)z;
  (void)order;
  (void)phi_z;
  return GRADYN_OK;
}

const mbs_element_ops mbs_pin_ops = {
    .kind = "pin", .phi = phi, .phi_q = phi_q, .phi_input = phi_input};
