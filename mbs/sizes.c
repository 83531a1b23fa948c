/* How large a mechanism is, so that nothing in the library needs a unit. */
#include "mbs/mechanism.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* The side of the box around all points; of a single point its distance from the origin; 1 for want of
 * anything that has a length. */
static double extent(const gradyn_mbs *m)
{
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
  for (int axis = 0; axis < 3; axis++) {
    side = fmax(side, most[axis] - least[axis]);
    far = fmax(far, fmax(fabs(least[axis]), fabs(most[axis])));
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
      const bool turns = p->scalar ? p->angle : p->direction;
      m->lever[p->offset + k] = p->size > 0 ? length / p->size : turns ? length : 1;
    }
  m->mech.lever = m->lever;
  m->mech.length = length;
  return GRADYN_OK;
}
