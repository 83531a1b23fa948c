/* A thrown body with a ball on a string. Users' functions read base vectors or points of the body. */
#include "tests/adjoint/grid/seen_bodies.h"

#include <complex.h>
#include <string.h>

#include "tests/support.h"
#include <gradyn/tgmath.h>

seen_kind seen_lossy;

static gradyn_scalar pass(seen_kind of, gradyn_scalar value)
{
  return seen_lossy == of ? 0.999 * value + 0.001 * creal(value) : value;
}

/* --- what functions see ------------------------------------------------------------------------- */

/* In one model, functions list the centre and the base vectors. In the other one they list the centre,
 * points at the ends of these vectors, and the point at the arm. The ball is the last entry. */
static bool has_base(const gradyn_at *at)
{
  return at->points == at->axes + 2;
}

/* Vector k of an order of derivative: 0 is the centre, the others are base vectors. */
static void vector(const gradyn_at *at, int k, int order, gradyn_scalar r[3])
{
  const gradyn_scalar *x = order == 0 ? at->pos : order == 1 ? at->vel : at->acc;
  const bool there = k <= at->axes; /* in the plane, the third base vector is constant */
  for (int i = 0; i < 3; i++)
    r[i] = there && i < at->axes ? x[at->axes * k + i] : !there && i == 2 && order == 0;
  for (int i = 0; i < at->axes && k > 0 && there && !has_base(at); i++)
    r[i] -= x[i];
}

