/* Gradients of fixed-step schemes through events: direct against adjoint for all data, and against
 * differences of whole runs. The model has air resistance; without it the rate of the discrete step would
 * equal that of the motion. */
#include "tests/adjoint/compare.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <tgmath.h>

/* A scheme, with its integrator (ali3p) or order (explicit); `tolerance` is that of direct against adjoint.
 */
static const struct scheme {
  const char *method, *integrator;
  int order;
  double agree;
} schemes[] = {{"ali3p", NULL, 0, 1e-10},       {"ali3p", "generalised-alpha", 0, 1e-10},
               {"variational", NULL, 0, 1e-10}, {"explicit", NULL, 8, 1e-11},
               {"explicit", NULL, 5, 1e-11},    {"radau", NULL, 0, 1e-11}};

enum { P = 7, F = 9, LEVEL = 2, END = 6 };

/* Obstacle of the ball. RUBBED is the floor with a multiplier-dependent force on the arm. */
enum { FLOOR, HILL, RUBBED };
static const double step = 0.02; /* s */

static const double rho[P] = {1.1, 0.9, 0.05, 0.1, 3.0, 0.3, 2.5};

/* Drag in gusts: a force that depends on time, and so changes with the time of events. */
static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar v[] = {at->vel[0] - 2 * sin(5 * at->t), at->vel[1]};
  gradyn_scalar speed = sqrt(v[0] * v[0] + v[1] * v[1] + 1e-6);
  for (int k = 0; k < 2; k++)
    force[k] = -at->data[0] * speed * v[k];
  return GRADYN_OK;
}

/* A friction at the arm that increases with the multiplier of the rod. */
static gradyn_status rub(const gradyn_at *at, gradyn_scalar force[])
{
  for (int k = 0; k < 2; k++)
    force[k] = -at->data[0] * sqrt(at->lam[0] * at->lam[0] + 1) * at->vel[k];
  return GRADYN_OK;
}

/* Declares the drag of the air, and the friction at point `rubbed`; -1: none. */
static void declare_resistance(gradyn_model *mbs, int ball, int rubbed, gradyn_scalar air)
{
  const gradyn_datum density = {"drag", "N s^2/m^2", air}, rough = {"rough", "s/m", 0.05};
  declare_force(mbs, "air", ball, drag, &density, 1);
  if (rubbed >= 0)
    gradyn_custom_force(mbs, &(gradyn_custom_force_spec){.name = "rub",
                                                         .points = &rubbed,
                                                         .point_count = 1,
                                                         .fn = rub,
                                                         .data = &rough,
                                                         .data_count = 1,
                                                         .reads = (const char *[]){"arm"},
                                                         .read_count = 1});
}

/* Gap to a round hill, the distance from its centre minus its radius, with its time derivatives. */
static gradyn_status hill(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *r = at->pos, *v = at->vel, *a = at->acc, R = at->data[0];
  gradyn_scalar x = r[0], y = r[1] + 4;
  if (order == 0)
    *value = (x * x + y * y) / (2 * R) - R / 2;
  else if (order == 1)
    *value = (x * v[0] + y * v[1]) / R;
  else
    *value = (v[0] * v[0] + v[1] * v[1] + x * a[0] + y * a[1]) / R;
  return GRADYN_OK;
}

enum { BALL = 2 }; /* its number among the points */

FORMULA(speed_of,
        at->t * at->vel[2 * BALL + 1] + at->acc[2 * BALL + 1] * at->pos[2 * BALL] + at->data[0])

