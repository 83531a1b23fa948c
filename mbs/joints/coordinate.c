/* Joint coordinates, and gears between them. A joint coordinate is a scalar c that a constraint ties to
 * vectors, Phi = (angle or slide) - c. Springs, drives and gears act on c, independently of the vectors. */
#include "mbs/joints/coordinate.h"

#include <complex.h>
#include <math.h>

#include "core/model/declare.h"

const mbs_point *mbs_check_coordinate(gradyn_mbs *m, const char *element, int id)
{
  const char *own = element ? element : "an element of a joint";
  const int coordinate = m ? mbs_find_any_point(m, own, id) : -1;
  if (coordinate < 0)
    return NULL;
  const mbs_point *p = &m->point[coordinate];
  /* a joint coordinate is a scalar, but not a first-order state */
  if (p->scalar && !p->state)
    return p;
  gradyn_build_error(m->model, "%s: %s is a %s: a joint coordinate is needed", own, p->name,
                     p->state ? "first-order state" : "point");
  return NULL;
}

/* Value of a joint coordinate at the initial time. */
static gradyn_scalar initial_coordinate(const gradyn_mbs *m, int coordinate)
{
  return m->model->exhausted ? 0 : m->model->value[m->point[coordinate].x];
}

/* a.b, analytic for complex step. */
static gradyn_scalar product(const gradyn_mbs *m, const gradyn_scalar *a, const gradyn_scalar *b)
{
  gradyn_scalar sum = 0;
  for (int k = 0; k < m->dim; k++)
    sum += a[k] * b[k];
  return sum;
}

/* The angle between -pi and pi with cosine and sine proportional to C and S. For complex step it is
 * analytic: the angle of the real parts plus a small correction. */
static gradyn_scalar angle_of(gradyn_scalar C, gradyn_scalar S)
{
  double angle = atan2(creal(S), creal(C)), c = cos(angle), s = sin(angle);
  /* alpha + atan((S c - C s)/(C c + S s)) */
  return angle + catan((S * c - C * s) / (C * c + S * s));
}

/* Direction of frame b to which an angle is measured: x, but z for rods in space, which have only z. */
static int pointer_of(const gradyn_mbs *m, const mbs_frame *b)
{
  return m->dim == 3 && b->body == MBS_BAR_FRAME ? 2 : 0;
}

/* Declares the angle from x of a to direction w of b; returns the coordinate. */
static int add_angle(gradyn_mbs *m, const char *name, mbs_frame *a, mbs_frame *b, int w)
{
  const int x = mbs_frame_direction(m, a, 0);
  gradyn_scalar C = product(m, a->triad[0], b->triad[w]), S = product(m, a->triad[1], b->triad[w]);
  if (!m->model->failed && !(hypot(creal(C), creal(S)) > 1e-6))
    gradyn_build_error(m->model,
                       "%s: the direction of %s is along the axis of %s: the angle is "
                       "undefined",
                       name, b->name, a->name);
  mbs_element e = {.ops = m->dim == 2 ? &mbs_plane_turn_ops : &mbs_turn_ops};
  /* initial value: the angle between the declared frames */
  int coordinate = mbs_add_scalar(m, name, true, m->model->failed ? 0 : angle_of(C, S));
  /* order of the element's points: the coordinate, then the directions */
  e.point[e.points++] = coordinate;
  e.point[e.points++] = x;
  if (m->dim == 3)
    e.point[e.points++] = mbs_frame_direction(m, a, 1);
  e.point[e.points++] = mbs_frame_direction(m, b, w);
  mbs_add_row(m, &e, name);
  return coordinate;
}

int mbs_add_swing(gradyn_mbs *m, const char *name, int from, int to)
{
  gradyn_scalar a[3] = {0}, b[3];
  if (from >= 0)
    mbs_initial_position(m, from, a);
  mbs_initial_position(m, to, b);
  const gradyn_scalar near = m->model->failed ? 0 : angle_of(b[0] - a[0], b[1] - a[1]);
  mbs_element e = {.ops = from >= 0 ? &mbs_swing_ops : &mbs_heading_ops};
  const int coordinate = e.point[e.points++] = mbs_add_scalar(m, name, true, near);
  if (from >= 0)
    e.point[e.points++] = from;
  e.point[e.points++] = to;
  mbs_add_row(m, &e, name);
  return coordinate;
}

/* Direction of frames along which joints slide. */
static int axis_of(const gradyn_mbs *m)
{
  return m->dim == 2 ? 0 : 2;
}

