/* Measures of points, joint coordinates, bodies and constraints. A measure is a value with its gradient by
 * state, data and time. functionals_measure.c makes integrals, maxima and end values of measures. */
#include "mbs/measures/measure.h"

#include <math.h>
#include <stdlib.h>

#include "core/model/declare.h"

/* --- the list --------------------------------------------------------------------------------- */

/* Measures are numbered by declaration; functionals and formulas refer to these numbers. */
int mbs_add_measure(gradyn_mbs *m, const char *name, const mbs_measure *prototype)
{
  int number = m->parts.measure_cursor++;
  if (m->model->finalised || !gradyn_model_named(m->model, name, "a measure"))
    return number;
  mbs_measure *own = gradyn_model_append(m->model, &m->parts.measure, &m->parts.measures,
                                         sizeof *own, prototype);
  if (own)
    own->name = gradyn_model_copy_name(m->model, name);
  return own ? number : 0;
}

const mbs_measure *mbs_check_measure(gradyn_mbs *m, const char *element, int measure)
{
  if (m && measure >= 0 && measure < m->parts.measures && measure < m->parts.measure_cursor)
    return &m->parts.measure[measure];
  /* after an error, 0 may be the result of a failed declaration */
  if (m && !(measure == 0 && m->model->failed))
    gradyn_build_error(m->model, "%s: measure %d has not been declared (there are %d)",
                       element ? element : "a functional", measure, m->parts.measure_cursor);
  return NULL;
}

int mbs_output_count(const gradyn_model *model)
{
  return ((const gradyn_mbs *)model->impl)->parts.measures;
}

const char *mbs_output_name(const gradyn_model *model, int i)
{
  return ((const gradyn_mbs *)model->impl)->parts.measure[i].name;
}

const char *mbs_output_unit(const gradyn_model *model, int i)
{
  return ((const gradyn_mbs *)model->impl)->parts.measure[i].unit;
}

gradyn_status mbs_outputs(gradyn_model *model, const gradyn_sample *at, double *out)
{
  gradyn_mbs *m = model->impl;
  double value;
  for (int i = 0; i < m->parts.measures; i++) {
    GRADYN_TRY(mbs_measure_value(m, &m->parts.measure[i], at, &value));
    out[i] = value;
  }
  return GRADYN_OK;
}

gradyn_status mbs_measure_value(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at,
                                double *value)
{
  m->parts.measure_failed = GRADYN_OK;
  *value = s->take(m, s, at, 0, NULL);
  return m->parts.measure_failed;
}

gradyn_status mbs_measure_bar(gradyn_mbs *m, const mbs_measure *s, double weight,
                              const gradyn_sample *at, const gradyn_gradient_out *out)
{
  m->parts.measure_failed = GRADYN_OK;
  (void)s->take(m, s, at, weight, out);
  return m->parts.measure_failed;
}

/* --- points and coordinates ------------------------------------------------------------------- */

enum { POINT, AXIS };

/* A component of a point, or its rates. */
static double component(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, double weight,
                        const gradyn_gradient_out *out)
{
  if (out)
    mbs_component_bar(m, s->index[POINT], s->order, s->index[AXIS], weight, at->y, out);
  return mbs_component(m, s->index[POINT], s->order, s->index[AXIS], at->y);
}

/* Build error unless the order of time derivatives is 0, 1 or 2. */
static bool check_order(gradyn_mbs *m, const char *name, int order)
{
  if (order >= 0 && order <= 2)
    return true;
  gradyn_build_error(m->model, "%s: order %d: there are 0, 1 (rate) and 2 (acceleration)", name,
                     order);
  return false;
}

/* The unit follows from the kind of point. */
static int add_component(gradyn_mbs *m, const char *name, int point, int order, int axis)
{
  /* positions, directions, angles */
  static const char *const unit[3][3] = {
      {"m", "m/s", "m/s^2"}, {"", "1/s", "1/s^2"}, {"rad", "rad/s", "rad/s^2"}};
  const mbs_point *p = &m->point[point];
  return mbs_add_measure(
      m, name,
      &(mbs_measure){.take = component,
                     .unit = unit[p->scalar ? 2 * p->angle : p->direction][order],
                     .index = {point, axis},
                     .order = order});
}

int gradyn_measure_joint(gradyn_model *model, const char *name, int coordinate, int order)
{
  gradyn_mbs *m = mbs_of(model);
  if (!mbs_check_coordinate(m, name, coordinate) || !check_order(m, name, order))
    return 0;
  return add_component(m, name, coordinate, order, 0);
}

/* The state z is the rate of a scalar: order 0 of z is the scalar's velocity. */
int gradyn_measure_state(gradyn_model *model, const char *name, int state, int order)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_check_any_point(m, name ? name : "a measure", state))
    return 0;
  const mbs_point *p = &m->point[state];
  /* orders 0 and 1 only */
  if (!p->state || order < 0 || order > 1) {
    gradyn_build_error(model, "%s: order %d of %s: there are 0 and 1 (rate) of first-order states",
                       name, order, p->name);
    return 0;
  }
  return mbs_add_measure(
      m, name,
      &(mbs_measure){
          .take = component, .unit = p->unit[order + 1], .index = {state, 0}, .order = order + 1});
}

int gradyn_measure_point(gradyn_model *model, const char *name, int point, int order,
                         gradyn_axis axis)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_check_point(m, name, point) || !check_order(m, name, order) ||
      !mbs_check_axis(m, name, axis))
    return 0;
  return add_component(m, name, point, order, (int)axis);
}

