/* The mechanical interface of mechanisms: derivatives of the residual with respect to data and time. */
#include "mbs/data.h"

/* --- residual --------------------------------------------------------------------------------- */

/* full += scale (df/dx) dx. */
static gradyn_status element_tangent(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                     double scale, const double *dx)
{
  mbs_slopes s;
  double dz[MBS_INPUTS];
  if (!mbs_inputs_change(m, e, view->t, dx, dz))
    return GRADYN_OK;
  gradyn_status status = mbs_element_slopes(m, e, view, e->fixed_active, &s);
  if (status != GRADYN_OK)
    return status;
  int local = e->local, inputs = mbs_input_count(e);
  for (int i = 0; i < local; i++) {
    double sum = e->fixed_active ? mbs_along(m, e, s.pos + i * local, m->moved[0]) : 0;
    if (e->ops->force && e->slot && e->fixed_active)
      sum += mbs_along(m, e, s.vel + i * local, m->moved[1]);
    for (int k = 0; k < inputs; k++)
      sum += s.z[k * local + i] * dz[k];
    m->full[mbs_coordinate(m, e, i)] += scale * sum;
  }
  return GRADYN_OK;
}

/* Attached points pull on other weights than before: full += dw times the forces on them. */
static void pull_changes(gradyn_mbs *m, const double *dx)
{
  for (int i = 0; i < m->attached_count; i++) {
    const mbs_point *p = &m->point[m->attached[i]];
    for (int k = 0; k < p->carriers; k++) {
      const mbs_carrier *c = &p->carrier[k];
      double dw = c->datum < 0 ? 0 : c->slope * dx[c->datum];
      for (int axis = 0; axis < m->dim && dw != 0; axis++)
        m->full[m->point[c->point].offset + axis] += dw * m->load[p->offset + axis];
    }
  }
}

gradyn_status mbs_residual_data(gradyn_mech *mech, int parts, const gradyn_mech_state *at,
                                const double *dx, double *r)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look(m, at);
  gradyn_status status = GRADYN_OK;
  int first, last = mbs_constraint_range(m, parts, &first);
  bool moved = mbs_move_points(m, dx), carried = moved && m->attached_count > 0;
  if (carried) {
    status = mbs_point_loads(m, parts, at, &view);
    memcpy(m->load, m->full, (size_t)m->full_size * sizeof *m->load);
  }
  for (int i = 0; i < m->full_size; i++)
    m->full[i] = 0;
  if (m->inertia_active && parts & (GRADYN_INERTIA | GRADYN_FORCE)) {
    mbs_inertia_field(m, parts);
    mbs_inertia_tangent(m, m->field, dx, m->full);
  }
  if (carried && parts & GRADYN_INERTIA)
    mbs_inertia_apply(m, m->moved[2], m->full);
  for (int i = 0; i < m->forces.count && parts & GRADYN_FORCE && status == GRADYN_OK; i++)
    if (m->forces.item[i].active)
      status = element_tangent(m, &m->forces.item[i], &view, -1, dx);
  for (int i = first; i < last && status == GRADYN_OK; i++)
    if (m->constraints.item[i].active)
      status = element_tangent(m, &m->constraints.item[i], &view, at->lam[i], dx);
  if (parts & GRADYN_FORCE && m->gravity_active)
    mbs_gravity_tangent(m, dx + m->gravity, m->full);
  if (m->attached_count > 0)
    mbs_pull(m, m->full);
  if (carried)
    pull_changes(m, dx);
  for (int i = 0; i < mech->n; i++)
    r[i] += m->full[i];
  return status;
}

/* --- residual, transposed --------------------------------------------------------------------- */

/* A few vectors mu at an element, times a factor, side by side: mu [local]. */
static void gather_lanes(const gradyn_mbs *m, const mbs_element *e, double scale,
                         const mbs_covectors *c, int first, gradyn_lanes *mu)
{
  int columns = c->count - first < GRADYN_LANES ? c->count - first : GRADYN_LANES;
  for (int k = 0; k < e->points; k++)
    for (int axis = 0; axis < m->dim; axis++, mu++) {
      *mu = (gradyn_lanes){0};
      for (int v = 0; v < columns && e->at[k] < c->moving; v++)
        (*mu)[v] = scale * c->mu[(first + v) * c->stride + e->at[k] + axis];
    }
}

/* What falls on the places of points that do not move freely. */
static void add_places(gradyn_mbs *m, const mbs_element *e, const mbs_slopes *s,
                       const gradyn_lanes *mu, int v, int lane, double *x_bar)
{
  for (int k = 0; k < e->points; k++)
    for (int axis = 0; axis < m->dim; axis++, mu++) {
      int row = (m->dim * k + axis) * e->local;
      mbs_against(m, e, s->pos + row, (*mu)[lane], x_bar, mbs_bar(m, 0, v));
      if (e->slot && e->ops->force)
        mbs_against(m, e, s->vel + row, (*mu)[lane], NULL, mbs_bar(m, 1, v));
    }
}

