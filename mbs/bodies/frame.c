/* Frames: a point and directions of a body, of the ground or of a rod. A direction becomes a point of the
 * mechanism when a joint needs it; joints are in frame_joints.c. */
#include "mbs/bodies/frame.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"

static const char *const letter[3] = {"x", "y", "z"};

/* Stores a frame (first build) or updates it (later builds); returns its number. */
static int store(gradyn_mbs *m, const char *name, const mbs_frame *frame)
{
  /* frames have the same number in each build */
  int number = m->parts.frame_cursor++;
  if (m->model->finalised) {
    if (number < m->parts.frames) {
      /* later builds replace all members but the name */
      char *keep = m->parts.frame[number].name;
      m->parts.frame[number] = *frame;
      m->parts.frame[number].name = keep;
    }
    return gradyn_id(m->model, number);
  }
  mbs_frame *own = gradyn_model_append(m->model, &m->parts.frame, &m->parts.frames, sizeof *own,
                                       frame);
  if (own)
    own->name = gradyn_model_copy_name(m->model, name);
  return own ? gradyn_id(m->model, number) : 0;
}

mbs_frame *mbs_check_frame(gradyn_mbs *m, const char *element, int frame)
{
  const int k = !m ? -1
                   : gradyn_index(m->model, element, "frame", frame,
                                  gradyn_declared(m->parts.frame_cursor, m->parts.frames));
  return k < 0 ? NULL : &m->parts.frame[k];
}

/* --- directions at the initial time ----------------------------------------------------------- */

/* Whether a vector is (0, 0, 0), which counts as not given. */
static bool is_zero(int dim, const gradyn_scalar *v)
{
  for (int k = 0; k < dim; k++)
    if (creal(v[k]) != 0)
      return false;
  return true;
}

/* Sets x of the triad along the component of `side` normal to z, and y normal to x and z. Returns false if
 * `side` is parallel to z. */
static bool turn_to_side(const gradyn_scalar *side, gradyn_scalar triad[3][3])
{
  gradyn_scalar part = 0, square = 0, whole = 0;
  for (int k = 0; k < 3; k++) {
    part += side[k] * triad[2][k]; /* side.z */
    whole += side[k] * side[k];
  }
  /* side minus its part along z */
  for (int k = 0; k < 3; k++) {
    triad[0][k] = side[k] - part * triad[2][k];
    square += triad[0][k] * triad[0][k];
  }
  for (int k = 0; k < 3; k++)
    triad[0][k] /= csqrt(square);
  for (int k = 0; k < 3; k++) /* y = z x x */
    triad[1][k] = triad[2][(k + 1) % 3] * triad[0][(k + 2) % 3] -
                  triad[2][(k + 2) % 3] * triad[0][(k + 1) % 3];
  return creal(square) > 1e-12 * creal(whole);
}

/* Number of the body's base vector that is direction i of an aligned frame. */
static int base_number(const gradyn_mbs *m, const mbs_frame *frame, int i)
{
  /* a cyclic shift: the axis of a frame is its x in the plane, its z in space */
  return (frame->along + (m->dim == 2 ? i : i + 1)) % m->dim;
}

/* Sets x, y, z of the frame at the start, in axes of the ground. */
static void set_triad(gradyn_mbs *m, const gradyn_frame_spec *spec, const char *name,
                      mbs_frame *frame)
{
  gradyn_scalar normal[2][3] = {{0}}, axis[3];
  memcpy(axis, spec->axis, sizeof axis);
  frame->has_axis = spec->aligned || !is_zero(m->dim, axis);
  /* aligned frames use the body's base vectors */
  if (spec->aligned) {
    for (int i = 0; i < 3; i++)
      frame->triad[i][base_number(m, frame, i)] = 1;
    return;
  }
  if (!frame->has_axis)
    return;
  mbs_find_normals(m, axis, normal);
  /* the axis of a frame is its x in the plane, its z in space */
  memcpy(frame->triad[m->dim == 2 ? 0 : 2], axis, sizeof axis);
  memcpy(frame->triad[m->dim == 2 ? 1 : 0], normal[0], sizeof axis);
  if (m->dim == 2)
    return;
  memcpy(frame->triad[1], normal[1], sizeof axis);
  /* if no side is given, any normals are valid */
  if (!is_zero(3, spec->side) && !turn_to_side(spec->side, frame->triad))
    gradyn_build_error(m->model,
                       "%s: its side is parallel to its axis; it must have a component normal to "
                       "the axis",
                       name);
}

/* --- declarations ----------------------------------------------------------------------------- */

/* Checks body, axes and name; false after a build error. */
static bool check_spec(gradyn_mbs *m, const gradyn_frame_spec *spec, const char *name)
{
  /* a frame of the ground does not determine the dimension */
  if (m->dim == 0) {
    gradyn_build_error(m->model,
                       "%s: it is not known yet whether the mechanism is planar or spatial. "
                       "Declare a point, a body or gravity first",
                       name);
    return false;
  }
  if (spec->body != GRADYN_GROUND && !mbs_check_body(m, name, spec->body))
    return false;
  if (spec->aligned && !mbs_check_axis(m, name, spec->along))
    return false;
  /* directions may have any length, but must be finite */
  const gradyn_scalar *const direction[] = {spec->axis, spec->side};
  for (int i = 0; i < 2; i++) {
    const gradyn_scalar *d = direction[i];
    if (isfinite(creal(d[0] + d[1] + d[2])))
      continue;
    gradyn_build_error(m->model, "%s: its %s (%g, %g, %g) is no direction", name,
                       i ? "side" : "axis", creal(d[0]), creal(d[1]), creal(d[2]));
    return false;
  }
  return mbs_check_name(m, name);
}

