/* The mechanical interface for planar mechanisms: derivatives with respect to data and time. */
#include <math.h>

#include "mbs/assembly.h"

/* Dependence on the coordinates of ground points, which are data: the local derivative [local] of
 * a scalar, times dx (returned) or weight into x_bar. */
static double ground_part(const gradyn_mbs *m, const mbs_element *e, const double *g,
                          const double *dx, double weight, double *x_bar)
{
  double sum = 0;
  for (int k = 0; k < e->points; k++) {
    const mbs_point *p = &m->point[e->point[k]];
    for (int c = 0; c < 2 && p->ground; c++) {
      if (dx)
        sum += g[2 * k + c] * dx[p->x + c];
      else
        x_bar[p->x + c] += weight * g[2 * k + c];
    }
  }
  return sum;
}

/* The generalised force of an element, or of a constraint with multiplier lam, by data: local
 * derivatives by inputs f_z [inputs][local] and by coordinates f_pos [local][local]. */
static gradyn_status element_slopes(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                    double *f_z, double *f_pos)
{
  double room[MBS_INPUTS], f_vel[MBS_LOCAL * MBS_LOCAL];
  int local = 2 * e->points, inputs = mbs_input_count(e);
  const double *z = mbs_inputs(m, e, view->t, room);
  if (e->ops->force) {
    gradyn_status status = e->ops->force_state(m, e, view, z, f_pos, f_vel);
    return status == GRADYN_OK ? e->ops->force_input(m, e, view, z, f_z) : status;
  }
  for (int k = 0; k < local * local && !e->ops->hessian; k++)
    f_pos[k] = 0;
  for (int k = 0; k < inputs * local && !e->ops->phi_q_input; k++)
    f_z[k] = 0;
  gradyn_status status = GRADYN_OK;
  if (e->ops->hessian)
    status = e->ops->hessian(m, e, view, z, f_pos);
  if (e->ops->phi_q_input && status == GRADYN_OK)
    status = e->ops->phi_q_input(m, e, view, z, f_z);
  return status;
}

/* Change dz of an element's inputs along dx; false if neither they nor its ground points change:
 * most elements do not depend on a given datum. */
static bool inputs_change(const gradyn_mbs *m, const mbs_element *e, double t, const double *dx,
                          double *dz)
{
  bool change = false;
  mbs_inputs_tangent(m, e, t, dx, dz);
  for (int k = 0; k < mbs_input_count(e); k++)
    change = change || dz[k] != 0;
  for (int k = 0; k < e->points && !change; k++) {
    const mbs_point *p = &m->point[e->point[k]];
    change = p->ground && (dx[p->x] != 0 || dx[p->x + 1] != 0);
  }
  return change;
}

/* full += scale (df/dx) dx. */
static gradyn_status element_tangent(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                     double scale, const double *dx)
{
  double f_z[MBS_INPUTS * MBS_LOCAL], f_pos[MBS_LOCAL * MBS_LOCAL], dz[MBS_INPUTS];
  if (!inputs_change(m, e, view->t, dx, dz))
    return GRADYN_OK;
  gradyn_status status = element_slopes(m, e, view, f_z, f_pos);
  if (status != GRADYN_OK)
    return status;
  int local = 2 * e->points, inputs = mbs_input_count(e);
  for (int i = 0; i < local; i++) {
    double sum = ground_part(m, e, f_pos + i * local, dx, 0, NULL);
    for (int k = 0; k < inputs; k++)
      sum += f_z[k * local + i] * dz[k];
    m->full[mbs_coordinate(e, i)] += scale * sum;
  }
  return GRADYN_OK;
}

/* Vectors that meet a derivative from the left, and where the products go. */
typedef struct covectors {
  int count, stride;
  const double *mu; /* [count], stride numbers apart */
  double *x_bar;    /* [count][nx] */
} covectors;