/* x_bar += scale (df/dx)^T mu for all mu. */
static gradyn_status element_transposed(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                        double scale, const mbs_covectors *c)
{
  mbs_slopes s;
  gradyn_lanes mu[MBS_LOCAL], z_bar[MBS_INPUTS];
  bool plain = e->source == MBS_FROM_DATA && e->signal_count == 0, places = e->fixed_active;
  gradyn_status status = mbs_element_slopes(m, e, view, places, &s);
  if (places)
    memset(mu, 0, sizeof mu);
  for (int v = 0; v < c->count && status == GRADYN_OK; v++) {
    int lane = v % GRADYN_LANES;
    double *x_bar = c->x_bar + v * m->mech.nx, one[MBS_INPUTS];
    if (lane == 0)
      gather_lanes(m, e, scale, c, v, mu);
    for (int k = e->first_input; k < e->end_input && lane == 0; k++) {
      z_bar[k] = s.z[k * e->local] * mu[0];
      for (int i = 1; i < e->local; i++)
        z_bar[k] += s.z[k * e->local + i] * mu[i];
    }
    if (places)
      add_places(m, e, &s, mu, v, lane, x_bar);
    for (int k = e->first_input; k < e->end_input; k++)
      if (plain)
        x_bar[e->datum + k] += z_bar[k][lane];
      else
        one[k] = z_bar[k][lane];
    if (!plain)
      mbs_inputs_transposed(m, e, view->t, one, x_bar);
  }
  return status;
}

static gradyn_status add_transposed(gradyn_mbs *m, int parts, const gradyn_mech_state *at,
                                    const mbs_view *view, const mbs_covectors *c)
{
  gradyn_status status = GRADYN_OK;
  int first, last = mbs_constraint_range(m, parts, &first);
  for (int i = 0; i < m->forces.count && parts & GRADYN_FORCE && status == GRADYN_OK; i++)
    if (m->forces.item[i].active)
      status = element_transposed(m, &m->forces.item[i], view, -1, c);
  for (int i = first; i < last && status == GRADYN_OK; i++)
    if (m->constraints.item[i].active)
      status = element_transposed(m, &m->constraints.item[i], view, at->lam[i], c);
  if (!(parts & (GRADYN_INERTIA | GRADYN_FORCE)))
    return status;
  if (m->inertia_active) {
    mbs_inertia_field(m, parts);
    mbs_inertia_transposed(m, m->field, c->count, c->mu, c->stride, c->moving, c->x_bar);
  }
  for (int v = 0; v < c->count && parts & GRADYN_FORCE && m->gravity_active; v++)
    mbs_gravity_transposed(m, c->mu + v * c->stride, c->moving, c->x_bar + v * m->mech.nx);
  return status;
}

/* The same for models with attached points, at most MBS_VECTORS vectors at once: mu is spread to them
 * first. */
static gradyn_status add_transposed_carried(gradyn_mbs *m, int parts, const gradyn_mech_state *at,
                                            const mbs_view *view, const mbs_covectors *c)
{
  int full = m->full_size, n = m->mech.n;
  gradyn_status status = GRADYN_OK;
  if (m->places_active) {
    status = mbs_point_loads(m, parts, at, view);
    memcpy(m->load, m->full, (size_t)full * sizeof *m->load);
    mbs_clear_bars(m, c->count);
  }
  for (int v = 0; v < c->count; v++) {
    double *mu = m->bar[3] + v * full;
    memset(mu, 0, (size_t)full * sizeof *mu);
    memcpy(mu, c->mu + v * c->stride, (size_t)n * sizeof *mu);
    mbs_spread(m, mu);
  }
  const mbs_covectors spread = {c->count, full, full, m->bar[3], c->x_bar};
  if (status == GRADYN_OK)
    status = add_transposed(m, parts, at, view, &spread);
  for (int v = 0; v < c->count && m->places_active; v++) {
    const double *mu = m->bar[3] + v * full;
    if (parts & GRADYN_INERTIA)
      mbs_inertia_apply(m, mu, m->bar[2] + v * full);
    mbs_carry_bars(m, v, 3, mu, c->x_bar + v * m->mech.nx);
  }
  return status;
}

gradyn_status mbs_residual_data_transposed(gradyn_mech *mech, int parts,
                                           const gradyn_mech_state *at, int count, const double *mu,
                                           int stride, double *x_bar)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look(m, at);
  if (m->attached_count == 0)
    return add_transposed(m, parts, at, &view, &(mbs_covectors){count, stride, mech->n, mu, x_bar});
  gradyn_status status = GRADYN_OK;
  for (int v = 0; v < count && status == GRADYN_OK; v += MBS_VECTORS) {
    int some = count - v < MBS_VECTORS ? count - v : MBS_VECTORS;
    const mbs_covectors c = {some, stride, mech->n, mu + v * stride, x_bar + v * mech->nx};
    status = add_transposed_carried(m, parts, at, &view, &c);
  }
  return status;
}

/* --- explicit time derivatives ---------------------------------------------------------------- */

gradyn_status mbs_residual_time(gradyn_mech *mech, int parts, const gradyn_mech_state *at,
                                double *r)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  mbs_view view = mbs_look(m, at);
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < m->full_size; i++)
    m->full[i] = 0;
  for (int pass = 0; pass < 2; pass++) {
    const mbs_elements *list = pass ? &m->constraints : &m->forces;
    int count = parts & (pass ? GRADYN_CONSTRAINT : GRADYN_FORCE) ? list->count : 0;
    count = pass && count > mech->m ? mech->m : count;
    for (int i = 0; i < count && status == GRADYN_OK; i++) {
      const mbs_element *e = &list->item[i];
      mbs_slopes s;
      double z_t[MBS_INPUTS];
      if (e->steady)
        continue;
      status = mbs_element_slopes(m, e, &view, false, &s);
      mbs_inputs_rate(m, e, at->t, z_t);
      for (int k = 0; k < mbs_input_count(e) && status == GRADYN_OK; k++)
        mbs_scatter(e, m->dim, (pass ? at->lam[i] : -1) * z_t[k], s.z + k * e->local, m->full);
    }
  }
  if (m->attached_count > 0)
    mbs_pull(m, m->full);
  for (int i = 0; i < mech->n; i++)
    r[i] = m->full[i];
  return status;
}
