/* Maxima over time inside the steps of a run: against dense samples of the motion and differences, with
 * events, knots and end times, direct against adjoint, on new and on used evaluators. Also narrow maxima
 * inside one step, and the number of evaluations. */
#include "tests/adjoint/compare.h"
#include "tests/declare.h"
#include "tests/runs.h"

#include <math.h>

/* --- a ball on a spring that is pushed and bounces ----------------------------------------------- */

enum { HEIGHT, STIFFNESS, END, PUSH, KNOTS = 4, NUMBERS = PUSH + KNOTS };
static const gradyn_param params[] = {
    {"height", "m", .init = 1, .lower = 0.1, .upper = 10},
    {"stiffness", "N/m", .init = 30, .lower = 1, .upper = 100},
    {"end", "s", .init = 1.3, .lower = 0.5, .upper = 5},
    {"push", "N", .init = 0.7, .lower = -9, .upper = 9, .count = KNOTS},
};

FORMULA(power, at->acc[2] * at->vel[2] + at->acc[3] * at->vel[3])
FORMULA(leaning, at->pos[3] + 0.3 * at->t)

/* A mass on a spring sideways, which falls to the ground. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int p = gradyn_point(m, "p", 0.1, rho[HEIGHT]),
            wall = gradyn_ground_point(m, "wall", -1, 1);
  gradyn_end_time(m, rho[END]);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_spring(m, &(gradyn_spring_spec){"s", wall, p, .k = rho[STIFFNESS], .free_length = 1});
  declare_push(m, "u", p, 1, 0.3,
               declare_signal(m, "u", "N", GRADYN_PIECEWISE_LINEAR, KNOTS, rho + PUSH));
  gradyn_impact(m, &(gradyn_impact_spec){"ground", p, GRADYN_Y, .restitution = 0.8});
  const int x = gradyn_measure_point(m, "x", p, 0, GRADYN_X),
            v = gradyn_measure_point(m, "v", p, 1, GRADYN_Y);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"right", x, .reduction = GRADYN_MAXIMUM, .scale = 1});
  gradyn_functional(m, &(gradyn_functional_spec){"fast", v, .reduction = GRADYN_MAXIMUM,
                                                 .magnitude = true, .scale = 1});
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "power",
             gradyn_measure_custom(
                 m, &(gradyn_custom_measure_spec){"power", "W", .formula = power, .hidden = true}),
             .reduction = GRADYN_MAXIMUM});
  gradyn_functional(m, &(gradyn_functional_spec){
                           "leaning",
                           gradyn_measure_custom(
                               m, &(gradyn_custom_measure_spec){"leaning", "m", .formula = leaning,
                                                                .hidden = true}),
                           .reduction = GRADYN_MAXIMUM});
  gradyn_path_constraint(m, "v", v, -3, 2.5, 1e-6, NULL);
  return gradyn_build_status(m);
}

enum { RIGHT, FAST, POWER, LEANING, OVER, UNDER, MAXIMA };

static const gradyn_problem bouncing = PROBLEM("bouncing", build, params, .t_end = 1.3);

static const double points[][NUMBERS] = {{1, 30, 1.3, 0.7, -2, 3, 1}, {0.4, 60, 0.9, -1, 4, 2, -3}};

/* The largest samples of quantities that the model outputs, or that follow from positions. */
static void sample(gradyn_evaluator *ev, const double rho[], double most[MAXIMA])
{
  enum { SAMPLES = 20001 };
  gradyn_trajectory *motion = gradyn_trajectory_create();
  double row[64];
  gradyn_trajectory_request(motion, SAMPLES);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, motion), ev);
  const size_t columns = gradyn_trajectory_read(motion).columns;
  assert_true(columns <= GRADYN_COUNT(row));
  for (int f = 0; f < MAXIMA; f++)
    most[f] = -HUGE_VAL;
  for (int i = 0; i < SAMPLES; i++) {
    const double t = rho[END] * i / (SAMPLES - 1);
    gradyn_trajectory_sample(motion, t, row);
    /* each row has position, velocity and acceleration of a point in the plane */
    const double g[MAXIMA] = {
        row[columns - 2], fabs(row[columns - 1]), row[4] * row[2] + row[5] * row[3],
        row[1] + 0.3 * t, row[columns - 1] - 2.5, -3 - row[columns - 1]};
    for (int f = 0; f < MAXIMA; f++)
      most[f] = fmax(most[f], g[f]);
  }
  gradyn_trajectory_free(motion);
}

