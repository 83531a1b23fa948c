/* Pins between points. Joints between frames are in frame_joints.c, welds of beams in mbs/beams/weld.c. All
 * joints are made of the same few constraints. */
#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"

/* Makes two points coincide by one constraint for each axis; returns the number of the first. */
int mbs_join(gradyn_mbs *m, const char *name, int a, int b)
{
  static const char axis[3] = {'x', 'y', 'z'};
  int first = 0;
  /* the constraints have consecutive numbers */
  for (int k = 0; k < m->dim && k < 3; k++) {
    mbs_element e = mbs_pair(&mbs_pin_ops, a, b);
    e.axis = (gradyn_axis)k;
    e.modes.shared = k > 0;
    const int number = mbs_add_row(m, &e, gradyn_format_name(m->model, "%.80s.%c", name, axis[k]));
    first = k == 0 ? number : first;
  }
  return first;
}

/* Declares a pin, which leaves all rotations free: one in the plane, three in space. */
int gradyn_pin(gradyn_model *model, const char *name, int a, int b)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = gradyn_own_name(model, name, "pin");
  if (!m || !mbs_take_point(m, own, a, &a) || !mbs_take_point(m, own, b, &b))
    return 0;
  /* an error: neither point can move */
  if (mbs_on_ground(m, a) && mbs_on_ground(m, b))
    gradyn_build_error(model, "%s joins two ground points", own);
  return gradyn_id(model, mbs_join(m, own, a, b));
}
