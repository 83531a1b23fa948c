/* Functionals of mechanisms: tracking of points, end values, rotation, reactions.
 *
 * Each is a function of the state y = (q, v, a, lam), with its gradient by y and by its own data. Tracking:
 * the integral of |r - target|^2 of a point or its rates. End values: a component of a point. Rotation: (r x
 * r')/|r|^2, the angular velocity of a line. Reactions: lam^2 of a constraint. attached.c computes
 * components of points and their adjoints. */
#include <complex.h>
#include <math.h>

#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"
#include "mbs/measures/measure.h"
#include <gradyn/functionals.h>

/* meaning of gradyn_functional_entry.index for functionals of points */
enum { POINT, ORDER, AXIS };

/* Declares a functional of points; false after an error of points. *f is NULL in later builds. */
static bool declare(gradyn_model *model, const char *name, const char *unit, const int index[4],
                    int points, gradyn_functional_entry **f, int *number)
{
  gradyn_mbs *m = mbs_of(model);
  *f = NULL;
  *number = 0;
  for (int i = 0; i < points; i++)
    if (!m || !mbs_check_point(m, name, index[i]))
      return false;
  *number = gradyn_model_functional(model, name, unit, f);
  for (int i = 0; *f && i < 4; i++)
    (*f)->index[i] = index[i];
  return true;
}

/* --- vectors of points ------------------------------------------------------------------------ */

/* Whether a point's vectors are part of y. */
static inline bool is_own(const gradyn_mbs *m, int point)
{
  return m->point[point].kind == MBS_MOVING;
}

/* A point's position (order 0), velocity (1) or acceleration (2), [dim]. Integrands use it at each node. For
 * moving points (own) it is part of y; otherwise it is computed into capacity. */
GRADYN_KERNEL const double *vector(const bool own, int dim, const gradyn_mbs *m, int point,
                                   int order, const double *y, double capacity[3])
{
  const mbs_point *p = &m->point[point];
  if (own)
    return y + order * m->mech.n + p->offset;
  for (int k = 0; k < dim; k++)
    capacity[k] = mbs_component(m, point, order, k, y);
  return capacity;
}

/* Adds r_bar [dim] times the derivatives of vector() to *out, for point and order in `which`. */
GRADYN_KERNEL void vector_bar(const bool own, int dim, const gradyn_mbs *m, const int which[2],
                              const double r_bar[3], const double *y,
                              const gradyn_gradient_out *out)
{
  const int point = which[POINT], order = which[ORDER];
  const mbs_point *p = &m->point[point];
  if (own)
    for (int k = 0; k < dim; k++)
      out->y_bar[(order * m->mech.n + p->offset + k) * out->stride] += r_bar[k];
  else
    for (int k = 0; k < dim; k++)
      mbs_component_bar(m, point, order, k, r_bar[k], y, out);
}

/* --- tracking: integral of |r^(order) - target|^2 --------------------------------------------- */

/* |r - target|^2 of a position, velocity or acceleration. */
GRADYN_KERNEL double miss(int dim, const bool own, const gradyn_mbs *m,
                          const gradyn_functional_entry *f, const double *y)
{
  const double *target = m->model->x + f->datum;
  double capacity[3], sum = 0;
  const double *r = vector(own, dim, m, f->index[POINT], f->index[ORDER], y, capacity);
  for (int k = 0; k < dim; k++)
    sum += (r[k] - target[k]) * (r[k] - target[k]); /* |r - target|^2 */
  return sum;
}

/* By r, and by the data of the target. */
GRADYN_KERNEL void miss_bar(int dim, const bool own, const gradyn_mbs *m,
                            const gradyn_functional_entry *f, const gradyn_sample *at,
                            double weight, const gradyn_gradient_out *out)
{
  const double *target = m->model->x + f->datum;
  double capacity[3], r_bar[3] = {0};
  const double *r = vector(own, dim, m, f->index[POINT], f->index[ORDER], at->y, capacity);
  for (int k = 0; k < dim; k++) {
    r_bar[k] = 2 * weight * (r[k] - target[k]); /* 2 w (r - target) */
    if (out->x_bar)
      out->x_bar[f->datum + k] -= r_bar[k];
  }
  vector_bar(own, dim, m, f->index, r_bar, at->y, out);
}

/* Ground and attached points; not inlined, since they are rare. */
static __attribute__((noinline)) gradyn_status track_carried(const gradyn_mbs *m,
                                                             const gradyn_functional_entry *f,
                                                             const gradyn_sample *at, double *value)
{
  *value = MBS_BY_AXES(m, miss, false, m, f, at->y);
  return GRADYN_OK;
}

static __attribute__((noinline)) gradyn_status track_carried_gradient(
    const gradyn_mbs *m, const gradyn_functional_entry *f, const gradyn_sample *at, double weight,
    const gradyn_gradient_out *out)
{
  MBS_BY_AXES(m, miss_bar, false, m, f, at, weight, out);
  return GRADYN_OK;
}