/* No sample is larger than the exact maximum, and the largest one is close to it. */
static void compare_with_samples(gradyn_evaluator *ev, const double rho[])
{
  double psi[MAXIMA], most[MAXIMA];
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  sample(ev, rho, most);
  for (int f = 0; f < MAXIMA; f++)
    if (!(psi[f] >= most[f] - 1e-6 && psi[f] <= most[f] + 5e-3))
      fail_msg("%s: %.12g, samples reach %.12g", gradyn_functional_at(ev, (size_t)f).name, psi[f],
               most[f]);
}

static void compare_ways(const char *method, const double rho[])
{
  double psi[3][MAXIMA], gradient[2][MAXIMA * NUMBERS];
  run_local *direct = run_with(&bouncing, "direct", method, .rtol = 1e-10);
  run_local *adjoint = run_with(&bouncing, "adjoint", method, .rtol = 1e-10);
  assert_run(gradyn_evaluator_simulate(direct, rho, psi[0], NULL), direct);
  assert_run(gradyn_evaluator_gradient(direct, rho, psi[1], gradient[0]), direct);
  assert_run(gradyn_evaluator_gradient(adjoint, rho, psi[2], gradient[1]), adjoint);
  const double precision = strcmp(method, "idas") == 0 ? 5e-6 : 1e-8;
  assert_close_array(psi[0], psi[1], MAXIMA, precision, precision);
  assert_close_array(psi[1], psi[2], MAXIMA, precision, precision);
  assert_close_array(gradient[0], gradient[1], MAXIMA * NUMBERS, 10 * precision, 10 * precision);
}

static void compare_differences(const char *method, const double rho[])
{
  const bool loose = strcmp(method, "idas") == 0;
  run_local *ev = run_with(&bouncing, .method = method, .rtol = 1e-11);
  compare_with_differences(ev, rho, &(compare_allowed){.size = 3e-3, .rtol = loose ? 1e-4 : 1e-6});
}

TEST(samples_do_not_exceed_maxima)
{
  for (int k = 0; k < RUN_ADAPTIVE; k++)
    for (size_t i = 0; i < GRADYN_COUNT(points); i++) {
      run_local *ev = run_with(&bouncing, .method = run_adaptive[k], .rtol = 1e-9);
      compare_with_samples(ev, points[i]);
    }
}

THOROUGH_TEST(gradients_are_those_of_values)
{
  for (int k = 0; k < RUN_ADAPTIVE; k++)
    for (size_t i = 0; i < GRADYN_COUNT(points); i++) {
      compare_ways(run_adaptive[k], points[i]);
      compare_differences(run_adaptive[k], points[i]);
    }
}

TEST(used_evaluators_give_the_same_bits)
{
  for (int k = 0; k < RUN_ADAPTIVE; k++) {
    double psi[2][MAXIMA], other[MAXIMA];
    run_local *fresh = run_with(&bouncing, .method = run_adaptive[k]);
    run_local *used = run_with(&bouncing, .method = run_adaptive[k]);
    assert_run(gradyn_evaluator_simulate(used, points[1], other, NULL), used);
    assert_run(gradyn_evaluator_simulate(fresh, points[0], psi[0], NULL), fresh);
    assert_run(gradyn_evaluator_simulate(used, points[0], psi[1], NULL), used);
    assert_memory_equal(psi[0], psi[1], sizeof psi[0]);
  }
}

/* --- two narrow maxima inside one step ------------------------------------------------------------ */

static long calls; /* of the function */
static double first, second;

static gradyn_status two_peaks(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar a = (at->pos[2] - first) / 0.06, b = (at->pos[2] - second) / 0.06;
  calls++;
  *value = 1 / (1 + a * a) + 0.95 / (1 + b * b);
  return GRADYN_OK;
}

/* x = t, so that the steps are as long as the method permits. */
static gradyn_status build_sliding(gradyn_model *m, const gradyn_scalar rho[])
{
  const int p = gradyn_point(m, "p", 0, 0);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_initial_velocity(m, p, rho[0], 0);
  gradyn_coordinate(m, "y", p, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_functional(m, &(gradyn_functional_spec){
                           "peaks",
                           gradyn_measure_custom(
                               m, &(gradyn_custom_measure_spec){"peaks", "", .formula = two_peaks,
                                                                .hidden = true}),
                           .reduction = GRADYN_MAXIMUM});
  return gradyn_build_status(m);
}

static const gradyn_param sliding_params[] = {
    {"rate", "m/s", .init = 1, .lower = 0.1, .upper = 10}};
static const gradyn_problem sliding = PROBLEM("sliding", build_sliding, sliding_params, .t_end = 1);

/* The largest of fine samples. */
static double largest(void)
{
  double most = 0;
  for (int i = 0; i <= 1000000; i++) {
    const double a = (1e-6 * i - first) / 0.06, b = (1e-6 * i - second) / 0.06;
    most = fmax(most, 1 / (1 + a * a) + 0.95 / (1 + b * b));
  }
  return most;
}

TEST(two_maxima_inside_a_step_are_distinguished)
{
  static const char *const method[] = {"explicit", "radau"};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 20; i++) {
      double psi;
      first = 0.1 + 0.031 * i;
      second = first > 0.45 ? first - 0.3 : first + 0.3;
      run_local *ev = run_with(&sliding, .method = method[k]);
      assert_run(gradyn_evaluator_simulate(ev, &(double){1}, &psi, NULL), ev);
      assert_close(psi, largest(), 1e-9, 0);
    }
}