/* x_bar += scale (df/dx)^T mu for all mu [n]; ground points take no part. */
static gradyn_status element_transposed(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                        double scale, const covectors *c)
{
  double f_z[MBS_INPUTS * MBS_LOCAL], f_pos[MBS_LOCAL * MBS_LOCAL];
  gradyn_status status = element_slopes(m, e, view, f_z, f_pos);
  if (status != GRADYN_OK)
    return status;
  int local = 2 * e->points, inputs = mbs_input_count(e), nx = m->mech.nx;
  for (int v = 0; v < c->count; v++) {
    double z_bar[MBS_INPUTS];
    const double *mu = c->mu + v * c->stride;
    for (int k = 0; k < inputs; k++)
      z_bar[k] = 0;
    for (int i = 0; i < local; i++) {
      int at = mbs_coordinate(e, i);
      if (at >= m->mech.n)
        continue;
      double weight = scale * mu[at];
      if (e->grounded)
        ground_part(m, e, f_pos + i * local, NULL, weight, c->x_bar + v * nx);
      for (int k = 0; k < inputs; k++)
        z_bar[k] += weight * f_z[k * local + i];
    }
    mbs_inputs_transposed(m, e, view->t, z_bar, c->x_bar + v * nx);
  }
  return GRADYN_OK;
}

/* The field that multiplies the mass matrix: a, minus gravity if forces take part. */
static void inertia_field(gradyn_mbs *m, int parts, const gradyn_mech_state *at)
{
  double *w = m->field;
  for (int i = 0; i < 2 * m->points; i++) {
    w[i] = parts & GRADYN_INERTIA && i < m->mech.n ? at->a[i] : 0;
    if (parts & GRADYN_FORCE && m->gravity >= 0)
      w[i] -= m->model->x[m->gravity + i % 2];
  }
}

gradyn_status mbs_residual_data(gradyn_mech *mech, int parts, const gradyn_mech_state *at,
                                const double *dx, double *r)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look(m, at);
  gradyn_status status = GRADYN_OK;
  int first, last = mbs_constraint_range(m, parts, &first);
  for (int i = 0; i < 2 * m->points; i++)
    m->full[i] = 0;
  if (parts & (GRADYN_INERTIA | GRADYN_FORCE)) {
    inertia_field(m, parts, at);
    mbs_inertia_tangent(m, m->field, dx, m->full);
  }
  for (int i = 0; i < m->forces.count && parts & GRADYN_FORCE && status == GRADYN_OK; i++)
    if (m->forces.item[i].active)
      status = element_tangent(m, &m->forces.item[i], &view, -1, dx);
  for (int i = first; i < last && status == GRADYN_OK; i++)
    if (m->constraints.item[i].active)
      status = element_tangent(m, &m->constraints.item[i], &view, at->lam[i], dx);
  if (parts & GRADYN_FORCE && m->gravity_active)
    mbs_gravity_tangent(m, dx + m->gravity, m->full);
  for (int i = 0; i < mech->n; i++)
    r[i] += m->full[i];
  return status;
}

gradyn_status mbs_residual_data_transposed(gradyn_mech *mech, int parts,
                                           const gradyn_mech_state *at, int count, const double *mu,
                                           int stride, double *x_bar)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look(m, at);
  gradyn_status status = GRADYN_OK;
  const covectors c = {count, stride, mu, x_bar};
  int first, last = mbs_constraint_range(m, parts, &first);
  for (int i = 0; i < m->forces.count && parts & GRADYN_FORCE && status == GRADYN_OK; i++)
    if (m->forces.item[i].active)
      status = element_transposed(m, &m->forces.item[i], &view, -1, &c);
  for (int i = first; i < last && status == GRADYN_OK; i++)
    if (m->constraints.item[i].active)
      status = element_transposed(m, &m->constraints.item[i], &view, at->lam[i], &c);
  if (!(parts & (GRADYN_INERTIA | GRADYN_FORCE)))
    return status;
  inertia_field(m, parts, at);
  mbs_inertia_transposed(m, m->field, count, mu, stride, mech->n, x_bar);
  for (int v = 0; v < count && parts & GRADYN_FORCE && m->gravity_active; v++)
    mbs_gravity_transposed(m, mu + v * stride, mech->n, x_bar + v * mech->nx);
  return status;
}

gradyn_status mbs_phi_data(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                           const double *dx, double *value)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look(m, at);
  int first, last = mbs_constraint_range(m, parts, &first);
  gradyn_status status = GRADYN_OK;
  for (int i = first; i < last && status == GRADYN_OK; i++) {
    const mbs_element *e = &m->constraints.item[i];
    double room[MBS_INPUTS], dz[MBS_INPUTS], phi_z[MBS_INPUTS], g[MBS_LOCAL];
    if (!e->active || !inputs_change(m, e, at->t, dx, dz))
      continue;
    const double *z = mbs_inputs(m, e, at->t, room);
    status = e->ops->phi_input(m, e, &view, z, order, phi_z);
    if (status == GRADYN_OK)
      status = e->ops->phi_q(m, e, &view, z, order, g);
    for (int k = 0; k < mbs_input_count(e); k++)
      value[i] += phi_z[k] * dz[k];
    value[i] += ground_part(m, e, g, dx, 0, NULL);
  }
  return status;
}

