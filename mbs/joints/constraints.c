/* Declaring constraints of the motion and what is held at the initial time.
 *
 * Each function checks what it is given, declares the data of the law s(t) (or of what is held),
 * and adds an element with the kernel of its kind. What is held belongs to the initial time:
 * rows of their own (MBS_AT_START), which decide positions and velocities there and take no part
 * in the motion. */
#include <complex.h>

#include <gradyn/events.h>

#include "mbs/joints/coordinate.h"

static const char *const lengths[] = {"m", "m/s", "m/s^2"};
static const char *const angles[] = {"rad", "rad/s", "rad/s^2"};

/* An element with a law behind it. */
static int declare(gradyn_model *model, const char *name, const mbs_element *prototype,
                   const char *const unit[3], const gradyn_law *law)
{
  gradyn_mbs *m = mbs_of(model);
  mbs_element element = *prototype;
  name = name ? name : prototype->ops->kind;
  /* data in the order of the law, units for the value and its rates */
  element.datum = mbs_declare_law(m, name, unit, law, &element);
  return mbs_add_row(m, &element, name);
}

/* Both points of a pair. */
static bool check_pair(gradyn_model *model, const char *name, int from, int to)
{
  gradyn_mbs *m = mbs_of(model);
  return m && mbs_check_point(m, name, from) && mbs_check_point(m, name, to);
}

/* |b - a| = s(t), written as (r.r/s - s)/2 for size: see the kernel. */
int gradyn_distance(gradyn_model *model, const char *name, int from, int to, const gradyn_law *law)
{
  if (!check_pair(model, name, from, to))
    return 0;
  if (!law || !(creal(law->value) > 0)) /* w = 1/s in Phi */
    gradyn_build_error(model, "%s: the distance is %g m: it must be positive", name,
                       law ? creal(law->value) : 0.0);
  mbs_element prototype = mbs_pair(&mbs_distance_ops, from, to);
  return declare(model, name, &prototype, lengths, law);
}

int gradyn_angle(gradyn_model *model, const char *name, int from, int to, const gradyn_law *law)
{
  /* the normal is defined in the plane only */
  if (!check_pair(model, name, from, to) || !mbs_use_dimension(mbs_of(model), name, 2))
    return 0;
  mbs_element prototype = mbs_pair(&mbs_angle_ops, from, to);
  return declare(model, name, &prototype, angles, law);
}

/* Phi = x - s(t). */
static mbs_element coordinate_prototype(int point, gradyn_axis axis)
{
  return (mbs_element){.ops = &mbs_coordinate_ops, .points = 1, .point = {point}, .axis = axis};
}

int gradyn_coordinate(gradyn_model *model, const char *name, int point, gradyn_axis axis,
                      const gradyn_law *law)
{
  if (!check_pair(model, name, point, point) || !mbs_check_axis(mbs_of(model), name, axis))
    return 0;
  mbs_element prototype = coordinate_prototype(point, axis);
  return declare(model, name, &prototype, lengths, law);
}

int gradyn_drive_joint(gradyn_model *model, const char *name, int coordinate, const gradyn_law *law)
{
  const mbs_point *c = mbs_check_coordinate(mbs_of(model), name, coordinate);
  if (!c)
    return 0;
  mbs_element prototype = coordinate_prototype(coordinate, GRADYN_X);
  return declare(model, name, &prototype, c->angle ? angles : lengths, law);
}

/* --- captured by events ------------------------------------------------------------------------- */

/* What the constraint has when its mode is entered is kept from there on: a datum that the jump
 * fills. */
void gradyn_capture_constraint(gradyn_model *model, int constraint)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m)
    return;
  /* the first build has them in the order of declaration, among others */
  const mbs_element *found = NULL;
  for (int i = 0, row = 0; i < m->constraints.count && !found; i++)
    if (m->constraints.item[i].when == MBS_IN_MOTION && row++ == constraint)
      found = &m->constraints.item[i];
  if (!found || constraint < 0 || constraint >= m->row_cursor[MBS_IN_MOTION])
    gradyn_build_error(model, "constraint %d, which is to be captured, has not been declared",
                       constraint);
  else if (found->ops->psi_v)
    gradyn_build_error(model, "%s is of velocities alone: it has no place that could be captured",
                       found->name);
  else
    gradyn_model_capture(model, found->name, constraint, found->modes.bits);
}

/* --- held at the initial time ----------------------------------------------------------------- */

/* A value and a rate, no law. */
static void hold(gradyn_model *model, const char *name, mbs_element *prototype,
                 const char *const unit[3], gradyn_scalar value, gradyn_scalar rate)
{
  const gradyn_law law = {.value = value, .rate = rate};
  prototype->when = MBS_AT_START;
  declare(model, name, prototype, unit, &law);
}

void gradyn_hold_distance(gradyn_model *model, const char *name, int from, int to,
                          gradyn_scalar value, gradyn_scalar rate)
{
  if (!check_pair(model, name, from, to))
    return;
  mbs_element prototype = mbs_pair(&mbs_distance_ops, from, to);
  hold(model, name, &prototype, lengths, value, rate);
}

void gradyn_hold_angle(gradyn_model *model, const char *name, int from, int to, gradyn_scalar value,
                       gradyn_scalar rate)
{
  if (!check_pair(model, name, from, to) || !mbs_use_dimension(mbs_of(model), name, 2))
    return;
  mbs_element prototype = mbs_pair(&mbs_angle_ops, from, to);
  hold(model, name, &prototype, angles, value, rate);
}

/* Holds one coordinate at the value that the declaration of its point gives, for the start
 * alone. */
void gradyn_hold_coordinate(gradyn_model *model, int point, gradyn_axis axis)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_check_point(m, "a held coordinate", point) ||
      !mbs_check_axis(m, "a held coordinate", axis))
    return;
  if (m->point[point].kind != MBS_MOVING) {
    gradyn_build_error(model, "%s is %s: there is nothing to hold", m->point[point].name,
                       m->point[point].kind == MBS_GROUND ? "a ground point"
                                                          : "attached to other points");
    return;
  }
  /* its values are the data of the point itself: two inputs, the coordinate and its velocity */
  mbs_element prototype = coordinate_prototype(point, axis);
  prototype.when = MBS_AT_START;
  prototype.source = MBS_FROM_POINT;
  mbs_add_row(m, &prototype, m->point[point].name);
}

void gradyn_hold_joint(gradyn_model *model, const char *name, int coordinate, gradyn_scalar value,
                       gradyn_scalar rate)
{
  const mbs_point *c = mbs_check_coordinate(mbs_of(model), name, coordinate);
  if (!c)
    return;
  mbs_element prototype = coordinate_prototype(coordinate, GRADYN_X);
  hold(model, name, &prototype, c->angle ? angles : lengths, value, rate);
}

/* The start is where all forces balance, instead of where the points were put. */
void gradyn_start_in_equilibrium(gradyn_model *model)
{
  gradyn_mbs *m = mbs_of(model);
  if (m && !model->sealed)
    m->mech.begin.balanced = true;
  else if (m && !m->mech.begin.balanced)
    gradyn_build_error(model,
                       "it starts in equilibrium, as it did not when it was built first: the "
                       "structure of a model may not depend on parameters");
}