static gradyn_scalar dot(const gradyn_scalar *a, const gradyn_scalar *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const gradyn_scalar *a, const gradyn_scalar *b, gradyn_scalar *c)
{
  for (int i = 0; i < 3; i++)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* omega = sum of (e_(i+1)'.e_(i+2)) e_i; in the plane (e_1'.e_2) e_3. */
static void turn(const gradyn_at *at, gradyn_scalar omega[3])
{
  gradyn_scalar e[3][3], rate[3][3];
  if (has_base(at)) {
    gradyn_body_turn(at, 0, 1, omega);
    return;
  }
  for (int i = 0; i < 3; i++) {
    vector(at, 1 + i, 0, e[i]);
    vector(at, 1 + i, 1, rate[i]);
  }
  for (int k = 0; k < 3; k++) {
    omega[k] = 0;
    for (int i = at->axes == 2 ? 2 : 0; i < 3; i++)
      omega[k] += dot(rate[(i + 1) % 3], e[(i + 2) % 3]) * e[i][k];
  }
}

/* The point at the arm, whose length is the first datum. */
static void arm(const gradyn_at *at, int order, gradyn_scalar r[3])
{
  const gradyn_scalar local[3] = {at->data[0], 0.1, 0.2};
  const gradyn_scalar *x = order == 0 ? at->pos : order == 1 ? at->vel : at->acc;
  if (has_base(at))
    gradyn_body_motion(at, 0, local, order, r);
  else
    for (int i = 0; i < 3; i++)
      r[i] = i < at->axes ? x[at->axes * (at->axes + 1) + i] : 0;
}

/* --- functions ----------------------------------------------------------------------------------- */

/* With points: applies the force at the arm, and forces e_i x torque/2 at the points on the base vectors,
 * balanced at the centre. */
static void load(const gradyn_at *at, const gradyn_scalar on_arm[3], const gradyn_scalar torque[3],
                 gradyn_scalar force[])
{
  const int axes = at->axes;
  for (int i = 1; i <= axes; i++) {
    gradyn_scalar e[3], f[3];
    vector(at, i, 0, e);
    cross(torque, e, f);
    for (int k = 0; k < axes; k++) {
      force[axes * i + k] += f[k] / 2;
      force[k] -= f[k] / 2;
    }
  }
  for (int k = 0; k < axes; k++)
    force[axes * (axes + 1) + k] += on_arm[k];
}

/* A drag on the rotation, an aligning torque, and a force at the arm. */
static gradyn_status drive(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar up[3] = {0.3, 1, 0}, local[3] = {at->data[0], 0.1, 0.2};
  gradyn_scalar omega[3], e[3], v[3], torque[3], on_arm[3];
  turn(at, omega);
  vector(at, 1, 0, e);
  arm(at, 1, v);
  cross(e, up, torque);
  for (int k = 0; k < 3; k++) {
    torque[k] = 0.5 * torque[k] - at->data[1] * omega[k];
    on_arm[k] = -0.4 * v[k] + 0.2 * sin(3 * at->t) * e[k];
  }
  if (at->axes == 2) /* rotations are about z */
    torque[0] = torque[1] = 0;
  if (has_base(at))
    gradyn_body_load(at, 0, local, on_arm, torque, force);
  else
    load(at, on_arm, torque, force);
  force[at->axes] = pass(SEEN_FORCE, force[at->axes]);
  return GRADYN_OK;
}

/* Constraint: the height of the arm's point is its initial value plus t^2/5. */
static gradyn_status guide(const gradyn_at *at, int order, gradyn_scalar *value)
{
  gradyn_scalar r[3];
  arm(at, order, r);
  *value = pass(SEEN_CONSTRAINT, r[1]) - (order == 0   ? 0.1 + at->t * at->t / 5
                                          : order == 1 ? 2 * at->t / 5
                                                       : 2. / 5);
  return GRADYN_OK;
}

/* A functional of approximate kinetic energy and angle of rotation. */
static gradyn_status amount(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar omega[3], v[3], e[3];
  turn(at, omega);
  arm(at, 1, v);
  vector(at, 2, 0, e);
  *value = pass(SEEN_FUNCTIONAL, dot(omega, omega)) + dot(v, v) + e[0] +
           at->pos[at->axes * (at->points - 1)];
  return GRADYN_OK;
}

static gradyn_status level(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar e[3];
  vector(at, 1, 0, e);
  *value = pass(SEEN_GUARD, e[1]) - at->data[0];
  return GRADYN_OK;
}

static gradyn_status kick(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar omega[3], e[3];
  turn(at, omega);
  vector(at, 1, 0, e);
  *value = 0.7 * at->vel[at->axes * (at->points - 1)] + 0.1 * pass(SEEN_RESET, omega[2] * e[0]);
  return GRADYN_OK;
}

/* Measures of the rotation, and of the acceleration of the arm's point along a base vector. */
static gradyn_status turned(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar omega[3], e[3];
  turn(at, omega);
  vector(at, 1, 0, e);
  *value = pass(SEEN_MEASURE, omega[2] * e[1]) + at->data[0] * e[0];
  return GRADYN_OK;
}

static gradyn_status pushed(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar a[3], e[3];
  arm(at, 2, a);
  vector(at, 1, 0, e);
  *value = dot(a, e) * at->of[0];
  return GRADYN_OK;
}

/* --- the model ----------------------------------------------------------------------------------- */

typedef struct sight {
  int count, point[6];
} sight;

static const gradyn_setting settings[] = {{"axes", "", 2, 2, 3}, {"helpers", "", 0, 0, 1}};

/* Events may set the ball's velocity, since joint coordinates do not determine it; those of the body they
 * may not. */
static int declare_ball(gradyn_model *m, int centre, int dim)
{
  const int ball = dim == 2 ? gradyn_point(m, "ball", 0.5, 0.4)
                            : gradyn_point_3d(m, "ball", 0.5, 0.4, 0.1);
  gradyn_point_mass(m, "ball", ball, 0.2);
  gradyn_spring(m, &(gradyn_spring_spec){"tie", centre, ball, .k = 2, .free_length = 0.3});
  return ball;
}

static sight declare_thrown(gradyn_model *m, const gradyn_scalar rho[])
{
  const int dim = gradyn_setting_value(m, "axes");
  const bool helpers = gradyn_setting_value(m, "helpers");
  const double wx = dim == 3 ? 0.3 : 0;
  const gradyn_body_spec spec = {.name = "plate",
                                 .mass = 1.3,
                                 .inertia = {0.03, 0.05, 0.04, 0.002, 0, 0.001},
                                 .velocity = {0.4, wx * 0.2 - rho[SEEN_SPIN] * rho[SEEN_ARM], 0.2},
                                 .omega = {wx, -0.2, rho[SEEN_SPIN]}};
  const int body = dim == 2 ? gradyn_body(m, &spec) : gradyn_body_3d(m, &spec);
  sight seen = {.count = dim + 1, .point = {gradyn_body_centre(m, body)}};
  for (int i = 0; i < dim; i++) {
    const char *name = gradyn_format_name(m, "helper%d", i);
    seen.point[1 + i] = !helpers   ? gradyn_body_axis(m, body, (gradyn_axis)i)
                        : dim == 2 ? gradyn_body_point(m, body, name, i == 0, i == 1)
                                   : gradyn_body_point_3d(m, body, name, i == 0, i == 1, i == 2);
  }
  if (helpers)
    seen.point[seen.count++] = dim == 2
                                   ? gradyn_body_point(m, body, "arm", rho[SEEN_ARM], 0.1)
                                   : gradyn_body_point_3d(m, body, "arm", rho[SEEN_ARM], 0.1, 0.2);
  seen.point[seen.count++] = declare_ball(m, seen.point[0], dim);
  return seen;
}

static void declare_event(gradyn_model *m, const sight *seen, const gradyn_scalar rho[])
{
  const gradyn_datum at = {"level", "", rho[SEEN_LEVEL]};
  const int event = gradyn_event(
      m, &(gradyn_event_spec){
             .name = "passes",
             .guard = {.terminal = level,
                       .data = &at,
                       .data_count = 1,
                       .points = seen->point,
                       .point_count = seen->count},
             .direction = GRADYN_RISING,
             .set = &(gradyn_component){seen->point[seen->count - 1], GRADYN_X},
             .set_count = 1,
             .reset = {.terminal = kick, .points = seen->point, .point_count = seen->count}});
  gradyn_event_time(m, "time", event, 1);
}

static void declare_measures(gradyn_model *m, const sight *seen, const gradyn_scalar rho[])
{
  const gradyn_datum data = {"arm", "m", rho[SEEN_ARM]};
  gradyn_measure_formula_spec spec = {.name = "turned",
                                      .formula = turned,
                                      .points = seen->point,
                                      .point_count = seen->count,
                                      .data = &data,
                                      .data_count = 1};
  const int first = gradyn_measure_formula(m, &spec);
  spec.name = "pushed";
  spec.formula = pushed;
  spec.of = &first;
  spec.count = 1;
  spec.needs_accelerations = true;
  gradyn_functional(m, &(gradyn_functional_spec){"turned", first, .reduction = GRADYN_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"pushed", gradyn_measure_formula(m, &spec),
                                                 .reduction = GRADYN_AT_END});
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const sight seen = declare_thrown(m, rho);
  const gradyn_datum data[] = {{"arm", "m", rho[SEEN_ARM]}, {"drag", "N m s", rho[SEEN_DRAG]}};
  gradyn_custom_functional_spec amounts = {.name = "end",
                                           .terminal = amount,
                                           .data = data,
                                           .data_count = 1,
                                           .points = seen.point,
                                           .point_count = seen.count};
  gradyn_custom_force(m, &(gradyn_custom_force_spec){.name = "drive",
                                                     .points = seen.point,
                                                     .point_count = seen.count,
                                                     .fn = drive,
                                                     .data = data,
                                                     .data_count = 2});
  gradyn_custom_constraint(m, &(gradyn_custom_constraint_spec){.name = "guide",
                                                               .points = seen.point,
                                                               .point_count = seen.count,
                                                               .fn = guide,
                                                               .data = data,
                                                               .data_count = 1});
  gradyn_custom_functional(m, &amounts);
  amounts.name = "integral";
  amounts.terminal = NULL;
  amounts.integrand = amount;
  gradyn_custom_functional(m, &amounts);
  declare_measures(m, &seen, rho);
  declare_event(m, &seen, rho);
  return gradyn_build_status(m);
}

static const gradyn_param params[SEEN_PARAMETERS] = {
    [SEEN_DRAG] = {"drag", "N m s", .init = 0.02, GRADYN_UNBOUNDED},
    [SEEN_ARM] = {"arm", "m", .init = 0.3, GRADYN_UNBOUNDED},
    [SEEN_SPIN] = {"spin", "rad/s", .init = 2, GRADYN_UNBOUNDED},
    [SEEN_LEVEL] = {"level", "", .init = 0.4, GRADYN_UNBOUNDED}};

gradyn_problem seen_bodies(const char *coordinates)
{
  return (gradyn_problem)PROBLEM("thrown", build, params, .settings = settings,
                                 .setting_count = GRADYN_COUNT(settings), .t_end = 0.3,
                                 .coordinates = coordinates);
}
