/* Gradients with respect to the times of jumps, kinks and spline knots of signals. In every method direct
 * is compared with adjoint for all data, and with differences of whole runs. Air resistance and a moving
 * end time give steps of several lengths. */
#include "tests/adjoint/compare.h"
#include "tests/runs.h"
#include "tests/declare.h"

/* Schemes, with tolerances of direct against adjoint and against differences. Errors of idas follow its
 * tolerances. */
static const struct scheme {
  const char *method, *integrator;
  int order;
  double agreement, accuracy;
} schemes[] = {
    {"ali3p", NULL, 0, 1e-10, 1e-7},       {"ali3p", "generalised-alpha", 0, 1e-10, 1e-7},
    {"variational", NULL, 0, 1e-10, 1e-7}, {"explicit", NULL, 8, 1e-11, 1e-7},
    {"explicit", NULL, 5, 1e-11, 1e-7},    {"radau", NULL, 0, 1e-11, 1e-7},
    {"idas", NULL, 0, 1e-8, 1e-6}};

enum { P = 6, F = 7, FIRST = 0, SECOND = 1, GUST = 2, LEVEL = 3, DRAG = 4, END = 5 };

static const double rho[P] = {0.733, 1.291, 1.07, 1.9, 0.2, 2.217};

static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar *v = at->vel;
  gradyn_scalar speed = sqrt(v[0] * v[0] + v[1] * v[1] + 1e-6);
  for (int k = 0; k < 2; k++)
    force[k] = -at->data[0] * speed * v[k];
  return GRADYN_OK;
}

static gradyn_status mixture(const gradyn_at *at, gradyn_scalar *value)
{
  enum { X = 4, Y }; /* coordinates of the ball, which is the second point */
  *value = at->t * at->vel[Y] + at->acc[Y] * at->pos[X];
  return GRADYN_OK;
}

/* Forces through knots whose times are parameters; the last knot is at the end of the run. */
static void add_ramps(gradyn_model *mbs, const gradyn_scalar r[], int ball, int other)
{
  const gradyn_scalar ramp[] = {0.4, -r[LEVEL], 1.1, 0.3}, bend[] = {0, 1.4, r[LEVEL], -0.7};
  const gradyn_scalar times[] = {0, 0.5 * r[FIRST], 0.7 * r[SECOND], r[END]};
  const gradyn_scalar knots[] = {0.15, 0.55 * r[FIRST], 0.75 * r[SECOND], r[END]};
  const int up = gradyn_signal(mbs, &(gradyn_signal_spec){.name = "ramp",
                                                          .kind = GRADYN_PIECEWISE_LINEAR,
                                                          .count = 4,
                                                          .knots = ramp,
                                                          .times = times});
  const int smooth = gradyn_signal(mbs, &(gradyn_signal_spec){.name = "smooth",
                                                              .kind = GRADYN_CUBIC_SPLINE,
                                                              .count = 4,
                                                              .knots = bend,
                                                              .times = knots});
  const int step = gradyn_signal(mbs, &(gradyn_signal_spec){.name = "step",
                                                            .kind = GRADYN_PIECEWISE_CONSTANT,
                                                            .count = 4,
                                                            .knots = bend,
                                                            .times = knots});
  gradyn_force(mbs, &(gradyn_force_spec){"pull", ball, 0.6, 1, up, 0});
  gradyn_force(mbs, &(gradyn_force_spec){"sway", other, -1, 0.7, smooth, 0});
  gradyn_force(mbs, &(gradyn_force_spec){"kick", ball, 0.3, 0.2, step, 0});
}

/* The bob of a pendulum and a free mass, joined by a spring. Forces on both jump; one of the times belongs
 * to a grid that ends with the run. With the setting `floor` the free mass bounces. */
