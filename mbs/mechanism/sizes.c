/* Length scales of a mechanism, so that tolerances do not depend on units. The length of the mechanism
 * follows from its points at the start. Each coordinate gets a length scale: corrections and violations
 * become lengths when they are multiplied by it. */
#include "mbs/mechanism/assembly.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* coincident: relative round-off in a distance from the origin. short_of: share of the path of a run; a
 * shorter distance from the origin is no measure of the size. */
static const double coincident = 1e-9, short_of = 1e-3;

/* Path of the fastest point during the run, m. */
static double way(const gradyn_mbs *m)
{
  const gradyn_scalar *value = m->model->value;
  /* largest component of an initial velocity, m/s */
  double speed = 0;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i) && m->point[i].kind == MBS_MOVING; k++)
      if (!m->point[i].direction && !m->point[i].scalar)
        speed = fmax(speed, fabs(creal(value[m->point[i].vx + k])));
  return speed * creal(value[m->model->t_end]);
}

/* Length of the mechanism: the longest side of the box around all points. If all points coincide: their
 * distance from the origin or, if this is only round-off, the path of the fastest point. Without any length:
 * 1. */
static double extent(const gradyn_mbs *m)
{
  /* the box around all points at the start */
  double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double side = 0, far = 0;
  for (int i = 0; i < m->points; i++) {
    gradyn_scalar position[3] = {0};
    if (m->point[i].direction)
      continue;
    mbs_initial_position(m, i, position);
    for (int axis = 0; axis < 3; axis++) {
      least[axis] = fmin(least[axis], creal(position[axis]));
      most[axis] = fmax(most[axis], creal(position[axis]));
    }
  }
  /* longest side, and largest coordinate */
  for (int axis = 0; axis < 3; axis++) {
    side = fmax(side, most[axis] - least[axis]);
    far = fmax(far, fmax(fabs(least[axis]), fabs(most[axis])));
  }
  /* unless all points coincide */
  if (side > coincident * far)
    return side;
  const double path = way(m);
  far = far < short_of * path ? path : far;
  return far > 0 ? far : 1;
}

/* Length scale of a coordinate: 1 for lengths, the extent for directions and angles, extent over size for
 * first-order states. */
gradyn_status mbs_take_sizes(gradyn_mbs *m)
{
  const double length = extent(m);
  m->length_scale = malloc(((size_t)m->mech.n + 1) * sizeof *m->length_scale);
  if (!m->length_scale)
    return GRADYN_NO_MEMORY;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i) && m->point[i].kind == MBS_MOVING; k++) {
      const mbs_point *p = &m->point[i];
      const bool turns = p->scalar ? p->angle : p->direction;
      m->length_scale[p->offset + k] = p->size > 0 ? length / p->size : turns ? length : 1;
    }
  m->mech.length_scale = m->length_scale;
  m->mech.length = length;
  return GRADYN_OK;
}