/* Integrand of tracking. */
static gradyn_status track(gradyn_model *model, const gradyn_functional_entry *f,
                           const gradyn_sample *at, double *value)
{
  const gradyn_mbs *m = model->impl;
  if (!is_own(m, f->index[POINT]))
    return track_carried(m, f, at, value);
  *value = MBS_BY_AXES(m, miss, true, m, f, at->y);
  return GRADYN_OK;
}

/* Gradient of the integrand. */
static gradyn_status track_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                    const gradyn_sample *at, double weight,
                                    const gradyn_gradient_out *out)
{
  const gradyn_mbs *m = model->impl;
  if (!is_own(m, f->index[POINT]) || !out->y_bar)
    return track_carried_gradient(m, f, at, weight, out);
  MBS_BY_AXES(m, miss_bar, true, m, f, at, weight, out);
  return GRADYN_OK;
}

static const gradyn_functional_ops track_ops = {track, track_gradient};

/* Declares tracking; order 0, 1, 2: position, velocity, acceleration. */
static int declare_track(gradyn_model *model, const char *name, int point, int order, int dim,
                         const gradyn_scalar target[3])
{
  static const char *const unit[] = {"m^2 s", "m^2/s", "m^2/s^3"};
  static const char *const target_unit[] = {"m", "m/s", "m/s^2"};
  static const char *const axis[] = {"x", "y", "z"};
  gradyn_functional_entry *f;
  int number;
  if (!declare(model, name, unit[order], (int[4]){point, order}, 1, &f, &number) ||
      !mbs_use_dimension(mbs_of(model), name, dim))
    return 0;
  /* consecutive data */
  int first = 0;
  for (int k = 0; k < dim; k++) {
    int datum = gradyn_model_datum(model, name, axis[k], target_unit[order], target[k]);
    first = k == 0 ? datum : first;
  }
  /* quantities that are not used need not be computed */
  if (f) {
    f->datum = first;
    f->integrand = &track_ops;
    f->positions_only = order == 0;
    f->motion_only = order <= 1;
    f->no_multipliers = true;
  }
  return number;
}

int gradyn_track_position(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                          gradyn_scalar y)
{
  return declare_track(model, name, point, 0, 2, (gradyn_scalar[3]){x, y, 0});
}

int gradyn_track_velocity(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                          gradyn_scalar y)
{
  return declare_track(model, name, point, 1, 2, (gradyn_scalar[3]){x, y, 0});
}

int gradyn_track_acceleration(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                              gradyn_scalar y)
{
  return declare_track(model, name, point, 2, 2, (gradyn_scalar[3]){x, y, 0});
}

int gradyn_track_position_3d(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                             gradyn_scalar y, gradyn_scalar z)
{
  return declare_track(model, name, point, 0, 3, (gradyn_scalar[3]){x, y, z});
}

int gradyn_track_velocity_3d(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                             gradyn_scalar y, gradyn_scalar z)
{
  return declare_track(model, name, point, 1, 3, (gradyn_scalar[3]){x, y, z});
}

int gradyn_track_acceleration_3d(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                                 gradyn_scalar y, gradyn_scalar z)
{
  return declare_track(model, name, point, 2, 3, (gradyn_scalar[3]){x, y, z});
}

/* --- end values ------------------------------------------------------------------------------- */

/* A component at the end. */
static gradyn_status end_value(gradyn_model *model, const gradyn_functional_entry *f,
                               const gradyn_sample *at, double *value)
{
  *value = mbs_component(model->impl, f->index[POINT], f->index[ORDER], f->index[AXIS], at->y);
  return GRADYN_OK;
}

static gradyn_status end_value_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                        const gradyn_sample *at, double weight,
                                        const gradyn_gradient_out *out)
{
  mbs_component_bar(model->impl, f->index[POINT], f->index[ORDER], f->index[AXIS], weight, at->y,
                    out);
  return GRADYN_OK;
}

static const gradyn_functional_ops end_value_ops = {end_value, end_value_gradient};

/* Declares an end position or end velocity. */
static int declare_end(gradyn_model *model, const char *name, int point, int order,
                       gradyn_axis axis)
{
  gradyn_functional_entry *f;
  int number;
  const int index[4] = {point, order, (int)axis};
  if (mbs_of(model) && !mbs_check_axis(mbs_of(model), name, axis))
    return 0;
  if (declare(model, name, order ? "m/s" : "m", index, 1, &f, &number) && f) {
    f->terminal = &end_value_ops;
    f->positions_only = order == 0;
    f->motion_only = order <= 1;
  }
  return number;
}

int gradyn_end_position(gradyn_model *model, const char *name, int point, gradyn_axis axis)
{
  return declare_end(model, name, point, 0, axis);
}

int gradyn_end_velocity(gradyn_model *model, const char *name, int point, gradyn_axis axis)
{
  return declare_end(model, name, point, 1, axis);
}

/* --- angular velocity of the line between two points: omega = (r x r')/|r|^2 ------------------ */