/* A ball on the end of a rod bounces off a moving floor or a hill. A parameter is the end time. */
static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  const int ground = gradyn_setting_value(mbs, "ground"), on_hill = ground == HILL;
  int pivot = gradyn_ground_point(mbs, "pivot", -1.5, 0.9);
  int ball = gradyn_point(mbs, "ball", 0, r[0]), other = gradyn_point(mbs, "other", -0.9, 1.3);
  gradyn_initial_velocity(mbs, ball, 0.3, 0);
  gradyn_point_mass(mbs, "ball", ball, 1);
  gradyn_point_mass(mbs, "other", other, 0.7);
  gradyn_rod(mbs, &(gradyn_rod_spec){"arm", pivot, other, .mass = 0.2});
  gradyn_spring(
      mbs, &(gradyn_spring_spec){"rubber", other, ball, .k = r[4], .c = 0.1, .free_length = 0.8});
  gradyn_gravity(mbs, 0, -9.81);
  declare_resistance(mbs, ball, ground == RUBBED ? other : -1, r[3]);
  const gradyn_datum radius = {"radius", "m", 4 + r[LEVEL]};
  const gradyn_custom_constraint_spec gap = {
      .points = &ball, .point_count = 1, .fn = hill, .data = &radius, .data_count = 1};
  const gradyn_time_function level = {
      .value = r[LEVEL] / 5, .amplitude = r[LEVEL] / 5, .frequency = 7};
  int floor = gradyn_impact(mbs, &(gradyn_impact_spec){"floor", ball, GRADYN_Y, level,
                                                       .gap = on_hill ? &gap : NULL,
                                                       .restitution = r[1]});
  gradyn_end_time(mbs, r[END]);
  const gradyn_datum own = {"shift", "m/s", r[5]};
  const gradyn_custom_functional_spec at_event = {"before", "m/s", .terminal = speed_of,
                                                  .data = &own, .data_count = 1};
  gradyn_custom_functional_spec behind = at_event, along = at_event;
  behind.name = "after";
  along.name = "along";
  along.integrand = speed_of;
  along.terminal = NULL;
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"vx", gradyn_measure_point(mbs, "", other, 1, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "speed", gradyn_measure_point(mbs, "", ball, 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1, 0}});
  gradyn_custom_functional(mbs, &along);
  gradyn_event_time(mbs, "second", floor, 2);
  gradyn_event_impulse(mbs, "impulse", GRADYN_ANY_EVENT, 2);
  declare_before_event(mbs, &at_event, floor, 2);
  declare_after_event(mbs, &behind, floor, 1);
  const gradyn_scalar knots[] = {1, 2, r[5]};
  gradyn_signal_spec u = {.name = "u", .kind = GRADYN_CUBIC_SPLINE, .count = 3, .knots = knots};
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "effort", gradyn_measure_signal(mbs, "", gradyn_signal(mbs, &u)),
                             .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_setting settings[] = {{"ground", "floor, hill, or a rubbed arm", 0, 0, RUBBED}};
static const gradyn_problem problem = PROBLEM("bounces", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = 2.5);

static gradyn_evaluator *open_with(const struct scheme *scheme, const char *sensitivity, int ground,
                                   double memory)
{
  gradyn_evaluator *ev = run_with(&problem, .method = scheme->method,
                                  .integrator = scheme->integrator, .sensitivity = sensitivity,
                                  .order = scheme->order, .step = step, .memory = memory,
                                  .setting = "ground", .value = ground);
  assert_int_equal(gradyn_functional_count(ev), F);
  return ev;
}

static void compare_ways(const struct scheme *scheme, int ground, double memory)
{
  run_local *direct = open_with(scheme, "direct", ground, 0);
  run_local *adjoint = open_with(scheme, "adjoint", ground, memory);
  compare_by_data(direct, adjoint, rho, &(compare_bounds){.share = scheme->agree});
  assert_true(gradyn_evaluator_statistics(direct).events >= 2);
  assert_true(gradyn_evaluator_statistics(adjoint).events >= 2);
}

/* With respect to all data, including the end time. With little memory, nodes are recomputed. */
TEST(direct_and_adjoint_agree)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    compare_ways(&schemes[k], FLOOR, 0);
    compare_ways(&schemes[k], HILL, 3e4);
  }
}

/* Multipliers that forces have read before an event must have no effect after it. */
TEST(readers_of_multipliers_start_afresh)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++)
    if (strcmp(schemes[k].method, "ali3p") == 0)
      compare_ways(&schemes[k], RUBBED, 0);
}

static bool reads_accelerations(int f)
{
  return f == 3 || f == 6 || f == 7; /* along, before, after */
}

TEST(gradients_are_those_of_differences)
{
  /* an event that passes the end of a step causes a kink of O(step^2), so the differences are small */
  const double h = 3e-6;
  /* accelerations have the round-off of positions divided by the square of the step */
  const double noise = 2e-16 / (step * step) / h;
  double atol[F];
  for (int f = 0; f < F; f++)
    atol[f] = reads_accelerations(f) ? noise : 1e-8;
  for (size_t k = 0; k < 2 * GRADYN_COUNT(schemes); k++) {
    run_local *ev = open_with(&schemes[k / 2], "adjoint", k % 2, 0);
    compare_with_differences(ev, rho, &(compare_allowed){h, .rtol = 1e-7, .atol = atol});
  }
}
