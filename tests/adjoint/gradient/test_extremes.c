/* Exact extremes of runs against closed forms. Also warnings of a search about bounds that only the smooth
 * maximum satisfies. */
#include "tests/runs.h"
#include "tests/declare.h"

#define PI 3.14159265358979323846

enum { START, RATE, PARAMETERS };
static const gradyn_param params[] = {
    [START] = {"start", "m", .init = 0.1, .lower = -2, .upper = 2},
    [RATE] = {"rate", "m/s", .init = 1, .lower = -2, .upper = 2},
};

FORMULA(position, at->pos[2])

/* A mass on a spring of 4 N/m, x = a cos 2t + b/2 sin 2t. Functionals: maxima of its position, of the
 * spring's force and of its speed. */
static gradyn_status build_oscillator(gradyn_model *m, const gradyn_scalar rho[])
{
  int p = gradyn_point(m, "p", rho[START], 0);
  int wall = gradyn_ground_point(m, "wall", -10, 0);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_initial_velocity(m, p, rho[RATE], 0);
  gradyn_coordinate(m, "y", p, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_spring(m, &(gradyn_spring_spec){"s", wall, p, .k = 4, .free_length = 10});
  gradyn_functional(m, &(gradyn_functional_spec){
                           "x_most",
                           gradyn_measure_custom(
                               m, &(gradyn_custom_measure_spec){"x_most", "m", .formula = position,
                                                                .hidden = true}),
                           .reduction = GRADYN_SMOOTH_MAXIMUM, .sharpness = 40});
  int v = gradyn_measure_point(m, "v", p, 1, GRADYN_X);
  gradyn_functional(m, &(gradyn_functional_spec){"v_most", v, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                 .scale = 0.5, .sharpness = 30});
  gradyn_functional(m, &(gradyn_functional_spec){"v_peak", v, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                 .magnitude = true, .scale = 0.5, .sharpness = 30});
  int a = gradyn_measure_point(m, "a", p, 2, GRADYN_X);
  gradyn_functional(m, &(gradyn_functional_spec){"a_least", a, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                 .scale = -2, .sharpness = 30});
  gradyn_minimise(m, declare_functional(m, "i", v, GRADYN_INTEGRAL), 1);
  return gradyn_build_status(m);
}

static const gradyn_problem oscillator = PROBLEM("oscillator", build_oscillator, params,
                                                 .summary = "", .t_end = 2.4);

static gradyn_evaluator *open(const gradyn_problem *problem, const char *method)
{
  const bool fixed = strcmp(method, "ali3p") == 0 || strcmp(method, "variational") == 0;
  return run_with(problem, .method = method, .step = fixed ? 1e-3 : 0, .rtol = fixed ? -1 : 0,
                  .atol = fixed ? -1 : 0);
}

static const struct {
  const char *name;
  double tolerance;
} methods[] = {{"explicit", 1e-6}, {"idas", 1e-6}, {"ali3p", 2e-6}, {"variational", 2e-6}};

/* Every method finds the maxima of x, v and |v| and the minimum of a between its steps. */
TEST(tops_lie_between_steps)
{
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
    run_local *evaluator = open(&oscillator, methods[k].name);
    const double rho[] = {0.1, 1}, tolerance = methods[k].tolerance;
    gradyn_extreme most[5];
    assert_run(gradyn_evaluator_extremes(evaluator, rho, most), evaluator);
    /* x = A cos(2 t - c), where A is the length of (a, b/2) and c its angle; v = -2 A sin, a = -4 A cos */
    const double A = hypot(0.1, 0.5), c = atan2(0.5, 0.1);
    assert_close(most[0].value, A, tolerance, 0);
    assert_close(most[0].t, c / 2, 0, 1e-3);
    /* v is largest at the start; |v| is largest at 2 t = c + PI/2, and again at c + 3 PI/2 */
    assert_close(most[1].value, 1 / 0.5, tolerance, 0);
    assert_close(most[1].t, 0, 0, 0);
    assert_close(most[2].value, 2 * A / 0.5, tolerance, 0);
    assert_close(most[2].t, (c + PI / 2) / 2, 0, 1e-3);
    assert_close(most[3].value, 4 * A / 2, 3 * tolerance, 0);
    assert_close(most[3].t, c / 2, 0, 1e-3);
    assert_true(isnan(most[0].t_second));
    assert_true(isnan(most[4].value)); /* an integral is no maximum */
  }
}

/* In one and a half periods |v| reaches its maximum twice; both times are reported. */
TEST(ties_are_reported)
{
  gradyn_problem longer = oscillator;
  longer.t_end = 4;
  run_local *evaluator = open(&longer, "explicit");
  const double rho[] = {0.1, 1}, c = atan2(0.5, 0.1);
  gradyn_extreme most[5];
  assert_run(gradyn_evaluator_extremes(evaluator, rho, most), evaluator);
  const double first = (c + PI / 2) / 2, second = first + PI / 2;
  assert_close(fmin(most[2].t, most[2].t_second), first, 0, 1e-3);
  assert_close(fmax(most[2].t, most[2].t_second), second, 0, 1e-3);
}

