/* Measures of points, lines, joint coordinates, bodies and constraints. */
#include "mbs/measures/measure.h"

#include <math.h>
#include <stdint.h>

#include "core/equations/equations.h"
#include "core/model/declare.h"

/* --- the list --------------------------------------------------------------------------------- */

/* Evaluates a measure; if out is NULL, its value only. */
static gradyn_status evaluate(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_sample *at, double weight,
                              const gradyn_gradient_out *out, double *value)
{
  gradyn_mbs *m = model->impl;
  const mbs_measure *s = &m->parts.measure[f->index[0]];
  const gradyn_status before =
      m->parts.measure_failed; /* status of the measure that uses this one */
  m->parts.measure_failed = GRADYN_OK;
  *value = s->take(m, s, at, weight, out);
  const gradyn_status status = m->parts.measure_failed;
  m->parts.measure_failed = before;
  return status;
}

static gradyn_status value(gradyn_model *model, const gradyn_functional_entry *f,
                           const gradyn_sample *at, double *value)
{
  return evaluate(model, f, at, 0, NULL, value);
}

static gradyn_status gradient(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_sample *at, double weight,
                              const gradyn_gradient_out *out)
{
  double value;
  return evaluate(model, f, at, weight, out, &value);
}

static const gradyn_functional_ops ops = {value, gradient};

void mbs_reads_order(gradyn_functional_entry *f, int order)
{
  f->positions_only = order == 0;
  f->motion_only = order <= 1;
  f->no_multipliers = order <= 2;
}

int mbs_add_measures(gradyn_mbs *m, const char *name, const mbs_measure *prototype, int components,
                     int which)
{
  gradyn_functional_entry *f;
  const int number = gradyn_model_measure(m->model, name, prototype->unit, components, &f);
  if (!f)
    return gradyn_id(m->model, number);
  const int first = m->parts.measures;
  for (int k = 0; k < components; k++) {
    mbs_measure own = *prototype;
    own.name = f[k].name;
    own.index[which] += k;
    if (!gradyn_model_append(m->model, &m->parts.measure, &m->parts.measures, sizeof own, &own))
      return 0;
  }
  f->index[0] = first;
  f->terminal = &ops;
  mbs_reads_order(f, prototype->order);
  gradyn_measure_spread(m->model, f, 0);
  return gradyn_id(m->model, number);
}

/* --- points and coordinates ------------------------------------------------------------------- */

enum { POINT, AXIS };

/* Component of a point, or a time derivative of the component. */
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
  gradyn_build_error(m->model, "%s: order %d: must be 0, 1 (rate) or 2 (acceleration)", name,
                     order);
  return false;
}

/* Adds measures of the components of a point. Their unit follows from the kind of point. */
static int add_components(gradyn_mbs *m, const char *name, int point, int order, int axis,
                          int components)
{
  /* rows: positions, directions, angles */
  static const char *const unit[3][3] = {
      {"m", "m/s", "m/s^2"}, {"", "1/s", "1/s^2"}, {"rad", "rad/s", "rad/s^2"}};
  const mbs_point *p = &m->point[point];
  return mbs_add_measures(
      m, name,
      &(mbs_measure){.take = component,
                     .unit = unit[p->scalar ? 2 * p->angle : p->direction][order],
                     .index = {point, axis},
                     .order = order},
      components, AXIS);
}

int gradyn_measure_joint(gradyn_model *model, const char *name, int coordinate, int order)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_point *c = mbs_check_coordinate(m, name, coordinate);
  if (!c || !check_order(m, name, order))
    return 0;
  return add_components(m, name, (int)(c - m->point), order, 0, 1);
}

static gradyn_status state_of_equations(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[(intptr_t)at->user];
  return GRADYN_OK;
}

/* Declares a measure of a state of general equations: a formula that reads this state only. */
static int measure_equations(gradyn_model *model, const char *name, int state, int order)
{
  const gradyn_equations_model *e = model->impl;
  const int k = gradyn_index(model, name, "state", state, e->count);
  if (k < 0)
    return 0;
  if (order != 0) {
    gradyn_build_error(model,
                       "%s: order %d of %s: measures of general equations have the order 0 (value)",
                       name, order, e->unknown[k].name);
    return 0;
  }
  return gradyn_measure_custom(model,
                               &(gradyn_custom_measure_spec){.name = name && *name ? name : "state",
                                                             .unit = e->unknown[k].unit,
                                                             .formula = state_of_equations,
                                                             .user = (void *)(intptr_t)k,
                                                             .reads = &state,
                                                             .read_count = 1,
                                                             .hidden = name && !*name});
}

/* Declares a measure of a first-order state z. As z is the rate of a scalar, order 0 of z is the scalar's
 * velocity. */
int gradyn_measure_state(gradyn_model *model, const char *name, int state, int order)
{
  if (model && model->ops && model->ops->kind == GRADYN_MODEL_DAE)
    return measure_equations(model, name, state, order);
  gradyn_mbs *m = mbs_of(model);
  const int scalar = m ? mbs_find_any_point(m, name, state) : -1;
  if (scalar < 0)
    return 0;
  const mbs_point *p = &m->point[scalar];
  /* a first-order state has orders 0 and 1 only */
  if (!p->state || order < 0 || order > 1) {
    gradyn_build_error(
        model, "%s: order %d of %s: a first-order state has the orders 0 (value) and 1 (rate)",
        name, order, p->name);
    return 0;
  }
  return mbs_add_measure(
      m, name,
      &(mbs_measure){
          .take = component, .unit = p->unit[order + 1], .index = {scalar, 0}, .order = order + 1});
}

