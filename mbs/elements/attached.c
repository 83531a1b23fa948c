/* Components of points, attached ones included, for functionals, output and assembly. An attached point has
 * X = sum of w_i x_i of its carriers, and so have its velocity and its acceleration, as weights are
 * constant in time; bars go the other way. */
#include "mbs/elements/mechanism.h"

/* Component of a point that is not attached. */
static double own_component(const gradyn_mbs *m, const mbs_point *p, int order, int axis,
                            const double *y)
{
  if (p->kind == MBS_MOVING)
    return y[order * m->mech.n + p->offset + axis];
  /* ground points rest: velocity and acceleration are zero */
  return order == 0 ? m->model->x[p->x + axis] : 0;
}

/* Component of position, velocity or acceleration (order 0, 1, 2) of any point. */
double mbs_component(const gradyn_mbs *m, int point, int order, int axis, const double *y)
{
  const mbs_point *p = &m->point[point];
  if (axis >= mbs_axes(m, point))
    return 0;
  if (p->kind != MBS_ATTACHED)
    return own_component(m, p, order, axis, y);
  /* X^(k) = sum of w_i x_i^(k) */
  double sum = 0;
  for (int k = 0; k < p->carriers; k++)
    sum += p->carrier[k].weight * own_component(m, &m->point[p->carrier[k].point], order, axis, y);
  return sum;
}

void mbs_show_point(gradyn_mbs *m, int i, int place, int orders, const double *y)
{
  const mbs_point *p = &m->point[i];
  const int n = m->mech.n, dim = m->dim;
  const bool own = p->kind == MBS_MOVING && !p->scalar;
  for (int order = 0; order < orders; order++) {
    gradyn_scalar *view = m->work.view[order] + dim * place;
    if (!own) {
      for (int k = 0; k < dim; k++)
        view[k] = mbs_component(m, i, order, k, y);
      continue;
    }
    /* most are unknowns themselves: two or three of them, and no loop for that */
    const double *component = y + order * n + p->offset;
    view[0] = component[0];
    view[1] = component[1];
    if (dim > 2)
      view[2] = component[2];
  }
}

int mbs_seen(const gradyn_model *model, gradyn_seen array, int i)
{
  const gradyn_mbs *m = model->impl;
  const bool of_points = array <= GRADYN_SEES_ACC;
  if (i < 0)
    return of_points ? m->dim * m->points : array == GRADYN_SEES_LAM ? m->mech.m : 0;
  if (!of_points)
    return GRADYN_FROM_STATE;
  const mbs_point *p = &m->point[i / m->dim];
  const int axis = i % m->dim;
  /* components that a scalar has not got, and rates of what rests */
  if (axis >= mbs_axes(m, i / m->dim))
    return GRADYN_FROM_NOTHING;
  if (p->kind != MBS_GROUND)
    return GRADYN_FROM_STATE;
  return array == GRADYN_SEES_POS ? p->x + axis : GRADYN_FROM_NOTHING;
}

/* Of a point that is not attached: to the state, or to its own data. */
static void own_component_bar(const gradyn_mbs *m, const mbs_point *p, int order, int axis,
                              double weight, const gradyn_gradient_out *out)
{
  /* y = (q, v, a), in columns or rows as out says */
  if (p->kind == MBS_MOVING && out->y_bar)
    out->y_bar[(order * m->mech.n + p->offset + axis) * out->stride] += weight;
  if (p->kind == MBS_GROUND && order == 0 && out->x_bar)
    out->x_bar[p->x + axis] += weight;
}

/* Its transpose: weight times the derivative, to the bars of whoever carries the point. */
void mbs_component_bar(const gradyn_mbs *m, int point, int order, int axis, double weight,
                       const double *y, const gradyn_gradient_out *out)
{
  const mbs_point *p = &m->point[point];
  if (axis >= mbs_axes(m, point))
    return;
  /* X = sum of w_i x_i: bars go to all carriers, and by the weights to data */
  if (p->kind != MBS_ATTACHED) {
    own_component_bar(m, p, order, axis, weight, out);
    return;
  }
  for (int k = 0; k < p->carriers; k++) {
    const mbs_carrier *c = &p->carrier[k];
    const mbs_point *carrier = &m->point[c->point];
    /* X_x_i = w_i, and by the weight's datum s_i x_i */
    own_component_bar(m, carrier, order, axis, weight * c->weight, out);
    if (c->datum >= 0 && out->x_bar)
      out->x_bar[c->datum] += weight * c->slope * own_component(m, carrier, order, axis, y);
  }
}

/* --- in full arrays -------------------------------------------------------------------------- */

/* Places of attached points from those of their carriers. */
GRADYN_KERNEL void spread(int dim, const gradyn_mbs *m, double *full)
{
  for (int i = 0; i < m->attached.count; i++) {
    const mbs_share *p = &m->attached.share[i];
    double X[3] = {0};
    /* X = sum of w_i x_i */
    for (int k = 0; k < p->carriers; k++)
      for (int c = 0; c < dim; c++)
        X[c] += p->weight[k] * full[p->from[k] + c];
    for (int c = 0; c < dim; c++)
      full[p->at + c] = X[c];
  }
}

void mbs_spread(const gradyn_mbs *m, double *full)
{
  MBS_BY_AXES(m, spread, m, full);
}

/* Its transpose: loads of attached points go to their carriers. */
GRADYN_KERNEL void pull(int dim, const gradyn_mbs *m, double *full)
{
  for (int i = 0; i < m->attached.count; i++) {
    const mbs_share *p = &m->attached.share[i];
    double F[3] = {0};
    for (int c = 0; c < dim; c++)
      F[c] = full[p->at + c];
    /* F_i += w_i F */
    for (int k = 0; k < p->carriers; k++)
      for (int c = 0; c < dim; c++)
        full[p->from[k] + c] += p->weight[k] * F[c];
  }
}

void mbs_pull(const gradyn_mbs *m, double *full)
{
  MBS_BY_AXES(m, pull, m, full);
}