static double loss; /* of the tops, 1/s */

FORMULA(fading_position, at->pos[2] * (1 - loss * at->t))

static gradyn_status build_fading(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "fading",
             gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"fading", "m",
                                                                    .formula = fading_position,
                                                                    .hidden = true}),
             .reduction = GRADYN_SMOOTH_MAXIMUM, .sharpness = 40});
  return build_oscillator(m, rho);
}

/* Local maxima of x (1 - loss t) follow each other at distances of PI. They count as equal if they differ
 * by less than the accuracy of the run, and as different otherwise. */
TEST(what_is_nearly_as_high_is_no_tie)
{
  gradyn_problem problem = oscillator;
  problem.t_end = 4;
  problem.build = build_fading;
  const double rho[] = {0.1, 1}, c = atan2(0.5, 0.1);
  for (int k = 0; k < 2; k++) {
    gradyn_extreme most[6];
    loss = k == 0 ? 1e-8 : 1e-5;
    run_local *evaluator = open(&problem, "explicit");
    assert_run(gradyn_evaluator_extremes(evaluator, rho, most), evaluator);
    assert_close(most[0].t, c / 2, 0, 1e-3);
    if (k == 0)
      assert_close(most[0].t_second, c / 2 + PI, 0, 1e-3);
    else
      assert_true(isnan(most[0].t_second));
  }
}

