/* Joints between two frames, made of independent constraints: origins coincide, r_b - r_a = 0; guides,
 * u.(r_b - r_a) = 0 for a direction u of a; normals, u.w = 0 for a direction u of a and w of b. If triads
 * coincide, u.w for different letters is proportional to a small rotation of b about the third letter: each
 * normal prevents one rotation. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/joints/coordinate.h"

mbs_joint *mbs_check_joint(gradyn_mbs *m, const char *element, int joint)
{
  const int k = !m ? -1
                   : gradyn_index(m->model, element, "joint", joint,
                                  gradyn_declared(m->parts.joint_cursor, m->parts.joints));
  return k < 0 ? NULL : &m->parts.joint[k];
}

/* The constraints of a kind of joint; letters stand for directions of its frames. */
typedef struct recipe {
  const char *kind;
  bool coincide;      /* origins coincide */
  const char *guide;  /* directions of a along which the origins stay together */
  const char *normal; /* pairs: directions of a and of b that stay normal to each other */
  const char *alike;  /* directions that must be within 90 degrees at the initial time */
  bool slender;       /* b may be a rod: then z of b is normal to z of a, instead of the pairs */
} recipe;

static const recipe in_space[] = {
    [GRADYN_FIXED] = {"fixed", true, "", "xyyzzx", "xyz", false},
    [GRADYN_REVOLUTE] = {"revolute", true, "", "xzyz", "z", true},
    [GRADYN_PRISMATIC] = {"prismatic", false, "xy", "xyyzzx", "xyz", false},
    [GRADYN_CYLINDRICAL] = {"cylindrical", false, "xy", "xzyz", "z", true},
    [GRADYN_SCREW] = {"screw", false, "xy", "xzyz", "z", false},
    [GRADYN_SPHERICAL] = {"spherical", true, "", "", "", true},
    [GRADYN_UNIVERSAL] = {"universal", true, "", "zz", "", false},
    [GRADYN_PLANAR] = {"planar", false, "z", "xzyz", "z", true},
    [GRADYN_POINT_ON_LINE] = {"point-on-line", false, "xy", "", "", true},
    [GRADYN_POINT_ON_PLANE] = {"point-on-plane", false, "z", "", "", true},
    [GRADYN_CONSTANT_LENGTH] = {"constant length", false, "", "", "", true}};

/* In the plane the guide is across x of a, and x of b stays parallel to x of a. */
static const recipe in_plane[] = {
    [GRADYN_FIXED] = {"fixed", true, "", "xx", "x", true},
    [GRADYN_REVOLUTE] = {"revolute", true, "", "", "", true},
    [GRADYN_PRISMATIC] = {"prismatic", false, "x", "xx", "x", true},
    [GRADYN_POINT_ON_LINE] = {"point-on-line", false, "x", "", "", true},
    [GRADYN_CONSTANT_LENGTH] = {"constant length", false, "", "", "", true}};

const char *mbs_joint_kind(gradyn_joint_kind kind)
{
  return in_space[kind].kind;
}

/* The constraints of a kind in the mechanism's dimension; NULL after a build error. */
static const recipe *find_recipe(gradyn_mbs *m, const char *name, gradyn_joint_kind kind)
{
  if ((int)kind < 0 || kind > GRADYN_CONSTANT_LENGTH) {
    gradyn_build_error(m->model, "%s: there is no joint of kind %d", name, (int)kind);
    return NULL;
  }
  /* not all kinds exist in the plane */
  if (m->dim == 3)
    return &in_space[kind];
  if (in_plane[kind].kind)
    return &in_plane[kind];
  gradyn_build_error(m->model, "%s: a %s joint needs a spatial mechanism, and this one is planar",
                     name, in_space[kind].kind);
  return NULL;
}

/* --- redundant constraints -------------------------------------------------------------------- */

/* Body to which a point is fixed: its number, GRADYN_GROUND, or MBS_BAR_FRAME for none. Points of bodies are
 * numbered in the order of bodies. The carrier can therefore belong only to the last body whose first point
 * is not after the carrier. */