gradyn_status mbs_phi_data_transposed(gradyn_mech *mech, int parts, int order,
                                      const gradyn_mech_state *at, int count, const double *mu,
                                      int stride, double *x_bar)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look(m, at);
  int first, last = mbs_constraint_range(m, parts, &first);
  gradyn_status status = GRADYN_OK;
  for (int i = first; i < last && status == GRADYN_OK; i++) {
    const mbs_element *e = &m->constraints.item[i];
    double room[MBS_INPUTS], phi_z[MBS_INPUTS], z_bar[MBS_INPUTS], g[MBS_LOCAL];
    if (!e->active)
      continue;
    const double *z = mbs_inputs(m, e, at->t, room);
    status = e->ops->phi_input(m, e, &view, z, order, phi_z);
    if (status == GRADYN_OK && e->grounded)
      status = e->ops->phi_q(m, e, &view, z, order, g);
    for (int v = 0; v < count && status == GRADYN_OK; v++) {
      double weight = mu[v * stride + i];
      for (int k = 0; k < mbs_input_count(e); k++)
        z_bar[k] = weight * phi_z[k];
      mbs_inputs_transposed(m, e, at->t, z_bar, x_bar + v * mech->nx);
      if (e->grounded)
        ground_part(m, e, g, NULL, weight, x_bar + v * mech->nx);
    }
  }
  return status;
}

static bool any_active(const bool *active, int first, int count)
{
  for (int k = 0; k < count; k++)
    if (active[first + k])
      return true;
  return false;
}

/* Whether an element depends on data that matter: its own, its signals', those of ground points, or
 * of the point whose coordinate it holds. */
static bool element_active(const gradyn_mbs *m, const mbs_element *e, const bool *active)
{
  bool found = any_active(active, e->datum, e->data_count);
  for (int k = 0; k < e->signal_count; k++)
    found = found || gradyn_signal_active(&m->model->signal[e->signal + k], active);
  for (int k = 0; k < e->points; k++) {
    const mbs_point *p = &m->point[e->point[k]];
    found = found || (p->ground && any_active(active, p->x, 2));
    if (e->source == MBS_FROM_POINT)
      found = found || any_active(active, p->x, 2) || any_active(active, p->vx, 2);
  }
  return found;
}

void mbs_activate(gradyn_mech *mech, const bool *active)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  for (int pass = 0; pass < 2; pass++) {
    mbs_elements *list = pass ? &m->constraints : &m->forces;
    for (int i = 0; i < list->count; i++)
      list->item[i].active = !active || element_active(m, &list->item[i], active);
  }
  m->gravity_active = m->gravity >= 0 && (!active || any_active(active, m->gravity, 2));
  for (int i = 0; i < m->inertias; i++) {
    mbs_inertia *e = &m->inertia[i];
    e->active = !active || any_active(active, e->datum, e->count == 2 ? 4 : 1);
  }
}

/* --- explicit time derivatives ---------------------------------------------------------------- */

gradyn_status mbs_residual_time(gradyn_mech *mech, int parts, const gradyn_mech_state *at,
                                double *r)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look(m, at);
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < 2 * m->points; i++)
    m->full[i] = 0;
  for (int pass = 0; pass < 2; pass++) {
    const mbs_elements *list = pass ? &m->constraints : &m->forces;
    int count = parts & (pass ? GRADYN_CONSTRAINT : GRADYN_FORCE) ? list->count : 0;
    count = pass && count > mech->m ? mech->m : count;
    for (int i = 0; i < count && status == GRADYN_OK; i++) {
      const mbs_element *e = &list->item[i];
      double f_z[MBS_INPUTS * MBS_LOCAL], f_pos[MBS_LOCAL * MBS_LOCAL], z_t[MBS_INPUTS];
      status = element_slopes(m, e, &view, f_z, f_pos);
      mbs_inputs_rate(m, e, at->t, z_t);
      for (int k = 0; k < mbs_input_count(e) && status == GRADYN_OK; k++)
        mbs_scatter(e, (pass ? at->lam[i] : -1) * z_t[k], f_z + 2 * k * e->points, m->full);
    }
  }
  for (int i = 0; i < mech->n; i++)
    r[i] = m->full[i];
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
