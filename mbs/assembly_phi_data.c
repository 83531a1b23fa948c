/* The mechanical interface of mechanisms: derivatives of the constraints with respect to data and
 * time. */
#include "mbs/data.h"

/* Derivatives of phi(order) by position, velocity and acceleration of an element's points [local]:
 * Phi'_v = Phi''_a = Phi_q and Phi''_v = 2 Phi'_q. The latter two only if a point is attached. */
static gradyn_status phi_slopes(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                int order, double (*g)[MBS_LOCAL])
{
  double room[MBS_INPUTS];
  const double *z = mbs_inputs(m, e, view->t, room);
  gradyn_status status = e->ops->phi_q(m, e, view, z, order, g[0]);
  if (e->slot && order >= 1 && status == GRADYN_OK)
    status = e->ops->phi_q(m, e, view, z, order - 1, g[1]);
  if (e->slot && order == 2 && status == GRADYN_OK)
    status = e->ops->phi_q(m, e, view, z, 0, g[2]);
  for (int k = 0; k < e->local && e->slot && order == 2; k++)
    g[1][k] *= 2;
  return status;
}

gradyn_status mbs_phi_data(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                           const double *dx, double *value)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look_up_to(m, at, order);
  int first, last = mbs_constraint_range(m, parts, &first);
  gradyn_status status = GRADYN_OK;
  mbs_move_points(m, dx);
  for (int i = first; i < last && status == GRADYN_OK; i++) {
    const mbs_element *e = &m->constraints.item[i];
    double room[MBS_INPUTS], dz[MBS_INPUTS], phi_z[MBS_INPUTS], g[3][MBS_LOCAL];
    if (!e->active || !mbs_inputs_change(m, e, at->t, dx, dz))
      continue;
    const double *z = mbs_inputs(m, e, at->t, room);
    status = e->ops->phi_input(m, e, &view, z, order, phi_z);
    if (status == GRADYN_OK && e->fixed_active)
      status = phi_slopes(m, e, &view, order, g);
    for (int k = 0; k < mbs_input_count(e); k++)
      value[i] += phi_z[k] * dz[k];
    for (int k = 0; k <= (e->slot ? order : 0) && e->fixed_active; k++)
      value[i] += mbs_along(m, e, g[k], m->moved[k]);
  }
  return status;
}

/* x_bar and the bars of attached points from one constraint. */
static gradyn_status constraint_transposed(gradyn_mbs *m, const mbs_element *e,
                                           const mbs_view *view, int order, const mbs_covectors *c)
{
  double room[MBS_INPUTS], phi_z[MBS_INPUTS], z_bar[MBS_INPUTS], g[3][MBS_LOCAL];
  const double *z = mbs_inputs(m, e, view->t, room);
  int nx = m->mech.nx;
  gradyn_status status = e->ops->phi_input(m, e, view, z, order, phi_z);
  if (status == GRADYN_OK && e->fixed_active)
    status = phi_slopes(m, e, view, order, g);
  for (int v = 0; v < c->count && status == GRADYN_OK; v++) {
    double weight = c->mu[v * c->stride];
    for (int k = 0; k < mbs_input_count(e); k++)
      z_bar[k] = weight * phi_z[k];
    mbs_inputs_transposed(m, e, view->t, z_bar, c->x_bar + v * nx);
    for (int k = 0; k <= (e->slot ? order : 0) && e->fixed_active; k++)
      mbs_against(m, e, g[k], weight, k == 0 ? c->x_bar + v * nx : NULL, mbs_bar(m, k, v));
  }
  return status;
}

gradyn_status mbs_phi_data_transposed(gradyn_mech *mech, int parts, int order,
                                      const gradyn_mech_state *at, int count, const double *mu,
                                      int stride, double *x_bar)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look_up_to(m, at, order);
  int first, last = mbs_constraint_range(m, parts, &first);
  bool carried = m->attached_count > 0 && m->places_active;
  gradyn_status status = GRADYN_OK;
  for (int v = 0; v < count && status == GRADYN_OK; v += MBS_VECTORS) {
    int some = count - v < MBS_VECTORS ? count - v : MBS_VECTORS;
    if (carried)
      mbs_clear_bars(m, some);
    for (int i = first; i < last && status == GRADYN_OK; i++) {
      const mbs_covectors c = {some, stride, 0, mu + v * stride + i, x_bar + v * mech->nx};
      if (m->constraints.item[i].active)
        status = constraint_transposed(m, &m->constraints.item[i], &view, order, &c);
    }
    for (int k = 0; k < some && carried; k++)
      mbs_carry_bars(m, k, order + 1, NULL, x_bar + (v + k) * mech->nx);
  }
  return status;
}

gradyn_status mbs_phi_time(gradyn_mech *mech, int order, const gradyn_mech_state *at, double *value)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look(m, at);
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < mech->m && status == GRADYN_OK; i++) {
    const mbs_element *e = &m->constraints.item[i];
    double room[MBS_INPUTS], z_t[MBS_INPUTS], phi_z[MBS_INPUTS];
    const double *z = mbs_inputs(m, e, at->t, room);
    mbs_inputs_rate(m, e, at->t, z_t);
    status = e->ops->phi_input(m, e, &view, z, order, phi_z);
    value[i] = 0;
    for (int k = 0; k < mbs_input_count(e); k++)
      value[i] += phi_z[k] * z_t[k];
  }
  return status;
}