static int body_of(const gradyn_mbs *m, int point)
{
  const mbs_point *p = &m->point[point];
  const int carrier = p->kind == MBS_ATTACHED ? p->carrier[0].point : point;
  int first = 0, end = m->parts.bodies; /* the body is in this range */
  if (mbs_on_ground(m, point))
    return GRADYN_GROUND;
  while (end - first > 1) {
    const int middle = first + (end - first) / 2;
    if (m->parts.body[middle].point[0] <= carrier)
      first = middle;
    else
      end = middle;
  }
  return first < end && mbs_belongs(m, point, &m->parts.body[first]) ? first : MBS_BAR_FRAME;
}

/* Whether two origins are rigidly connected already, so that no constraint is needed. */
static bool connected(gradyn_mbs *m, const char *name, int a, int b)
{
  if (a == b)
    return true;
  /* both are points of one body, or of the ground */
  int body = body_of(m, a);
  if (body == MBS_BAR_FRAME || body != body_of(m, b))
    return false;
  gradyn_scalar r[2][3];
  double apart = 0, size = 1;
  mbs_initial_position(m, a, r[0]);
  mbs_initial_position(m, b, r[1]);
  for (int k = 0; k < m->dim; k++) {
    apart = hypot(apart, creal(r[1][k] - r[0][k]));
    size = hypot(size, creal(r[0][k]));
  }
  /* rigidly connected at a distance: cannot coincide */
  if (apart > 1e-9 * size)
    gradyn_build_error(m->model,
                       "%s: the frames %s and %s are fixed to the same body, %g m apart, so no "
                       "joint can make them coincide",
                       name, m->point[a].name, m->point[b].name, apart);
  return true;
}

/* --- constraints ------------------------------------------------------------------------------ */

/* Adds u.(b - a) = 0: the origins stay together along direction i of a. */
static void add_guide(gradyn_mbs *m, const char *name, mbs_frame *a, const mbs_frame *b, int i)
{
  static const char *const part[3] = {"along_x", "along_y", "along_z"};
  mbs_element e = {.ops = m->dim == 2 ? &mbs_across_ops : &mbs_along_ops,
                   .points = 3,
                   .point = {mbs_frame_direction(m, a, i), a->origin, b->origin}};
  mbs_add_row(m, &e,
              gradyn_format_name(m->model, "%s.%s", name, m->dim == 2 ? "across_x" : part[i]));
}

/* Adds a constraint that keeps direction i of a normal to direction j of b. */
static void add_normal(gradyn_mbs *m, const char *name, mbs_frame *a, int i, mbs_frame *b, int j)
{
  static const char letter[] = "xyz";
  int u = mbs_frame_direction(m, a, i), w = mbs_frame_direction(m, b, j);
  /* in the plane, the directions are kept parallel instead: there is no third direction */
  mbs_element e = mbs_pair(m->dim == 2 ? &mbs_parallel_ops : &mbs_dot_ops, u, w);
  mbs_add_row(m, &e, gradyn_format_name(m->model, "%s.%c%c", name, letter[i], letter[j]));
}

/* Adds the constraints of a joint; returns whether the origins coincide without them. */
static bool add_rows(gradyn_mbs *m, const char *name, const recipe *kind, mbs_frame *a,
                     mbs_frame *b)
{
  if (kind == &in_space[GRADYN_CONSTANT_LENGTH] || kind == &in_plane[GRADYN_CONSTANT_LENGTH])
    gradyn_distance(
        m->model, name, gradyn_id(m->model, a->origin), gradyn_id(m->model, b->origin),
        &(gradyn_time_function){.value = mbs_initial_distance(m, a->origin, b->origin)});
  bool loose = kind->coincide && connected(m, name, a->origin, b->origin);
  if (kind->coincide && !loose)
    mbs_join(m, name, a->origin, b->origin);
  for (const char *guide = kind->guide; *guide; guide++)
    add_guide(m, name, a, b, *guide - 'x');
  /* a rod has one direction: z.z = 0 replaces two normals */
  bool slender = m->dim == 3 && b->body == MBS_BAR_FRAME;
  for (const char *pair = slender && *kind->normal ? "zz" : kind->normal; *pair; pair += 2)
    add_normal(m, name, a, pair[0] - 'x', b, pair[1] - 'x');
  return loose;
}

