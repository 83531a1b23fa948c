/* Components of points, including attached ones, for functionals, output and assembly.
 *
 * An attached point is X = sum of w_i x_i over its carriers. Weights are constant in time, so velocities and
 * accelerations are the same sums. Adjoints use the transpose. */
#include "mbs/elements/mechanism.h"

/* Component of a moving or ground point: of its position, velocity or acceleration (order 0, 1, 2). */
static double own_component(const gradyn_mbs *m, const mbs_point *p, int order, int axis,
                            const double *y)
{
  if (p->kind == MBS_MOVING)
    return y[order * m->mech.n + p->offset + axis];
  /* ground points are at rest */
  return order == 0 ? m->model->x[p->x + axis] : 0;
}

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

void mbs_show_point(gradyn_mbs *m, int i, int position, int orders, const double *y)
{
  const mbs_point *p = &m->point[i];
  const int n = m->mech.n, dim = m->dim;
  const bool own = p->kind == MBS_MOVING && !p->scalar;
  for (int order = 0; order < orders; order++) {
    gradyn_scalar *view = m->work.view[order] + dim * position;
    if (!own) {
      for (int k = 0; k < dim; k++)
        view[k] = mbs_component(m, i, order, k, y);
      continue;
    }
    /* Most points move: copying them without a loop is faster. */
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
  /* a scalar has one component only; ground points have no rates */
  if (axis >= mbs_axes(m, i / m->dim))
    return GRADYN_FROM_NOTHING;
  if (p->kind != MBS_GROUND)
    return GRADYN_FROM_STATE;
  return array == GRADYN_SEES_POS ? p->x + axis : GRADYN_FROM_NOTHING;
}

/* Adds the adjoint of a component of a point: to the state of a moving point, to the datum of a ground
 * point. */
static void own_component_bar(const gradyn_mbs *m, const mbs_point *p, int order, int axis,
                              double weight, const gradyn_gradient_out *out)
{
  /* y = (q, v, a) */
  if (p->kind == MBS_MOVING && out->y_bar)
    out->y_bar[(order * m->mech.n + p->offset + axis) * out->stride] += weight;
  if (p->kind == MBS_GROUND && order == 0 && out->x_bar)
    out->x_bar[p->x + axis] += weight;
}

void mbs_component_bar(const gradyn_mbs *m, int point, int order, int axis, double weight,
                       const double *y, const gradyn_gradient_out *out)
{
  const mbs_point *p = &m->point[point];
  if (axis >= mbs_axes(m, point))
    return;
  if (p->kind != MBS_ATTACHED) {
    own_component_bar(m, p, order, axis, weight, out);
    return;
  }
  for (int k = 0; k < p->carriers; k++) {
    const mbs_carrier *c = &p->carrier[k];
    const mbs_point *carrier = &m->point[c->point];
    /* dX/dx_i = w_i; dX/dw_i = x_i, dw_i/d datum = s_i */
    own_component_bar(m, carrier, order, axis, weight * c->weight, out);
    if (c->datum >= 0 && out->x_bar)
      out->x_bar[c->datum] += weight * c->slope * own_component(m, carrier, order, axis, y);
  }
}

/* --- in full arrays --------------------------------------------------------------------------- */

/* Computes the attached points of a full array from their carriers. */
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

/* Transpose of spread(): adds loads of attached points to their carriers. */
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
