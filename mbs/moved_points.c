/* Points that do not move freely: how data move them, and what elements make of it. */
#include "mbs/data.h"

gradyn_status mbs_element_slopes(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                 bool by_place, mbs_slopes *s)
{
  double room[MBS_INPUTS];
  const double *z = mbs_inputs(m, e, view->t, room);
  if (e->ops->force) {
    gradyn_status status = GRADYN_OK;
    if (by_place)
      status = e->ops->force_state(m, e, view, z, s->pos, s->vel);
    return status == GRADYN_OK ? e->ops->force_input(m, e, view, z, s->z) : status;
  }
  gradyn_status status = by_place ? e->ops->hessian(m, e, view, z, s->pos) : GRADYN_OK;
  return status == GRADYN_OK ? e->ops->phi_q_input(m, e, view, z, s->z) : status;
}

static bool place_changes(const mbs_point *p, int dim, const double *dx)
{
  for (int c = 0; c < dim && p->kind == MBS_GROUND; c++)
    if (dx[p->x + c] != 0)
      return true;
  return false;
}

bool mbs_move_points(gradyn_mbs *m, const double *dx)
{
  bool change = false;
  int dim = m->dim;
  if (!m->places_active)
    return false;
  for (int i = 0; i < m->points; i++) {
    const mbs_point *p = &m->point[i];
    for (int c = 0; c < dim && p->kind == MBS_GROUND; c++)
      m->moved[0][p->offset + c] = dx[p->x + c];
    change = change || place_changes(p, dim, dx);
  }
  const double *from[3] = {m->pos, m->vel, m->acc};
  for (int i = 0; i < m->attached_count; i++) {
    const mbs_point *p = &m->point[m->attached[i]];
    for (int order = 0; order < 3; order++)
      for (int c = 0; c < dim; c++) {
        double sum = 0;
        for (int k = 0; k < p->carriers; k++) {
          int at = m->point[p->carrier[k].point].offset + c;
          double dw = p->carrier[k].datum < 0 ? 0 : p->carrier[k].slope * dx[p->carrier[k].datum];
          sum += p->carrier[k].weight * m->moved[order][at];
          sum += dw != 0 ? dw * from[order][at] : 0; /* what is not needed may be stale */
          change = change || dw != 0;
        }
        m->moved[order][p->offset + c] = sum;
      }
  }
  return change;
}

/* Whether one of an element's points is moved. */
static bool points_change(const gradyn_mbs *m, const mbs_element *e)
{
  for (int k = 0; k < e->points && e->fixed_active; k++)
    for (int c = 0; c < m->dim; c++)
      for (int order = 0; order < 3; order++)
        if (m->moved[order][e->at[k] + c] != 0)
          return true;
  return false;
}

bool mbs_inputs_change(const gradyn_mbs *m, const mbs_element *e, double t, const double *dx,
                       double *dz)
{
  bool change = false;
  mbs_inputs_tangent(m, e, t, dx, dz);
  for (int k = 0; k < mbs_input_count(e); k++)
    change = change || dz[k] != 0;
  return change || points_change(m, e);
}

double mbs_along(const gradyn_mbs *m, const mbs_element *e, const double *g, const double *moved)
{
  double sum = 0;
  for (int k = 0; k < e->points && e->fixed; k++)
    for (int c = 0; c < m->dim; c++)
      sum += g[m->dim * k + c] * moved[e->at[k] + c];
  return sum;
}

void mbs_against(const gradyn_mbs *m, const mbs_element *e, const double *g, double weight,
                 double *x_bar, double *bar)
{
  for (int k = 0; k < e->points; k++) {
    const mbs_point *p = &m->point[e->point[k]];
    for (int c = 0; c < m->dim && p->kind != MBS_MOVING; c++) {
      double value = weight * g[m->dim * k + c];
      if (p->kind == MBS_ATTACHED)
        bar[p->offset + c] += value;
      else if (x_bar)
        x_bar[p->x + c] += value;
    }
  }
}

void mbs_carry_bars(gradyn_mbs *m, int v, int orders, const double *mu, double *x_bar)
{
  const double *from[3] = {m->pos, m->vel, m->acc};
  for (int i = 0; i < m->attached_count; i++) {
    const mbs_point *p = &m->point[m->attached[i]];
    for (int k = 0; k < p->carriers; k++) {
      const mbs_carrier *c = &p->carrier[k];
      const mbs_point *carrier = &m->point[c->point];
      for (int axis = 0; axis < m->dim; axis++) {
        int at = carrier->offset + axis, own = v * m->full_size + p->offset + axis;
        double sum = mu ? mu[at] * m->load[p->offset + axis] : 0;
        for (int order = 0; order < orders && order < 3; order++)
          if (m->bar[order][own] != 0)
            sum += m->bar[order][own] * from[order][at];
        if (c->datum >= 0)
          x_bar[c->datum] += c->slope * sum;
        if (carrier->kind == MBS_GROUND)
          x_bar[carrier->x + axis] += c->weight * m->bar[0][own];
      }
    }
  }
}

void mbs_clear_bars(gradyn_mbs *m, int count)
{
  for (int order = 0; order < 3; order++)
    memset(m->bar[order], 0, (size_t)(count * m->full_size) * sizeof(double));
}