/* --- checks ----------------------------------------------------------------------------------- */

/* Whether two frames belong to the same body. Frames of rods have no body: the ends of their rods are
 * compared. */
static bool same_body(const mbs_frame *a, const mbs_frame *b)
{
  return a->body == MBS_BAR_FRAME ? b->body == MBS_BAR_FRAME && a->from == b->from && a->to == b->to
                                  : a->body == b->body;
}

/* Whether the kind can join these frames; false after a build error. */
static bool check_frames(gradyn_mbs *m, const char *name, const recipe *kind, const mbs_frame *a,
                         const mbs_frame *b)
{
  if (same_body(a, b)) {
    gradyn_build_error(m->model, "%s joins %s with itself", name,
                       a->body >= 0               ? m->parts.body[a->body].name
                       : a->body == MBS_BAR_FRAME ? a->name
                                                  : "the ground");
    return false;
  }
  bool bar_a = a->body == MBS_BAR_FRAME, bar_b = b->body == MBS_BAR_FRAME;
  if (m->dim == 3 && ((bar_a && (*kind->guide || *kind->normal)) || (bar_b && !kind->slender))) {
    gradyn_build_error(m->model,
                       "%s: the %s joint needs directions normal to its axis, which the frame of "
                       "rod %s does not have",
                       name, kind->kind, bar_a ? a->name : b->name);
    return false;
  }
  /* directions that must be close at the start */
  for (int i = 0; i < 3 && !(m->dim == 3 && bar_b); i++) {
    /* at 90 degrees or more, the constraints could be satisfied in the opposite direction */
    double cosine = 0;
    for (int k = 0; k < m->dim; k++)
      cosine += creal(a->triad[i][k] * b->triad[i][k]);
    if (strchr(kind->alike, 'x' + i) && a->has_axis && b->has_axis && !(cosine > 1e-3))
      gradyn_build_error(m->model,
                         "%s: the directions %c of %s and %s are %.3g degrees apart at the start; "
                         "the joint needs less than 90 degrees",
                         name, 'x' + i, a->name, b->name,
                         acos(fmax(cosine, -1)) * 57.29577951308232);
  }
  return true;
}

/* --- declarations ----------------------------------------------------------------------------- */

/* Stores a joint (first build), or resets its coordinates (later builds); returns its number. */
static int store(gradyn_mbs *m, const char *name, const mbs_joint *joint)
{
  int number = m->parts.joint_cursor++;
  /* coordinates of joints are declared again as well */
  if (m->model->finalised) {
    if (number < m->parts.joints)
      m->parts.joint[number].angle = m->parts.joint[number].angle_b = m->parts.joint[number].slide =
          -1;
    for (int k = 0; k < 2 && number < m->parts.joints; k++)
      m->parts.joint[number].along[k] = -1;
    return gradyn_id(m->model, number);
  }
  mbs_joint *own = gradyn_model_append(m->model, &m->parts.joint, &m->parts.joints, sizeof *own,
                                       joint);
  if (own)
    own->name = gradyn_model_copy_name(m->model, name);
  return own ? gradyn_id(m->model, number) : 0;
}

