/* One coordinate of a point prescribed: Phi = x - s(t), in metres. */
#include "mbs/mechanism.h"

static gradyn_status phi(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         int order, double *value)
{
  (void)m;
  const double *full[3] = {at->pos, at->vel, at->acc};
  *value = full[order][e->at[0] + (int)e->axis] - z[order];
  return GRADYN_OK;
}

static gradyn_status phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           int order, double *g)
{
  (void)at;
  (void)z;
  for (int k = 0; k < m->dim; k++)
    g[k] = 0;
  g[e->axis] = order == 0;
  return GRADYN_OK;
}

static gradyn_status phi_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, int order, double *phi_z)
{
  (void)m;
  (void)e;
  (void)at;
  (void)z;
  phi_z[0] = phi_z[1] = phi_z[2] = 0;
  phi_z[order] = -1;
  return GRADYN_OK;
}

const mbs_element_ops mbs_coordinate_ops = {
    .kind = "coordinate", .phi = phi, .phi_q = phi_q, .phi_input = phi_input};