/* r [order][2]: from the first point to the second, and its rate. */
static void line(const gradyn_mbs *m, const gradyn_functional_entry *f, const double *y,
                 double r[2][2])
{
  for (int order = 0; order < 2; order++) {
    double capacity[2][3];
    const double *from = vector(is_own(m, f->index[0]), 2, m, f->index[0], order, y, capacity[0]);
    const double *to = vector(is_own(m, f->index[1]), 2, m, f->index[1], order, y, capacity[1]);
    for (int k = 0; k < 2; k++)
      r[order][k] = to[k] - from[k];
  }
}

/* Angular velocity of a line, in the plane. */
static gradyn_status omega(gradyn_model *model, const gradyn_functional_entry *f,
                           const gradyn_sample *at, double *value)
{
  double r[2][2];
  line(model->impl, f, at->y, r);
  double square = r[0][0] * r[0][0] + r[0][1] * r[0][1];
  *value = (r[0][0] * r[1][1] - r[0][1] * r[1][0]) / square; /* (r x r')/|r|^2 */
  return GRADYN_OK;
}

/* By positions and velocities of both points. */
static gradyn_status omega_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                    const gradyn_sample *at, double weight,
                                    const gradyn_gradient_out *out)
{
  double r[2][2], value;
  omega(model, f, at, &value);
  line(model->impl, f, at->y, r);
  double square = r[0][0] * r[0][0] + r[0][1] * r[0][1];
  /* |r|^2 omega_r = (y', -x') - 2 omega r and |r|^2 omega_r' = (-y, x) */
  const double slope[2][2] = {{r[1][1] - 2 * value * r[0][0], -r[1][0] - 2 * value * r[0][1]},
                              {-r[0][1], r[0][0]}};
  for (int order = 0; order < 2; order++)
    for (int end = 0; end < 2; end++) {
      double sign = end ? 1 : -1; /* r = to - from */
      const double r_bar[3] = {sign * weight * slope[order][0] / square,
                               sign * weight * slope[order][1] / square, 0};
      const bool own = is_own(model->impl, f->index[end]) && out->y_bar;
      vector_bar(own, 2, model->impl, (const int[2]){f->index[end], order}, r_bar, at->y, out);
    }
  return GRADYN_OK;
}

static const gradyn_functional_ops omega_ops = {omega, omega_gradient};

/* The integral of omega: the angle by which the line from a to b has turned. */
int gradyn_rotation(gradyn_model *model, const char *name, int from, int to)
{
  gradyn_functional_entry *f;
  int number;
  if (declare(model, name, "rad", (int[4]){from, to}, 2, &f, &number) &&
      mbs_use_dimension(mbs_of(model), name, 2) && f) {
    /* counts full turns */
    f->integrand = &omega_ops;
    f->motion_only = true;
  }
  return number;
}

int gradyn_end_angular_velocity(gradyn_model *model, const char *name, int from, int to)
{
  gradyn_functional_entry *f;
  int number;
  if (declare(model, name, "rad/s", (int[4]){from, to}, 2, &f, &number) &&
      mbs_use_dimension(mbs_of(model), name, 2) && f) {
    f->terminal = &omega_ops;
    f->motion_only = true;
  }
  return number;
}

/* --- reaction: integral of the squared multiplier --------------------------------------------- */

/* lam^2. */
static gradyn_status reaction(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_sample *at, double *value)
{
  const gradyn_mbs *m = model->impl;
  /* y = (q, v, a, lam) */
  double lam = at->y[3 * m->mech.n + f->index[0]];
  *value = lam * lam;
  return GRADYN_OK;
}

/* 2 lam */
static gradyn_status reaction_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double weight,
                                       const gradyn_gradient_out *out)
{
  const gradyn_mbs *m = model->impl;
  int i = 3 * m->mech.n + f->index[0];
  if (out->y_bar)
    out->y_bar[i * out->stride] += 2 * weight * at->y[i];
  return GRADYN_OK;
}

static const gradyn_functional_ops reaction_ops = {reaction, reaction_gradient};

/* The integral of lam^2, a measure of the constraint's force over the run. */
int gradyn_reaction(gradyn_model *model, const char *name, int constraint)
{
  gradyn_mbs *m = mbs_of(model);
  gradyn_functional_entry *f;
  int number;
  if (!m)
    return 0;
  if (!gradyn_model_named(model, name, "a reaction"))
    return 0;
  if (constraint < 0 || constraint >= m->row_cursor[MBS_IN_MOTION])
    gradyn_build_error(model, "%s: constraint %d has not been declared (there are %d)", name,
                       constraint, m->row_cursor[MBS_IN_MOTION]);
  const char *unit = mbs_unit_of_square(m, mbs_motion_unit(m, constraint));
  /* needs multipliers, so no flag is set */
  if (declare(model, name, unit, (int[4]){constraint}, 0, &f, &number) && f)
    f->integrand = &reaction_ops;
  return number;
}