int gradyn_joint(gradyn_model *model, const gradyn_joint_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_joint()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "joint");
  mbs_frame *a = mbs_check_frame(m, name, spec->a);
  mbs_frame *b = a ? mbs_check_frame(m, name, spec->b) : NULL;
  if (!b || !mbs_check_name(m, name))
    return 0;
  const recipe *kind = find_recipe(m, name, spec->kind);
  /* exchanges the frames: the rod must be b, because the axis is a direction of a */
  if (kind && m->dim == 3 && spec->kind == GRADYN_REVOLUTE && a->body == MBS_BAR_FRAME) {
    mbs_frame *other = a;
    a = b;
    b = other;
  }
  if (!kind || !check_frames(m, name, kind, a, b))
    return 0;
  mbs_joint joint = {.kind = spec->kind,
                     .cut = spec->cut,
                     .a = (int)(a - m->parts.frame),
                     .b = (int)(b - m->parts.frame),
                     .first = m->row_cursor[MBS_IN_MOTION],
                     .angle = -1,
                     .slide = -1,
                     .angle_row = -1,
                     .angle_b = -1,
                     .angle_b_row = -1,
                     .slide_row = -1,
                     .along = {-1, -1},
                     .along_row = {-1, -1}};
  if (!gradyn_modes_check(model, name, spec->modes))
    return 0;
  const unsigned scope = model->modes.scope;
  model->modes.scope = spec->modes ? spec->modes : scope;
  joint.loose = add_rows(m, name, kind, a, b);
  /* constraints of a joint are consecutive */
  joint.rows = m->row_cursor[MBS_IN_MOTION] - joint.first;
  int number = store(m, name, &joint);
  if (spec->kind == GRADYN_SCREW) {
    /* slide = pitch/(2 pi) angle */
    int angle = gradyn_joint_coordinate(model, number, GRADYN_ANGLE),
        slide = gradyn_joint_coordinate(model, number, GRADYN_SLIDE);
    gradyn_gear(model, gradyn_format_name(model, "%s.thread", name), angle, slide,
                spec->pitch / (2 * 3.14159265358979323846));
  }
  /* declares coordinates for the joint tree, which has only joints that are active in all modes */
  if (model->settings.joint_coordinates && !spec->cut && model->modes.scope == 0 && m->dim == 3 &&
      a->body != MBS_BAR_FRAME && b->body != MBS_BAR_FRAME)
    mbs_joint_coordinates(m, mbs_check_joint(m, name, number));
  model->modes.scope = scope;
  return number;
}

/* Declares a joint at a position, and two frames for it. */
int gradyn_joint_between(gradyn_model *model, const gradyn_joint_between_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_joint_between()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "joint");
  if (!m || !mbs_check_name(m, name))
    return 0;
  gradyn_frame_spec frame[2];
  int number[2];
  /* in the plane any initial direction defines an angle; in space the direction of the axis matters */
  const bool any = m->dim == 2 && (spec->kind == GRADYN_REVOLUTE || spec->kind == GRADYN_FIXED);
  const bool given = spec->axis[0] != 0 || spec->axis[1] != 0;
  /* two frames at one position, with the same directions except for universal joints */
  for (int k = 0; k < 2; k++) {
    frame[k] = (gradyn_frame_spec){.name = gradyn_format_name(model, "%s.%c", name, 'a' + k),
                                   .body = k ? spec->body_b : spec->body_a};
    bool second = k == 1 && spec->kind == GRADYN_UNIVERSAL;
    memcpy(frame[k].origin, spec->position, sizeof spec->position);
    memcpy(frame[k].axis, second ? spec->axis_b : spec->axis, sizeof spec->axis);
    memcpy(frame[k].side, second ? (gradyn_scalar[3]){0} : spec->side, sizeof spec->side);
    if (any && !given)
      frame[k].axis[0] = 1;
    number[k] = gradyn_frame(model, &frame[k]);
    if (model->failed) /* a joint of missing frames would only repeat the error */
      return 0;
  }
  return gradyn_joint(model, &(gradyn_joint_spec){.name = name,
                                                  .kind = spec->kind,
                                                  .a = number[0],
                                                  .b = number[1],
                                                  .pitch = spec->pitch,
                                                  .cut = spec->cut,
                                                  .modes = spec->modes});
}