/* Declares Phi = u.(r_b - r_a) - c for a new coordinate c, which it returns. */
static int add_slide(gradyn_mbs *m, const char *name, mbs_frame *a, const mbs_frame *b, int along)
{
  const int u = mbs_frame_direction(m, a, along);
  gradyn_scalar from[3], to[3];
  mbs_initial_position(m, a->origin, from); /* initial value u.(x_b - x_a) */
  mbs_initial_position(m, b->origin, to);
  for (int k = 0; k < m->dim; k++)
    to[k] -= from[k];
  int coordinate = mbs_add_scalar(m, name, false, product(m, a->triad[along], to));
  mbs_element e = {
      .ops = &mbs_slide_ops, .points = 4, .point = {coordinate, u, a->origin, b->origin}};
  mbs_add_row(m, &e, name);
  return coordinate;
}

/* --- of joints -------------------------------------------------------------------------------- */

/* Build error: a joint of this kind has no such coordinate. Returns -1. */
static int refuse(gradyn_mbs *m, const mbs_joint *joint, const char *what)
{
  gradyn_build_error(m->model,
                     "joint %s has no %s: gradyn_frame_coordinate() measures between frames",
                     joint->name, what);
  return -1;
}

/* Angle of a joint that rotates about one axis. */
static int joint_angle(gradyn_mbs *m, mbs_joint *j)
{
  bool universal = j->kind == GRADYN_UNIVERSAL;
  if (!universal && j->kind != GRADYN_REVOLUTE && j->kind != GRADYN_CYLINDRICAL &&
      j->kind != GRADYN_SCREW && j->kind != GRADYN_PLANAR)
    return refuse(m, j, "angle");
  mbs_frame *b = &m->parts.frame[j->b];
  /* declared once for each joint */
  if (j->angle < 0) {
    j->angle_row = m->row_cursor[MBS_IN_MOTION];
    j->angle = add_angle(m, gradyn_format_name(m->model, "%s.angle", j->name),
                         &m->parts.frame[j->a], b, universal ? 2 : pointer_of(m, b));
  }
  return j->angle;
}

/* Slide of a joint that slides along one axis. */
static int joint_slide(gradyn_mbs *m, mbs_joint *j)
{
  if (j->kind != GRADYN_PRISMATIC && j->kind != GRADYN_CYLINDRICAL && j->kind != GRADYN_SCREW &&
      j->kind != GRADYN_POINT_ON_LINE)
    return refuse(m, j, "slide");
  /* declared once for each joint */
  if (j->slide < 0) {
    j->slide_row = m->row_cursor[MBS_IN_MOTION];
    j->slide = add_slide(m, gradyn_format_name(m->model, "%s.slide", j->name),
                         &m->parts.frame[j->a], &m->parts.frame[j->b], axis_of(m));
  }
  return j->slide;
}

/* Slide along x or y (i = 0, 1) of a joint that moves in a plane. */
static int joint_slide_along(gradyn_mbs *m, mbs_joint *j, int i)
{
  if (j->kind != GRADYN_PLANAR && j->kind != GRADYN_POINT_ON_PLANE)
    return refuse(m, j, i ? "slide along y" : "slide along x");
  /* declared once for each joint */
  if (j->along[i] < 0) {
    j->along_row[i] = m->row_cursor[MBS_IN_MOTION];
    j->along[i] = add_slide(m,
                            gradyn_format_name(m->model, i ? "%s.slide_y" : "%s.slide_x", j->name),
                            &m->parts.frame[j->a], &m->parts.frame[j->b], i);
  }
  return j->along[i];
}

int gradyn_joint_coordinate(gradyn_model *model, int joint, gradyn_coordinate_kind kind)
{
  gradyn_mbs *m = mbs_of(model);
  mbs_joint *j = mbs_check_joint(m, "the coordinate of a joint", joint);
  if (!j)
    return 0;
  switch (kind) {
  case GRADYN_ANGLE:
    return gradyn_id(model, joint_angle(m, j));
  case GRADYN_SLIDE:
    return gradyn_id(model, joint_slide(m, j));
  case GRADYN_SLIDE_X:
  case GRADYN_SLIDE_Y:
    return gradyn_id(model, joint_slide_along(m, j, kind == GRADYN_SLIDE_Y));
  }
  gradyn_build_error(model, "joint %s: coordinate kind %d does not exist", j->name, (int)kind);
  return 0;
}

/* Declares the second angle of a universal joint: from x of b to z of a, about z of b. */
static void add_angle_b(gradyn_mbs *m, mbs_joint *j)
{
  if (j->angle_b >= 0)
    return;
  j->angle_b_row = m->row_cursor[MBS_IN_MOTION];
  j->angle_b = add_angle(m, gradyn_format_name(m->model, "%s.angle_b", j->name),
                         &m->parts.frame[j->b], &m->parts.frame[j->a], 2);
}

