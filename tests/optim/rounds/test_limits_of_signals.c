/* Path constraints on signals whose knots are not parameters. They are enforced at the knots if these
 * suffice, for a spline also between them. Also a start that cannot be simulated. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

enum { KNOTS = 5 };
static const gradyn_param params[] = {
    {"share", "", .init = 0.1, .lower = -2, .upper = 2, .role = GRADYN_CONTROL, .count = KNOTS},
};
static const gradyn_setting settings[] = {{"kind", "of signal", 0, 0, GRADYN_CUBIC_SPLINE},
                                          {"broken", "start", 0, 0, 1}};

static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->y[1];
  F[1] = at->yp[1] - at->u[1];
  return creal(at->data[0]) > 0 ? GRADYN_NOT_CONVERGED : GRADYN_OK;
}

FORMULA(end, at->y[0])

FORMULA(swing, ccos(6 * at->t) * at->u[1])

/* Maximises the distance by forces that are sums of three parameters within |u| <= 1; a spline exceeds its
 * knots. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_scalar knots[KNOTS];
  for (int k = 0; k < KNOTS; k++)
    knots[k] = 3 * rho[k];
  const gradyn_datum broken = {"broken", "", gradyn_setting_value(m, "broken")};
  const gradyn_signal_kind kind = (gradyn_signal_kind)gradyn_setting_value(m, "kind");
  const int u = declare_signal(m, "u", "N", kind, KNOTS, knots);
  gradyn_state(m, "x", "m", 0);
  gradyn_state(m, "v", "m/s", 0);
  declare_equations(m, motion, &broken, 1);
  gradyn_path_constraint(m, "force", gradyn_measure_signal(m, "", u), -1, 1, 1e-8, NULL);
  const int far = declare_end(m, "far", "m", end);
  if (kind != GRADYN_CUBIC_SPLINE)
    gradyn_minimise(m, far, -1);
  else
    gradyn_minimise(m, declare_integral(m, "swing", "", swing), -1);
  return gradyn_build_status(m);
}

static const gradyn_problem problem = PROBLEM("forces", build, params, .t_end = 1,
                                              .settings = settings, .setting_count = 2);

static gradyn_search_result search_with(gradyn_evaluator *ev, gradyn_status expected)
{
  double rho[KNOTS];
  gradyn_search_result result;
  run_initial(ev, rho);
  gradyn_search search = run_search(ev);
  assert_status(gradyn_optimise(ev, &search, rho, &result), expected, result.reason);
  return result;
}

/* Costates of the distance, which do not depend on how the knots are bounded: lambda = (-1, t - 1). */
static void check_costates(gradyn_evaluator *ev, const gradyn_search_result *result)
{
  LOCAL(gradyn_costates) c;
  gradyn_search search = run_search(ev);
  assert_run(gradyn_search_costates(ev, &search, result, &c), ev);
  for (size_t k = 0; k < c.count; k++) {
    assert_close(c.costate[k * c.states], -1, 1e-9, 0);
    assert_close(c.costate[k * c.states + 1], c.t[k] - 1, 0, 1e-9);
  }
}

TEST(knots_are_all_of_a_signal_that_is_constant_or_linear_between_them)
{
  for (int kind = 0; kind < GRADYN_CUBIC_SPLINE; kind++) {
    run_local *ev = run_with(&problem, .rtol = 1e-10, .setting = "kind", .value = kind);
    LOCAL(gradyn_search_result) result = search_with(ev, GRADYN_OK);
    assert_int_equal(result.rounds, 1);
    assert_int_equal(result.path_point_count, 2 * KNOTS);
    assert_close(result.objective, -0.5, 1e-7, 0);
    for (int k = 0; k < KNOTS; k++)
      assert_close(result.rho[k], 1.0 / 3, 1e-7, 0);
    check_costates(ev, &result);
  }
}

TEST(a_spline_is_limited_between_its_knots)
{
  run_local *ev = run_with(&problem, .rtol = 1e-10, .setting = "kind",
                           .value = GRADYN_CUBIC_SPLINE);
  gradyn_signal_range range;
  LOCAL(gradyn_search_result) result = search_with(ev, GRADYN_OK);
  assert_true(result.rounds > 1);
  assert_run(gradyn_evaluator_preview(ev, result.rho, NULL, NULL, &range), ev);
  assert_close(range.most, 1, 1.01e-8, 0);
  assert_close(range.least, -1, 1.01e-8, 0);
  assert_true(range.t_most > 0 && range.t_most < 1);
}