/* Declares a frame. Directions become points when a joint needs them. */
int gradyn_frame(gradyn_model *model, const gradyn_frame_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_frame()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "frame");
  if (!m || !check_spec(m, spec, name))
    return 0;
  const bool fixed = spec->body == GRADYN_GROUND;
  mbs_frame frame = {.body = fixed ? GRADYN_GROUND : spec->body - gradyn_first_id(model),
                     .direction = {-1, -1, -1},
                     .aligned = spec->aligned,
                     .along = (int)spec->along};
  /* the user gives at most two directions; this adds the others */
  set_triad(m, spec, name, &frame);
  /* the origin is fixed to the ground, or to the body at its initial position */
  if (fixed)
    frame.origin = mbs_add_point(m, name, &(mbs_point){.kind = MBS_GROUND}, spec->origin);
  else
    frame.origin = mbs_body_point(m, name, &m->parts.body[frame.body], spec->origin);
  return model->exhausted ? 0 : store(m, name, &frame);
}

/* Declares a frame along a rod between two points. In space only the direction along the rod exists; in the
 * plane both directions exist. */
int gradyn_rod_frame(gradyn_model *model, const char *name, int from, int to)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = gradyn_own_name(model, name, "frame");
  if (!m || !mbs_take_point(m, own, from, &from) || !mbs_take_point(m, own, to, &to) ||
      !mbs_check_name(m, own))
    return 0;
  if (from == to)
    gradyn_build_error(model, "%s: the two points of a rod must differ", own);
  /* an attached end would make directions depend on attached points */
  for (int k = 0; k < 2; k++)
    if (m->point[k ? to : from].kind == MBS_ATTACHED) {
      gradyn_build_error(model,
                         "%s: %s is attached to other points; declare the frame between points "
                         "that are not attached",
                         own, m->point[k ? to : from].name);
      return 0;
    }
  int main = m->dim == 2 ? 0 : 2; /* direction along the rod */
  mbs_frame frame = {.body = MBS_BAR_FRAME,
                     .origin = from,
                     .direction = {-1, -1, -1},
                     .from = from,
                     .to = to,
                     .has_axis = true};
  gradyn_scalar a[3], b[3], length = mbs_initial_distance(m, from, to);
  mbs_initial_position(m, from, a);
  mbs_initial_position(m, to, b);
  if (!(creal(length) > 0) && !model->failed)
    gradyn_build_error(model, "%s: its points coincide, so the rod has no direction", own);
  /* unit length at the start; the constraint of the rod keeps the length */
  for (int k = 0; k < m->dim && creal(length) > 0; k++)
    frame.triad[main][k] = (b[k] - a[k]) / length;
  return model->exhausted ? 0 : store(m, own, &frame);
}

int gradyn_frame_point(gradyn_model *model, int frame)
{
  const mbs_frame *f = mbs_check_frame(mbs_of(model), "the origin of a frame", frame);
  return f ? gradyn_id(model, f->origin) : 0;
}

/* Declares the direction (r_to - r_from)/L of a rod, with the datum 1/L. */
static int bar_direction(gradyn_mbs *m, const mbs_frame *frame, const char *name)
{
  gradyn_scalar length = mbs_initial_distance(m, frame->from, frame->to);
  int datum = gradyn_model_datum(m->model, frame->name, "per_length", "1/m", 1 / length);
  const mbs_carrier carrier[2] = {{frame->to, 0, 1, datum, 0}, {frame->from, 0, -1, datum, 0}};
  return mbs_attach_point(m, name, true, 2, carrier);
}

/* Returns direction i of a frame as a point of the mechanism, which the first call declares. */
int mbs_frame_direction(gradyn_mbs *m, mbs_frame *frame, int i)
{
  if (frame->direction[i] >= 0) /* declared by an earlier call */
    return frame->direction[i];
  const mbs_body *body = frame->body >= 0 ? &m->parts.body[frame->body] : NULL;
  const char *name = gradyn_format_name(m->model, "%s.axis_%s", frame->name, letter[i]);
  if (!frame->has_axis)
    gradyn_build_error(m->model, "%s has no axis, which its joint needs: (0, 0, 0) is no direction",
                       frame->name);
  frame->has_axis = true; /* so that the message appears only once */
  if (frame->body == MBS_BAR_FRAME)
    frame->direction[i] = bar_direction(m, frame, name);
  else if (frame->aligned && body)
    frame->direction[i] = body->point[1 + base_number(m, frame, i)];
  else
    frame->direction[i] = mbs_fix_direction(m, name, body, frame->triad[i]);
  return frame->direction[i];
}