void mbs_joint_coordinates(gradyn_mbs *m, mbs_joint *j)
{
  if (!j)
    return;
  const bool cylinder = j->kind == GRADYN_CYLINDRICAL || j->kind == GRADYN_SCREW;
  if (cylinder || j->kind == GRADYN_REVOLUTE || j->kind == GRADYN_UNIVERSAL ||
      j->kind == GRADYN_PLANAR)
    joint_angle(m, j);
  if (cylinder || j->kind == GRADYN_PRISMATIC)
    joint_slide(m, j);
  for (int k = 0; k < 2 && j->kind == GRADYN_PLANAR; k++)
    joint_slide_along(m, j, k);
  if (j->kind == GRADYN_UNIVERSAL)
    add_angle_b(m, j);
}

/* Checks that a and b are two different frames; false after a build error. */
static bool check_pair(gradyn_mbs *m, const char *name, int a, int b, mbs_frame *frame[2])
{
  frame[0] = mbs_check_frame(m, name, a);
  frame[1] = mbs_check_frame(m, name, b);
  if (!frame[0] || !frame[1] || !mbs_check_name(m, name))
    return false;
  if (a == b)
    gradyn_build_error(m->model,
                       "%s measures from %s to the same frame: it needs two different frames", name,
                       frame[0]->name);
  return a != b;
}

/* Declares the angle between two frames, whether a joint connects them or not. */
static int frame_angle(gradyn_mbs *m, const char *name, int a, int b)
{
  if (!m)
    return -1;
  const char *own = gradyn_own_name(m->model, name, "angle");
  mbs_frame *frame[2];
  if (!check_pair(m, own, a, b, frame))
    return -1;
  if (m->dim == 3 && frame[0]->body == MBS_BAR_FRAME) {
    gradyn_build_error(m->model,
                       "%s: the frame of rod %s has no direction normal to its axis, which the "
                       "measurement needs",
                       own, frame[0]->name);
    return -1;
  }
  return add_angle(m, own, frame[0], frame[1], pointer_of(m, frame[1]));
}

static int frame_slide(gradyn_mbs *m, const char *name, int a, int b)
{
  if (!m)
    return -1;
  const char *own = gradyn_own_name(m->model, name, "slide");
  mbs_frame *frame[2];
  return check_pair(m, own, a, b, frame) ? add_slide(m, own, frame[0], frame[1], axis_of(m)) : -1;
}

int gradyn_frame_coordinate(gradyn_model *model, const char *name, int a, int b,
                            gradyn_coordinate_kind kind)
{
  gradyn_mbs *m = mbs_of(model);
  if (kind == GRADYN_ANGLE)
    return gradyn_id(model, frame_angle(m, name, a, b));
  if (kind == GRADYN_SLIDE)
    return gradyn_id(model, frame_slide(m, name, a, b));
  gradyn_build_error(model,
                     "%s: coordinate kind %d is not possible between two frames; use GRADYN_ANGLE "
                     "or GRADYN_SLIDE",
                     name ? name : "coordinate", (int)kind);
  return 0;
}

/* --- gears ------------------------------------------------------------------------------------ */

/* Couples two joint coordinates at a constant ratio, relative to their initial values. */
int gradyn_gear(gradyn_model *model, const char *name, int first, int second, gradyn_scalar ratio)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = gradyn_own_name(model, name, "gear");
  const mbs_point *c1 = mbs_check_coordinate(m, own, first);
  const mbs_point *c2 = c1 ? mbs_check_coordinate(m, own, second) : NULL;
  if (!c2)
    return 0;
  /* [first is an angle][second is an angle] */
  static const char *const unit[2][2] = {{"", "rad/m"}, {"m/rad", ""}};
  /* Declares second = ratio first + offset, which is satisfied at the start. */
  first = (int)(c1 - m->point);
  second = (int)(c2 - m->point);
  gradyn_scalar offset = initial_coordinate(m, second) - ratio * initial_coordinate(m, first);
  const gradyn_datum data[] = {{"ratio", unit[c1->angle][c2->angle], ratio},
                               {"offset", c2->angle ? "rad" : "m", offset}};
  mbs_element e = mbs_pair(&mbs_gear_ops, first, second);
  e.data_count = 2;
  e.datum = gradyn_model_data(model, own, data, 2);
  return gradyn_id(model, mbs_add_row(m, &e, own));
}

const char *gradyn_coordinates_declared(const gradyn_model *model)
{
  return model && model->settings.joint_coordinates ? "joint" : "natural";
}