/* --- what is evaluated ---------------------------------------------------------------------------- */

TEST(functions_are_evaluated_where_requested)
{
  double psi;
  gradyn_trajectory *motion = gradyn_trajectory_create();
  run_local *ev = run_with(&sliding, .method = "explicit");
  assert_run(gradyn_evaluator_simulate(ev, &(double){1}, NULL, motion), ev);
  const long steps = (long)(gradyn_trajectory_read(motion).steps - 1) / 8;
  calls = 0;
  assert_run(gradyn_evaluator_simulate(ev, &(double){1}, NULL, NULL), ev);
  assert_true(calls <= 1); /* one evaluation at the end at most, as for other functionals */
  calls = 0;
  assert_run(gradyn_evaluator_simulate(ev, &(double){1}, &psi, NULL), ev);
  /* 16 intervals in each step, both ends of each step, and some more evaluations at the maximum */
  assert_in_range(calls, 16 * steps, 17 * steps + 80);
  gradyn_trajectory_free(motion);
}

/* --- Two maxima at nearly the same time ----------------------------------------------------------- */

FORMULA(tilted, at->pos[2] + at->data[0] * at->t)

static const gradyn_param apart_params[] = {{"start", "m", .init = 0.1, GRADYN_UNBOUNDED},
                                            {"rate", "m/s", .init = 1, GRADYN_UNBOUNDED},
                                            {"stiffness", "N/m", .init = 4, GRADYN_UNBOUNDED}};
static const gradyn_setting apart_settings[] = {
    {"apart", "-log10 of the time between, as part of the run", 10, 8, 14}};

/* Two functions: the position, and the position plus a small slope, whose maximum is later by a known time.
 */
static gradyn_status build_apart(gradyn_model *m, const gradyn_scalar rho[])
{
  const double apart = pow(10, -gradyn_setting_value(m, "apart"));
  const gradyn_datum none = {"c", "", 0}, slope = {"c", "", apart * 2.4 * 4 * sqrt(0.26)};
  const int p = gradyn_point(m, "p", rho[0], 0), wall = gradyn_ground_point(m, "wall", -10, 0);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_initial_velocity(m, p, rho[1], 0);
  gradyn_coordinate(m, "y", p, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_spring(m, &(gradyn_spring_spec){"s", wall, p, .k = rho[2], .free_length = 10});
  for (int k = 0; k < 2; k++)
    gradyn_functional(m, &(gradyn_functional_spec){
                             k == 0 ? "first" : "second",
                             gradyn_measure_custom(
                                 m, &(gradyn_custom_measure_spec){k == 0 ? "first" : "second", "m",
                                                                  .formula = tilted,
                                                                  .data = k == 0 ? &none : &slope,
                                                                  .data_count = 1, .hidden = true}),
                             .reduction = GRADYN_MAXIMUM});
  return gradyn_build_status(m);
}

static const gradyn_problem two_maxima = PROBLEM("two maxima", build_apart, apart_params,
                                                 .t_end = 2.4, .settings = apart_settings,
                                                 .setting_count = 1);

THOROUGH_TEST(maxima_at_nearly_the_same_time)
{
  const double rho[] = {0.1, 1, 4};
  for (int apart = 8; apart <= 14; apart++)
    for (int k = 0; k < RUN_METHODS; k++)
      for (int way = 0; way < 2; way++) {
        double psi[2], gradient[6];
        run_local *ev = run_with(&two_maxima, way ? "adjoint" : "direct", run_methods[k],
                                 .rtol = 1e-10, .step = 1e-3, .setting = "apart", .value = apart);
        assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
        assert_close(psi[1], psi[0], 1e-7, 0);
        assert_close_array(gradient + 3, gradient, 3, 1e-6, 1e-6);
      }
}