static void declare(gradyn_model *mbs, const gradyn_scalar r[], bool ramps)
{
  const gradyn_scalar levels[] = {2, -r[LEVEL], 1}, times[] = {r[FIRST], r[SECOND]};
  const gradyn_scalar gusts[] = {-1, r[LEVEL], 0.5, -0.2};
  int pivot = gradyn_ground_point(mbs, "pivot", -1.5, 0.9);
  int ball = gradyn_point(mbs, "ball", 0, 1.1), other = gradyn_point(mbs, "other", -0.9, 1.3);
  gradyn_initial_velocity(mbs, ball, 0.3, 0);
  gradyn_point_mass(mbs, "ball", ball, 1);
  gradyn_point_mass(mbs, "other", other, 0.7);
  gradyn_rod(mbs, &(gradyn_rod_spec){"arm", pivot, other, .mass = 0.2});
  gradyn_spring(mbs, &(gradyn_spring_spec){"rubber", other, ball, .k = 3, .free_length = 0.8});
  gradyn_gravity(mbs, 0, -3);
  gradyn_end_time(mbs, r[END]);
  int push = gradyn_signal(
      mbs, &(gradyn_signal_spec){"push", "", GRADYN_SWITCHED, 3, levels, .times = times});
  int gust = gradyn_signal(mbs, &(gradyn_signal_spec){.name = "gust",
                                                      .kind = GRADYN_PIECEWISE_CONSTANT,
                                                      .count = 4,
                                                      .knots = gusts,
                                                      .t_start = r[GUST] / 5});
  gradyn_force(mbs, &(gradyn_force_spec){"jet", ball, 1, 0.4, push, 0});
  gradyn_force(mbs, &(gradyn_force_spec){"wind", other, 0.7, -1, gust, 0});
  if (ramps)
    add_ramps(mbs, r, ball, other);
  const gradyn_datum air = {"drag", "N s^2/m^2", r[DRAG]};
  declare_force(mbs, "air", ball, drag, &air, 1);
  if (gradyn_setting_value(mbs, "floor"))
    gradyn_impact(mbs, &(gradyn_impact_spec){
                           .name = "floor", .point = ball, .axis = GRADYN_Y, .restitution = 0.8});
  gradyn_custom_functional_spec spec = {"along", "m", .integrand = mixture};
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"vx", gradyn_measure_point(mbs, "", other, 1, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "speed", gradyn_measure_point(mbs, "", ball, 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1, 0}});
  gradyn_functional(mbs, &(gradyn_functional_spec){"effort", gradyn_measure_signal(mbs, "", push),
                                                   .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_custom_functional(mbs, &spec);
  spec = (gradyn_custom_functional_spec){"early", "m/s", .terminal = mixture, .instant = 1};
  gradyn_custom_functional(mbs, &spec);
  spec = (gradyn_custom_functional_spec){"late", "m/s", .terminal = mixture};
  gradyn_custom_functional(mbs, &spec);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  declare(mbs, r, false);
  return gradyn_build_status(mbs);
}

static gradyn_status build_ramps(gradyn_model *mbs, const gradyn_scalar r[])
{
  declare(mbs, r, true);
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_setting settings[] = {{"floor", "a floor to bounce off", 0, 0, 1}};
static const gradyn_problem problem = PROBLEM("jumps", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = 2);
static const gradyn_problem ramped = PROBLEM("ramps", build_ramps, params, .settings = settings,
                                             .setting_count = 1, .t_end = 2);

/* step 0: error control, for methods that have it. */
static gradyn_evaluator *open_with(const gradyn_problem *of, const struct scheme *scheme,
                                   const char *sensitivity, int floor, double step, double memory)
{
  bool idas = strcmp(scheme->method, "idas") == 0;
  gradyn_evaluator *ev = run_with(of, .method = scheme->method, .integrator = scheme->integrator,
                                  .order = scheme->order, .sensitivity = sensitivity, .step = step,
                                  .rtol = idas ? 1e-12 : 1e-11, .memory = memory,
                                  .setting = "floor", .value = floor);
  assert_int_equal(gradyn_functional_count(ev), F);
  return ev;
}

static bool has_step(const struct scheme *scheme)
{
  return strcmp(scheme->method, "idas") != 0;
}

static bool knows_events(const struct scheme *scheme)
{
  return strcmp(scheme->method, "explicit") != 0;
}

/* With respect to all data; with little memory, nodes are recomputed. */
TEST(direct_and_adjoint_agree)
{
  for (size_t k = 0; k < 2 * GRADYN_COUNT(schemes); k++) {
    if (!support_takes((int)k + 1, 3))
      continue;
    const struct scheme *scheme = &schemes[k / 2];
    int floor = k % 2 && knows_events(scheme);
    double step = has_step(scheme) ? 0.02 : 0;
    run_local *direct = open_with(&ramped, scheme, "direct", floor, step, 0);
    run_local *adjoint = open_with(&ramped, scheme, "adjoint", floor, step, k % 2 ? 3e4 : 0);
    compare_by_data(direct, adjoint, rho,
                    &(compare_bounds){.values = step > 0 ? 0 : 1e-8, .share = scheme->agreement});
    assert_true(gradyn_evaluator_statistics(direct).events >= (size_t)floor);
    assert_true(gradyn_evaluator_statistics(adjoint).events >= (size_t)floor);
  }
}

TEST(gradients_are_those_of_differences)
{
  for (size_t k = 0; k < 2 * GRADYN_COUNT(schemes); k++) {
    if (!support_takes((int)k, 3))
      continue;
    const struct scheme *scheme = &schemes[k / 2];
    int floor = k % 2 && knows_events(scheme);
    /* in runs with events, moving arc boundaries pass fixed steps, with kinks of O(step^2): differences are
     * small */
    const double near = floor ? 3e-6 : 3e-4;
    /* with error control the error changes with the data, so differences are wider to reduce its effect */
    const double h = has_step(scheme) ? near : 2e-3;
    double atol[F];
    run_local *ev = open_with(floor ? &problem : &ramped, scheme, "adjoint", floor,
                              has_step(scheme) ? 0.02 : 0, 0);
    for (int f = 0; f < F; f++)
      atol[f] = scheme->accuracy / 10;
    compare_with_differences(ev, rho,
                             &(compare_allowed){h, .rtol = scheme->accuracy, .atol = atol});
  }
}

/* Half the step gives a quarter of the error, although no jump is at a multiple of the step. */
TEST(order_is_kept)
{
  double exact[F], psi[2][F];
  gradyn_evaluator *ev = open_with(&problem, &schemes[3], "adjoint", 0, 0, 0);
  assert_int_equal(gradyn_evaluator_simulate(ev, rho, exact, NULL), GRADYN_OK);
  gradyn_evaluator_free(ev);
  for (size_t k = 0; k < 3; k++) {
    for (int half = 0; half < 2; half++) {
      ev = open_with(&problem, &schemes[k], "adjoint", 0, half ? 0.0025 : 0.005, 0);
      assert_int_equal(gradyn_evaluator_simulate(ev, rho, psi[half], NULL), GRADYN_OK);
      gradyn_evaluator_free(ev);
    }
    for (int f = 0; f < F; f++) {
      double error = fabs(psi[0][f] - exact[f]);
      if (error > 1e-9) /* the effort is exact */
        assert_close(error / fabs(psi[1][f] - exact[f]), 4, 0.1, 0);
    }
  }
}