int gradyn_measure_point(gradyn_model *model, const char *name, int point, int order,
                         gradyn_axis axis)
{
  gradyn_mbs *m = mbs_of(model);
  const bool all = axis == GRADYN_ALL_AXES;
  if (!m || !mbs_take_point(m, name, point, &point) || !check_order(m, name, order) ||
      (!all && !mbs_check_axis(m, name, axis)))
    return 0;
  return add_components(m, name, point, order, all ? 0 : (int)axis, all ? m->dim : 1);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Angle of the line from one point to another, in the plane, or its rate (r x r')/|r|^2. */
static double line_angle(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at,
                         double weight, const gradyn_gradient_out *out)
{
  double r[2][2] = {{0}}; /* [order][axis] */
  for (int order = 0; order <= s->order; order++)
    for (int k = 0; k < 2; k++)
      r[order][k] = mbs_component(m, s->index[1], order, k, at->y) -
                    mbs_component(m, s->index[0], order, k, at->y);
  const double square = r[0][0] * r[0][0] + r[0][1] * r[0][1],
               rate = (r[0][0] * r[1][1] - r[0][1] * r[1][0]) / square;
  /* |r|^2 rate_r = (y', -x') - 2 rate r and |r|^2 rate_r' = |r|^2 angle_r = (-y, x) */
  const double by_r[2] = {r[1][1] - 2 * rate * r[0][0], -r[1][0] - 2 * rate * r[0][1]},
               by_last[2] = {-r[0][1], r[0][0]};
  for (int order = 0; order <= s->order && out; order++)
    for (int end = 0; end < 2; end++)
      for (int k = 0; k < 2; k++) {
        const double slope = order == s->order ? by_last[k] : by_r[k];
        mbs_component_bar(m, s->index[end], order, k, (end ? 1 : -1) * weight * slope / square,
                          at->y, out);
      }
  return s->order == 0 ? atan2(r[0][1], r[0][0]) : rate;
}

int gradyn_measure_line_angle(gradyn_model *model, const char *name, int from, int to, int order)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_take_point(m, name, from, &from) || !mbs_take_point(m, name, to, &to) ||
      !mbs_use_dimension(m, name, 2))
    return 0;
  if (order < 0 || order > 1) {
    gradyn_build_error(model, "%s: order %d: must be 0 (angle) or 1 (rate)", name, order);
    return 0;
  }
  return mbs_add_measure(m, name,
                         &(mbs_measure){.take = line_angle,
                                        .unit = order == 0 ? "rad" : "rad/s",
                                        .index = {from, to},
                                        .order = order});
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
  const mbs_body *b = mbs_check_body(m, name, body);
  if (!b)
    return 0;
  if ((int)axis < 0 || axis > GRADYN_Z || (m->dim == 2 && axis != GRADYN_Z)) {
    gradyn_build_error(model, "%s: axis %d: %s", name, (int)axis,
                       m->dim == 2 ? "in the plane bodies turn about GRADYN_Z"
                                   : "must be GRADYN_X, GRADYN_Y or GRADYN_Z");
    return 0;
  }
  return mbs_add_measure(m, name,
                         &(mbs_measure){.take = rotation_rate,
                                        .unit = "rad/s",
                                        .index = {(int)(b - m->parts.body), (int)axis},
                                        .order = 1});
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

/* Index of a constraint, which must be declared before, so that its number is known; -1 after an error. */
static int find_constraint(gradyn_mbs *m, const char *name, int constraint)
{
  return gradyn_index(m->model, name, "constraint", constraint, m->row_cursor[MBS_IN_MOTION]);
}

static int add_multiplier(gradyn_mbs *m, const char *name, int constraint, mbs_measure_fn *take,
                          const char *unit)
{
  return mbs_add_measure(
      m, name, &(mbs_measure){.take = take, .unit = unit, .index = {constraint}, .order = 3});
}

/* Declares a measure of a multiplier: a force or torque, whose unit depends on the unit of Phi. */
int gradyn_measure_multiplier(gradyn_model *model, const char *name, int constraint)
{
  gradyn_mbs *m = mbs_of(model);
  const int row = m ? find_constraint(m, name, constraint) : -1;
  return row < 0 ? 0 : add_multiplier(m, name, row, multiplier, mbs_motion_unit(m, row));
}

/* --- drives ----------------------------------------------------------------------------------- */

/* Effort of a driven coordinate c: -lam of the constraint Phi = c - s(t). */
static double drive_along(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at,
                          double weight, const gradyn_gradient_out *out)
{
  return -multiplier(m, s, at, -weight, out);
}

/* Torque of a driven direction: -lam |r|. Its constraint Phi = r.n has the forces -lam n and lam n on the
 * ends. */
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
  const int row = m ? find_constraint(m, name, constraint) : -1;
  if (row < 0)
    return 0;
  const mbs_element *e = mbs_motion(m, row);
  const bool turns = e && e->ops == &mbs_angle_ops;
  if (e && !turns && e->ops != &mbs_coordinate_ops &&
      (e->ops != &mbs_distance_ops || mbs_is_rod(e)))
    gradyn_build_error(model, "%s: %s has no drive: it is a %s", name, e->name,
                       mbs_is_rod(e) ? "rod" : e->ops->kind);
  return add_multiplier(m, name, row, turns ? drive_angle : drive_along,
                        turns ? "N m" : mbs_motion_unit(m, row));
}