TEST(a_start_that_fails_is_reported)
{
  run_local *ev = run_with(&problem, .rtol = 1e-10, .method = "explicit",
                           .settings = (gradyn_setting_choice[]){{"broken", 1}},
                           .setting_count = 1);
  LOCAL(gradyn_search_result) result = search_with(ev, GRADYN_NOT_CONVERGED);
  assert_says(result.reason, "the start point failed");
}

/* --- Bounds that jump with a signal ------------------------------------------------------------- */

enum { FORCES = 30 };
static const gradyn_param forces[] = {
    {"u", "N", .lower = -20, .upper = 20, .scale = 1, .role = GRADYN_CONTROL, .count = FORCES},
};

FORMULA(effort, at->u[1] * at->u[1] / 2)

FORMULA(power, at->u[1] * at->y[1])

FORMULA(speed, at->y[1] * at->y[1])

FORMULA(last_speed, at->y[1])

/* 1 m from rest to rest with the least effort, within a bound on the power or, with the setting `broken`,
 * on the squared velocity. */
static gradyn_status build_limited_power(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum none = {"none", "", 0};
  declare_signal(m, "u", "N", GRADYN_PIECEWISE_CONSTANT, FORCES, rho);
  gradyn_state(m, "x", "m", 0);
  gradyn_state(m, "v", "m/s", 0);
  declare_equations(m, motion, &none, 1);
  gradyn_minimise(m, declare_integral(m, "effort", "", effort), 1);
  gradyn_constrain(m, declare_end(m, "x_end", "m", end), 1, 1, 1e-8);
  gradyn_constrain(m, declare_end(m, "v_end", "m/s", last_speed), 0, 0, 1e-8);
  if (gradyn_setting_value(m, "broken") == 0)
    declare_limit(m, &(gradyn_custom_functional_spec){"power", "W", .integrand = power}, -3, 3,
                  1e-7);
  else
    declare_limit(m, &(gradyn_custom_functional_spec){"speed", "", .integrand = speed}, -HUGE_VAL,
                  2, 1e-7);
  return gradyn_build_status(m);
}

static const gradyn_problem limited_power = PROBLEM("limited power", build_limited_power, forces,
                                                    .t_end = 1, .settings = settings,
                                                    .setting_count = 2);

/* Searches; returns the number of sampled points of the first round. */
static size_t count_first(const char *algorithm, long segments, int broken, int *rounds)
{
  double rho[FORCES];
  size_t count = 0;
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&limited_power, .method = "explicit", .rtol = 1e-9, .setting = "broken",
                           .value = broken);
  run_initial(ev, rho);
  gradyn_search search = run_search(ev);
  search.algorithm = algorithm;
  search.segments = segments;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  if (broken == 0)
    assert_close(result.objective, 6.11557018, 0, 1e-6);
  for (size_t i = 0; i < result.path_point_count; i++)
    count += result.path_points[i].round == 1;
  *rounds = result.rounds;
  return count;
}

/* If the points on both sides of jumps were missing at first, searches would need three rounds. */
TEST(searches_begin_with_both_sides_of_jumps)
{
  int rounds;
  /* two bounds, 4 points and 29 jumps */
  assert_true(count_first("slsqp", 0, 0, &rounds) >= 2 * 2 * (FORCES - 1));
  assert_int_equal(rounds, 1);
  assert_int_equal(count_first("slsqp", 0, 1, &rounds), 4);
  if (gradyn_algorithm_unavailable_reason("ipopt") != NULL)
    return;
  assert_true(count_first("ipopt", 10, 0, &rounds) >= 2 * 2 * (FORCES - 1));
  assert_int_equal(rounds, 1);
  assert_int_equal(count_first("ipopt", 10, 1, &rounds), 30);
  /* all jumps are between segments */
  assert_true(count_first("ipopt", FORCES, 0, &rounds) >= 2 * 2 * (FORCES - 1));
  assert_int_equal(rounds, 1);
}
