/* Functionals of mechanisms: tracking of points, end values, rotation, reactions, energy. */
#include <complex.h>
#include <math.h>

#include "mbs/planar.h"

enum { POINT, ORDER, AXIS }; /* meaning of gradyn_functional.index for point functionals */

/* Coordinate (order 0), velocity (1) or acceleration (2) of a point along an axis. */
static double component(const gradyn_mbs *m, int point, int order, int axis, const double *y)
{
  const mbs_point *p = &m->point[point];
  if (!p->ground)
    return y[order * m->mech.n + p->offset + axis];
  return order == 0 ? m->model->x[p->x + axis] : 0;
}

/* Adds the derivative with respect to that component. */
static void component_bar(const gradyn_mbs *m, int point, int order, int axis, double weight,
                          const gradyn_gradient_out *out)
{
  const mbs_point *p = &m->point[point];
  if (!p->ground && out->y_bar)
    out->y_bar[order * m->mech.n + p->offset + axis] += weight;
  if (p->ground && order == 0 && out->x_bar)
    out->x_bar[p->x + axis] += weight;
}

/* Declares a functional of points; false if one of them is wrong. */
static bool declare(gradyn_model *model, const char *name, const char *unit, const int index[4],
                    int points, gradyn_functional **f, int *number)
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

/* --- tracking: integral of |r^(order) - target|^2 --------------------------------------------- */

static gradyn_status track(gradyn_model *model, const gradyn_functional *f, const gradyn_sample *at,
                           double *value)
{
  const gradyn_mbs *m = model->impl;
  *value = 0;
  for (int k = 0; k < 2; k++) {
    double e = component(m, f->index[POINT], f->index[ORDER], k, at->y) - model->x[f->datum + k];
    *value += e * e;
  }
  return GRADYN_OK;
}

static gradyn_status track_gradient(gradyn_model *model, const gradyn_functional *f,
                                    const gradyn_sample *at, double weight,
                                    const gradyn_gradient_out *out)
{
  const gradyn_mbs *m = model->impl;
  for (int k = 0; k < 2; k++) {
    double e = component(m, f->index[POINT], f->index[ORDER], k, at->y) - model->x[f->datum + k];
    component_bar(m, f->index[POINT], f->index[ORDER], k, 2 * weight * e, out);
    if (out->x_bar)
      out->x_bar[f->datum + k] -= 2 * weight * e;
  }
  return GRADYN_OK;
}

static const gradyn_functional_ops track_ops = {track, track_gradient};

static int declare_track(gradyn_model *model, const char *name, int point, int order,
                         gradyn_scalar x, gradyn_scalar y)
{
  static const char *const unit[] = {"m^2 s", "m^2/s", "m^2/s^3"};
  static const char *const target_unit[] = {"m", "m/s", "m/s^2"};
  gradyn_functional *f;
  int number;
  if (!declare(model, name, unit[order], (int[4]){point, order}, 1, &f, &number))
    return 0;
  int datum = gradyn_model_datum(model, name, "x", target_unit[order], x);
  gradyn_model_datum(model, name, "y", target_unit[order], y);
  if (f) {
    f->datum = datum;
    f->integrand = &track_ops;
  }
  return number;
}

int gradyn_track_position(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                          gradyn_scalar y)
{
  return declare_track(model, name, point, 0, x, y);
}

int gradyn_track_velocity(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                          gradyn_scalar y)
{
  return declare_track(model, name, point, 1, x, y);
}

int gradyn_track_acceleration(gradyn_model *model, const char *name, int point, gradyn_scalar x,
                              gradyn_scalar y)
{
  return declare_track(model, name, point, 2, x, y);
}

/* --- end values ------------------------------------------------------------------------------- */

static gradyn_status end_value(gradyn_model *model, const gradyn_functional *f,
                               const gradyn_sample *at, double *value)
{
  *value = component(model->impl, f->index[POINT], f->index[ORDER], f->index[AXIS], at->y);
  return GRADYN_OK;
}

static gradyn_status end_value_gradient(gradyn_model *model, const gradyn_functional *f,
                                        const gradyn_sample *at, double weight,
                                        const gradyn_gradient_out *out)
{
  (void)at;
  component_bar(model->impl, f->index[POINT], f->index[ORDER], f->index[AXIS], weight, out);
  return GRADYN_OK;
}

static const gradyn_functional_ops end_value_ops = {end_value, end_value_gradient};