/* --- angular velocity ------------------------------------------------------------------------- */

enum { BODY, ABOUT };

/* Angular velocity of a body about axis k of the ground: omega_k = 1/2 sum over the base vectors of (e x
 * e')_k. */
static double rotation_rate(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at,
                            double weight, const gradyn_gradient_out *out)
{
  const mbs_body *body = &m->parts.body[s->index[BODY]];
  const double *y = at->y;
  int k = s->index[ABOUT], i = (k + 1) % 3, j = (k + 2) % 3;
  double sum = 0;
  for (int b = 1; b <= m->dim; b++) {
    /* the sum of e x e' is 2 omega, since base vectors are orthonormal */
    int e = body->point[b];
    double e_i = mbs_component(m, e, 0, i, y), e_j = mbs_component(m, e, 0, j, y);
    double v_i = mbs_component(m, e, 1, i, y), v_j = mbs_component(m, e, 1, j, y);
    sum += (e_i * v_j - e_j * v_i) / 2;
    if (!out) /* value only */
      continue;
    mbs_component_bar(m, e, 0, i, weight * v_j / 2, y, out);
    mbs_component_bar(m, e, 0, j, -weight * v_i / 2, y, out);
    mbs_component_bar(m, e, 1, j, weight * e_i / 2, y, out);
    mbs_component_bar(m, e, 1, i, -weight * e_j / 2, y, out);
  }
  return sum;
}

int gradyn_measure_rotation_rate(gradyn_model *model, const char *name, int body, gradyn_axis axis)
{
  gradyn_mbs *m = mbs_of(model);
  if (!mbs_check_body(m, name, body))
    return 0;
  if ((int)axis < 0 || axis > GRADYN_Z || (m->dim == 2 && axis != GRADYN_Z)) {
    gradyn_build_error(model, "%s: axis %d: %s", name, (int)axis,
                       m->dim == 2 ? "in the plane bodies turn about GRADYN_Z"
                                   : "there are GRADYN_X, GRADYN_Y, GRADYN_Z");
    return 0;
  }
  return mbs_add_measure(
      m, name,
      &(mbs_measure){
          .take = rotation_rate, .unit = "rad/s", .index = {body, (int)axis}, .order = 1});
}

/* --- multipliers ------------------------------------------------------------------------------ */

/* Multiplier lam of a constraint of the motion. */
static double multiplier(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at,
                         double weight, const gradyn_gradient_out *out)
{
  const int state = 3 * m->mech.n + s->index[0];
  if (out && out->y_bar)
    out->y_bar[state * out->stride] += weight;
  return at->y[state];
}

/* The constraint must be declared before, so that its number is known. */
static bool check_constraint(gradyn_mbs *m, const char *name, int constraint)
{
  const int count = m->row_cursor[MBS_IN_MOTION];
  if (constraint >= 0 && constraint < count)
    return true;
  gradyn_build_error(m->model, "%s: constraint %d has not been declared (there are %d)", name,
                     constraint, count);
  return false;
}

static int add_multiplier(gradyn_mbs *m, const char *name, int constraint, mbs_measure_fn *take,
                          const char *unit)
{
  return mbs_add_measure(
      m, name, &(mbs_measure){.take = take, .unit = unit, .index = {constraint}, .order = 3});
}

/* A force or torque; the unit depends on the unit of Phi. */
int gradyn_measure_multiplier(gradyn_model *model, const char *name, int constraint)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !check_constraint(m, name, constraint))
    return 0;
  return add_multiplier(m, name, constraint, multiplier, mbs_motion_unit(m, constraint));
}

/* --- drives ----------------------------------------------------------------------------------- */

/* -lam, of Phi = c - s(t). */
static double drive_along(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at,
                          double weight, const gradyn_gradient_out *out)
{
  return -multiplier(m, s, at, -weight, out);
}

/* -lam |r|, for a driven direction: Phi = r.n, with forces -lam n and lam n on the ends. */
static double drive_angle(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at,
                          double weight, const gradyn_gradient_out *out)
{
  const int *end = m->constraints.item[s->index[0]].point;
  const double *y = at->y, lam = y[3 * m->mech.n + s->index[0]];
  const double r[2] = {mbs_component(m, end[1], 0, 0, y) - mbs_component(m, end[0], 0, 0, y),
                       mbs_component(m, end[1], 0, 1, y) - mbs_component(m, end[0], 0, 1, y)};
  const double length = hypot(r[0], r[1]);
  for (int k = 0; k < 2 && out; k++)
    for (int i = 0; i < 2; i++)
      mbs_component_bar(m, end[i], 0, k, weight * (i == 0 ? lam : -lam) * r[k] / length, y, out);
  return -multiplier(m, s, at, -weight * length, out) * length;
}

int gradyn_measure_drive(gradyn_model *model, const char *name, int constraint)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !check_constraint(m, name, constraint))
    return 0;
  const mbs_element *e = mbs_motion(m, constraint);
  const bool turns = e && e->ops == &mbs_angle_ops;
  if (e && !turns && e->ops != &mbs_coordinate_ops &&
      (e->ops != &mbs_distance_ops || e->source != MBS_FROM_LAW))
    gradyn_build_error(model, "%s: %s has no drive: it is a %s", name, e->name, e->ops->kind);
  return add_multiplier(m, name, constraint, turns ? drive_angle : drive_along,
                        turns ? "N m" : mbs_motion_unit(m, constraint));
}
