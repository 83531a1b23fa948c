/* How large a mechanism is, so that nothing in the library needs a unit. */
#include "mbs/mechanism.h"

#include <math.h>
#include <stdlib.h>

/* A coordinate of a point where build() put it. */
static double declared(const gradyn_mbs *m, const mbs_point *p, int axis)
{
  const double *x = m->model->x;
  if (p->kind != MBS_ATTACHED)
    return x[p->x + axis];
  double sum = 0;
  for (int k = 0; k < p->carriers; k++) {
    const mbs_carrier *c = &p->carrier[k];
    const double weight = c->constant + (c->datum >= 0 ? c->slope * x[c->datum] : 0);
    sum += weight * x[m->point[c->point].x + axis];
  }
  return sum;
}

/* The side of the box around all points; of a single point its distance from the origin; 1 for want of
 * anything that has a length. */
static double extent(const gradyn_mbs *m)
{
  double side = 0, far = 0;
  for (int axis = 0; axis < m->dim; axis++) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < m->points; i++)
      if (!m->point[i].direction) {
        const double at = declared(m, &m->point[i], axis);
        least = fmin(least, at);
        most = fmax(most, at);
        far = fmax(far, fabs(at));
      }
    side = fmax(side, most - least);
  }
  return side > 0 ? side : far > 0 ? far : 1;
}

gradyn_status mbs_take_sizes(gradyn_mbs *m)
{
  const double length = extent(m);
  m->lever = malloc(((size_t)m->mech.n + 1) * sizeof *m->lever);
  if (!m->lever)
    return GRADYN_NO_MEMORY;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i) && m->point[i].kind == MBS_MOVING; k++) {
      const mbs_point *p = &m->point[i];
      m->lever[p->offset + k] = (p->scalar ? p->angle : p->direction) ? length : 1;
    }
  m->mech.lever = m->lever;
  m->mech.length = length;
  return GRADYN_OK;
}