static int declare_end(gradyn_model *model, const char *name, int point, int order,
                       gradyn_axis axis)
{
  gradyn_functional *f;
  int number;
  const int index[4] = {point, order, (int)axis};
  if (declare(model, name, order ? "m/s" : "m", index, 1, &f, &number) && f)
    f->terminal = &end_value_ops;
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

static gradyn_status omega(gradyn_model *model, const gradyn_functional *f, const gradyn_sample *at,
                           double *value)
{
  double r[2][2];
  for (int order = 0; order < 2; order++)
    for (int k = 0; k < 2; k++)
      r[order][k] = component(model->impl, f->index[1], order, k, at->y) -
                    component(model->impl, f->index[0], order, k, at->y);
  double square = r[0][0] * r[0][0] + r[0][1] * r[0][1];
  *value = (r[0][0] * r[1][1] - r[0][1] * r[1][0]) / square;
  return GRADYN_OK;
}

static gradyn_status omega_gradient(gradyn_model *model, const gradyn_functional *f,
                                    const gradyn_sample *at, double weight,
                                    const gradyn_gradient_out *out)
{
  double r[2][2], value;
  omega(model, f, at, &value);
  for (int order = 0; order < 2; order++)
    for (int k = 0; k < 2; k++)
      r[order][k] = component(model->impl, f->index[1], order, k, at->y) -
                    component(model->impl, f->index[0], order, k, at->y);
  double square = r[0][0] * r[0][0] + r[0][1] * r[0][1];
  const double slope[2][2] = {{r[1][1] - 2 * value * r[0][0], -r[1][0] - 2 * value * r[0][1]},
                              {-r[0][1], r[0][0]}};
  for (int order = 0; order < 2; order++)
    for (int k = 0; k < 2; k++)
      for (int end = 0; end < 2; end++) {
        double sign = end ? 1 : -1;
        component_bar(model->impl, f->index[end], order, k,
                      sign * weight * slope[order][k] / square, out);
      }
  return GRADYN_OK;
}

static const gradyn_functional_ops omega_ops = {omega, omega_gradient};

int gradyn_rotation(gradyn_model *model, const char *name, int from, int to)
{
  gradyn_functional *f;
  int number;
  if (declare(model, name, "rad", (int[4]){from, to}, 2, &f, &number) && f)
    f->integrand = &omega_ops;
  return number;
}

int gradyn_end_angular_velocity(gradyn_model *model, const char *name, int from, int to)
{
  gradyn_functional *f;
  int number;
  if (declare(model, name, "rad/s", (int[4]){from, to}, 2, &f, &number) && f)
    f->terminal = &omega_ops;
  return number;
}

/* --- reaction: integral of the squared multiplier --------------------------------------------- */

static gradyn_status reaction(gradyn_model *model, const gradyn_functional *f,
                              const gradyn_sample *at, double *value)
{
  double lam = at->y[3 * model->mech->n + f->index[0]];
  *value = lam * lam;
  return GRADYN_OK;
}

static gradyn_status reaction_gradient(gradyn_model *model, const gradyn_functional *f,
                                       const gradyn_sample *at, double weight,
                                       const gradyn_gradient_out *out)
{
  int i = 3 * model->mech->n + f->index[0];
  if (out->y_bar)
    out->y_bar[i] += 2 * weight * at->y[i];
  return GRADYN_OK;
}

static const gradyn_functional_ops reaction_ops = {reaction, reaction_gradient};

int gradyn_reaction(gradyn_model *model, const char *name, int constraint)
{
  gradyn_mbs *m = mbs_of(model);
  gradyn_functional *f;
  int number;
  if (!m)
    return 0;
  if (constraint < 0 || constraint >= m->motion_cursor)
    gradyn_build_error(model, "%s: constraint %d has not been declared (there are %d)", name,
                       constraint, m->motion_cursor);
  if (declare(model, name, "N^2 s", (int[4]){constraint}, 0, &f, &number) && f)
    f->integrand = &reaction_ops;
  return number;
}

/* --- mechanical energy at the end time -------------------------------------------------------- */

static bool is_spring(const mbs_element *e)
{
  return e->ops == &mbs_spring_ops;
}

/* Length of a spring and its unit vector. */
static double stretch(const gradyn_mbs *m, const mbs_element *e, const double *y, double u[2])
{
  for (int k = 0; k < 2; k++)
    u[k] = component(m, e->point[1], 0, k, y) - component(m, e->point[0], 0, k, y);
  double s = sqrt(u[0] * u[0] + u[1] * u[1]);
  u[0] /= s;
  u[1] /= s;
  return s;
}

static gradyn_status energy(gradyn_model *model, const gradyn_functional *f,
                            const gradyn_sample *at, double *value)
{
  (void)f;
  gradyn_mbs *m = model->impl;
  int n = m->mech.n;
  const double *q = at->y, *v = at->y + n;
  for (int i = 0; i < n; i++)
    m->full[i] = 0;
  gradyn_pattern_multiply(&m->mech.dyn, n, m->mass, 0.5, v, m->full);
  *value = 0;
  for (int i = 0; i < n; i++)
    *value += m->full[i] * v[i] - m->weight[i] * q[i];
  for (int i = n; i < 2 * m->points; i++) /* weight carried by ground points */
    *value -= m->weight[i] * m->pos[i];
  for (int i = 0; i < m->forces.count; i++) {
    const mbs_element *e = &m->forces.item[i];
    if (!is_spring(e))
      continue;
    const double *d = model->x + e->datum; /* stiffness, damping, free length, force */
    double u[2], s = stretch(m, e, at->y, u), x = s - d[2];
    *value += d[0] * x * x / 2 + d[3] * s;
  }
  return GRADYN_OK;
}

static void spring_energy_gradient(gradyn_mbs *m, const mbs_element *e, const gradyn_sample *at,
                                   double weight, const gradyn_gradient_out *out)
{
  const double *d = m->model->x + e->datum;
  double u[2], s = stretch(m, e, at->y, u), x = s - d[2];
  for (int k = 0; k < 2; k++) {
    component_bar(m, e->point[1], 0, k, weight * (d[0] * x + d[3]) * u[k], out);
    component_bar(m, e->point[0], 0, k, -weight * (d[0] * x + d[3]) * u[k], out);
  }
  if (!out->x_bar)
    return;
  out->x_bar[e->datum] += weight * x * x / 2;
  out->x_bar[e->datum + 2] -= weight * d[0] * x;
  out->x_bar[e->datum + 3] += weight * s;
}

/* d/dx of -sum weight_i q_i, weight = M g, and of v^T M v / 2. */
static void inertia_energy_data(gradyn_mbs *m, const gradyn_sample *at, double weight,
                                double *x_bar)
{
  int n = m->mech.n, full = 2 * m->points;
  for (int i = 0; i < full; i++) {
    m->full[i] = i < n ? weight * at->y[n + i] / 2 : 0;
    m->field[i] = i < n ? at->y[n + i] : 0;
  }
  mbs_inertia_transposed(m, m->field, 1, m->full, 0, full, x_bar);
  if (m->gravity < 0)
    return;
  for (int i = 0; i < full; i++) {
    m->full[i] = weight * (i < n ? at->y[i] : m->pos[i]);
    m->field[i] = -m->model->x[m->gravity + i % 2];
  }
  mbs_inertia_transposed(m, m->field, 1, m->full, 0, full, x_bar);
  mbs_gravity_transposed(m, m->full, full, x_bar);
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < 2 && m->point[i].ground; k++)
      x_bar[m->point[i].x + k] -= weight * m->weight[m->point[i].offset + k];
}

static gradyn_status energy_gradient(gradyn_model *model, const gradyn_functional *f,
                                     const gradyn_sample *at, double weight,
                                     const gradyn_gradient_out *out)
{
  (void)f;
  gradyn_mbs *m = model->impl;
  int n = m->mech.n;
  if (out->y_bar) {
    for (int i = 0; i < n; i++)
      out->y_bar[i] -= weight * m->weight[i];
    gradyn_pattern_multiply(&m->mech.dyn, n, m->mass, weight, at->y + n, out->y_bar + n);
  }
  for (int i = 0; i < m->forces.count; i++)
    if (is_spring(&m->forces.item[i]))
      spring_energy_gradient(m, &m->forces.item[i], at, weight, out);
  if (out->x_bar)
    inertia_energy_data(m, at, weight, out->x_bar);
  return GRADYN_OK;
}

static const gradyn_functional_ops energy_ops = {energy, energy_gradient};

int gradyn_end_energy(gradyn_model *model, const char *name)
{
  gradyn_functional *f;
  int number = 0;
  if (mbs_of(model) && declare(model, name, "J", (int[4]){0}, 0, &f, &number) && f)
    f->terminal = &energy_ops;
  return number;
}