TEST(nothing_is_refused)
{
  run_local *evaluator = open(&oscillator, "explicit");
  const double rho[] = {0.1, 1};
  assert_int_equal(gradyn_evaluator_extremes(NULL, rho, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_extremes(evaluator, rho, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_preview(NULL, rho, NULL, NULL, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_preview(evaluator, NULL, NULL, NULL, NULL), GRADYN_INVALID);
}

/* --- limits in a search ------------------------------------------------------------------------- */

/* The speed is maximised, with a smooth bound of 1 m/s. */
static gradyn_status build_limited(gradyn_model *m, const gradyn_scalar rho[])
{
  int p = gradyn_point(m, "p", 0, 0);
  int wall = gradyn_ground_point(m, "wall", -10, 0);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_initial_velocity(m, p, rho[0], 0);
  gradyn_coordinate(m, "y", p, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_spring(m, &(gradyn_spring_spec){"s", wall, p, .k = 4, .free_length = 10});
  int v = gradyn_measure_point(m, "v", p, 1, GRADYN_X);
  gradyn_minimise(
      m, declare_functional(m, "x", gradyn_measure_point(m, "", p, 0, GRADYN_X), GRADYN_AT_END),
      -1);
  gradyn_constrain(
      m,
      gradyn_functional(m,
                        &(gradyn_functional_spec){"peak", v, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                  .magnitude = true, .scale = 1, .sharpness = 20}),
      -INFINITY, 1, 1e-6);
  return gradyn_build_status(m);
}

static const gradyn_param limited_params[] = {{"v", "m/s", .init = 0.5, .lower = 0, .upper = 3}};

TEST(a_limit_that_is_exceeded_is_not_optimal)
{
  const gradyn_problem problem = PROBLEM("limited", build_limited, limited_params, .summary = "",
                                         .t_end = 0.7);
  run_local *evaluator = open(&problem, "explicit");
  LOCAL(gradyn_search_result) result;
  gradyn_search search = run_search(evaluator);
  assert_status(gradyn_optimise(evaluator, &search, &(double){0.5}, &result), GRADYN_INFEASIBLE,
                result.reason);
  assert_string_equal(gradyn_termination_name(result.termination), "infeasible");
  assert_true(result.psi[1] <= 1 + 1e-6);
  /* the initial speed is the largest */
  assert_close(result.extreme[1].value, result.rho[0], 1e-9, 0);
  assert_close(result.extreme[1].t, 0, 0, 0);
  assert_true(result.extreme[1].value > 1.02);
  const gradyn_warning told = run_found(&result, GRADYN_WARNING_SMOOTH_MAXIMUM);
  assert_string_equal(told.subject, "peak");
  assert_true(told.value == result.extreme[1].value && told.t == 0 && told.limit == 1);
}

/* --- signals ------------------------------------------------------------------------------------ */

enum { KNOTS = 6 };
static const gradyn_param knots[] = {
    {"u", "N", .init = 1, .lower = 0, .upper = 20, .count = KNOTS}};

/* A force given by a spline, and a second spline with twice its knots. */
static gradyn_status build_signals(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_scalar twice[KNOTS];
  int p = gradyn_point(m, "p", 0, 0);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_coordinate(m, "y", p, GRADYN_Y, &(gradyn_time_function){.value = 0});
  for (int k = 0; k < KNOTS; k++)
    twice[k] = 2 * rho[k];
  int u = declare_signal(m, "u", "N", GRADYN_CUBIC_SPLINE, KNOTS, rho);
  int w = declare_signal(m, "w", "N", GRADYN_PIECEWISE_LINEAR, KNOTS, twice);
  declare_push(m, "f", p, 1, 0, u);
  declare_push(m, "g", p, -1, 0, w);
  gradyn_minimise(
      m, declare_functional(m, "x", gradyn_measure_point(m, "", p, 0, GRADYN_X), GRADYN_AT_END),
      -1);
  return gradyn_build_status(m);
}

/* Extremes of a spline are those of a fine table of its values. Bounds apply if the knots themselves are
 * parameters. */
TEST(signals_go_beyond_their_knots)
{
  const gradyn_problem problem = PROBLEM("signals", build_signals, knots, .summary = "",
                                         .t_end = 3);
  run_local *evaluator = open(&problem, "explicit");
  const double rho[KNOTS] = {0, 20, 20, 0, 0, 20};
  gradyn_signal_range range[2];
  double least = 0, most = 0;
  assert_run(gradyn_evaluator_preview(evaluator, rho, NULL, NULL, range), evaluator);
  for (int i = 0; i <= 30000; i++) {
    const double u = gradyn_signal_sample(evaluator, 0, 1e-4 * i);
    least = fmin(least, u);
    most = fmax(most, u);
  }
  assert_true(least < -0.5 && most > 20.5);
  assert_close(range[0].least, least, 0, 1e-6);
  assert_close(range[0].most, most, 0, 1e-6);
  assert_close(gradyn_signal_sample(evaluator, 0, range[0].t_most), range[0].most, 1e-12, 0);
  assert_close(range[0].lower, 0, 0, 0);
  assert_close(range[0].upper, 20, 0, 0);
  /* these knots are twice the parameters, so that no bound of the user applies to them */
  assert_close(range[1].most, 40, 1e-12, 0);
  assert_true(isinf(range[1].upper) && isinf(range[1].lower));
}

/* A search warns if a spline exceeds the bounds of its knots by a relevant amount. If the first knot is 20
 * N minus a millionth, and the others are 20 N, the excess is below 1e-7 of the bounds and there is no
 * warning. */
TEST(signals_beyond_their_knots_are_remarked_on)
{
  static const double rho[][KNOTS] = {{0, 20, 20, 0, 0, 20}, {20 - 1e-6, 20, 20, 20, 20, 20}};
  const gradyn_problem problem = PROBLEM("signals", build_signals, knots, .summary = "",
                                         .t_end = 3);
  for (size_t k = 0; k < GRADYN_COUNT(rho); k++) {
    run_local *evaluator = open(&problem, "explicit");
    gradyn_signal_range range[2];
    LOCAL(gradyn_search_result) result;
    assert_run(gradyn_evaluator_preview(evaluator, rho[k], NULL, NULL, range), evaluator);
    assert_true(range[0].most > 20 + 1e-9);
    gradyn_search search = run_search(evaluator);
    search.max_evaluations = 1;
    (void)gradyn_optimise(evaluator, &search, rho[k], &result);
    const gradyn_warning told = run_found(&result, GRADYN_WARNING_CONTROL_OVERSHOOT);
    if ((told.code != 0) != (k == 0))
      fail_msg("%zu: %s", k, told.text);
    if (k == 0)
      assert_true(told.limit == 20 && told.value > 20);
  }
}

/* With so many parameters, the derivatives of data are found in groups, by few builds. */
enum { MANY = 40 };
static const gradyn_param many[] = {{"u", "N", .init = 0, .lower = -3, .upper = 20, .count = MANY}};
static double stretch;

static gradyn_status build_many(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_scalar knot[MANY];
  int p = gradyn_point(m, "p", 0, 0);
  gradyn_point_mass(m, "p", p, 1);
  for (int k = 0; k < MANY; k++)
    knot[k] = stretch * rho[k];
  int u = declare_signal(m, "u", "N", GRADYN_PIECEWISE_LINEAR, MANY, knot);
  declare_push(m, "f", p, 1, 0, u);
  gradyn_minimise(
      m, declare_functional(m, "x", gradyn_measure_point(m, "", p, 0, GRADYN_X), GRADYN_AT_END), 1);
  return gradyn_build_status(m);
}

/* Bounds apply to knots that equal a parameter up to round-off of their slopes. They do not apply to knots
 * that are slightly larger, even if all values are 0. */
TEST(bounds_are_those_of_knots_that_are_parameters)
{
  const gradyn_problem problem = PROBLEM("many", build_many, many, .summary = "", .t_end = 3);
  const double rho[MANY] = {0};
  for (int k = 0; k < 2; k++) {
    gradyn_signal_range range;
    stretch = k == 0 ? 1 : 1 + 1e-10;
    run_local *evaluator = open(&problem, "explicit");
    assert_run(gradyn_evaluator_preview(evaluator, rho, NULL, NULL, &range), evaluator);
    assert_true(k == 0 ? range.lower == -3 && range.upper == 20 : isinf(range.upper) != 0);
  }
}
