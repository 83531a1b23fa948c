/* Knife edges: a point has no velocity along a direction, or a prescribed one,
 *     psi = (S u).r' - s(t),
 * with u a direction of a frame and r the point. S is the identity or, for the direction across u in the
 * plane, the rotation by a right angle. The constraint is nonholonomic: psi is not the rate of a function of
 * positions. */
#include "core/model/declare.h"
#include "mbs/bodies/frame.h"
#include "mbs/elements/relation.h"

enum { U, R }; /* vectors, in the order of the element's points */

/* (S u).r. */
static gradyn_scalar along(const gradyn_mbs *m, const mbs_element *e, const gradyn_scalar *u,
                           const gradyn_scalar *r)
{
  if (e->variant)
    return u[0] * r[1] - u[1] * r[0];
  gradyn_scalar sum = 0;
  for (int k = 0; k < m->dim; k++)
    sum += u[k] * r[k];
  return sum;
}

/* psi = (S u).r' - s is order 1, psi' = (S u').r' + (S u).r'' - s' order 2. */
static gradyn_status slip(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                          int order, gradyn_scalar *psi)
{
  const int u = m->dim * U, r = m->dim * R;
  *psi = order == 1
             ? along(m, e, s->pos + u, s->vel + r) - s->z[0]
             : along(m, e, s->vel + u, s->vel + r) + along(m, e, s->pos + u, s->acc + r) - s->z[1];
  return GRADYN_OK;
}

static const mbs_element_ops knife_edge_ops = {
    .kind = "knife edge", MBS_RELATION_OPS(slip), .psi_v = mbs_relation_psi_v, .degree = 2};

/* Checks point and direction, and replaces the id of the point by its index; false after a build error. */
static bool check(gradyn_mbs *m, const char *name, const mbs_frame *frame, gradyn_axis axis,
                  int *id)
{
  if (!mbs_check_axis(m, name, axis) || !mbs_take_point(m, name, *id, id))
    return false;
  const int point = *id;
  if (mbs_on_ground(m, point)) {
    gradyn_build_error(m->model, "%s: %s does not move, so its velocity cannot be constrained",
                       name, m->point[point].name);
    return false;
  }
  if (frame->body == MBS_BAR_FRAME && m->dim == 3 && axis != GRADYN_Z) {
    gradyn_build_error(m->model, "%s: %s is the frame of a rod; its only direction in space is z",
                       name, frame->name);
    return false;
  }
  return true;
}

int gradyn_knife_edge(gradyn_model *model, const char *name, int frame, gradyn_axis axis, int point,
                      const gradyn_time_function *speed)
{
  static const char *const speeds[] = {"m/s", "m/s^2", "m/s^3"};
  gradyn_mbs *m = mbs_of(model);
  const char *own = gradyn_own_name(model, name, knife_edge_ops.kind);
  mbs_frame *f = mbs_check_frame(m, own, frame);
  if (!f || !check(m, own, f, axis, &point))
    return 0;
  /* in the plane a frame has the direction x only; y is across x */
  const bool across = m->dim == 2 && axis == GRADYN_Y;
  mbs_element element = {
      .ops = &knife_edge_ops,
      .points = 2,
      .point = {[U] = mbs_frame_direction(m, f, across ? 0 : (int)axis), [R] = point},
      .variant = across};
  element.datum = mbs_declare_law(m, own, speeds, speed, &element);
  return gradyn_id(model, mbs_add_row(m, &element, own));
}
