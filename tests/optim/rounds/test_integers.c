/* Integer controls: fishing with one fleet and with three modes (Sager 2005; relaxed optima 1.34408 and
 * 1.82875 of the collection mintOC), and models whose signals cannot be rounded. */
#include "tests/declare.h"
#include "tests/runs.h"

#include <string.h>

extern const gradyn_problem gradyn_problem_fishing;

enum { MOST = 400, MODES = 3 };

/* The rates of prey, predators and deviation for effective fishing rates. */
static void rates(const double y[3], double prey, double predators, double out[3])
{
  out[0] = y[0] * (1 - y[1] - prey);
  out[1] = y[1] * (y[0] - 1 - predators);
  out[2] = (y[0] - 1) * (y[0] - 1) + (y[1] - 1) * (y[1] - 1);
}

/* The deviation at t = 12 by the classical method of Runge and Kutta; prey, predators [n]: the rates. */
static double fished(int n, const double prey[], const double predators[])
{
  enum { STEPS = 200 };
  const double h = 12.0 / n / STEPS;
  double y[3] = {0.5, 0.7, 0};
  for (int k = 0; k < n * STEPS; k++) {
    double r[4][3], at[3];
    for (int s = 0; s < 4; s++) {
      const double part = s == 0 ? 0 : s == 3 ? h : h / 2;
      for (int i = 0; i < 3; i++)
        at[i] = y[i] + (s > 0 ? part * r[s - 1][i] : 0);
      rates(at, prey[k / STEPS], predators[k / STEPS], r[s]);
    }
    for (int i = 0; i < 3; i++)
      y[i] += h / 6 * (r[0][i] + 2 * r[1][i] + 2 * r[2][i] + r[3][i]);
  }
  return y[2];
}

/* Searches from the initial parameters, with the changes of `how`. */
static gradyn_search_result search_with(gradyn_evaluator *ev, long segments, long refine)
{
  double rho[3 * MOST];
  gradyn_search_result result;
  gradyn_search search = run_search(ev);
  run_initial(ev, rho);
  search.segments = segments;
  search.refine_controls = refine;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  return result;
}

/* The rounded point of one fleet: values, deviation, objective. */
static void check_fleet(const gradyn_search_result *result, int n)
{
  double prey[MOST], predators[MOST], e = 0, most = 0;
  const gradyn_rounded *r = &result->rounded;
  assert_int_equal(r->status, GRADYN_OK);
  for (int k = 0; k < n; k++) {
    assert_true(r->rho[k] == 0 || r->rho[k] == 1);
    prey[k] = 0.4 * r->rho[k];
    predators[k] = 0.2 * r->rho[k];
    e += (result->rho[k] - r->rho[k]) * 12 / n;
    most = fmax(most, fabs(e));
  }
  assert_close(r->deviation, most, 1e-9, 0);
  assert_close(r->bound, 6.0 / n, 1e-12, 0);
  assert_true(most <= r->bound);
  assert_close(r->objective, fished(n, prey, predators), 1e-8, 0);
  assert_close(r->psi[0], r->objective, 0, 0);
  assert_true(r->violation == 0);
}

TEST(one_fleet_is_rounded_in_one_piece_and_in_segments)
{
  for (int segments = 0; segments <= 10; segments += 10) {
    run_local *ev = run_with(.problem = &gradyn_problem_fishing);
    LOCAL(gradyn_search_result) result = search_with(ev, segments, 0);
    check_fleet(&result, 60);
    assert_true(result.objective > 1.34408 && result.objective < 1.3450);
    assert_true(result.rounded.objective > result.objective && result.rounded.objective < 1.36);
    assert_says(result.reason, "integers");
  }
}

/* Its published optimum, which controls without a grid attain. */
THOROUGH_TEST(the_relaxed_optimum_is_the_published_one)
{
  const gradyn_setting_choice fine = {"intervals", MOST};
  run_local *ev = run_with(&gradyn_problem_fishing, .settings = &fine, .setting_count = 1);
  LOCAL(gradyn_search_result) result = search_with(ev, 0, 0);
  assert_close(result.objective, 1.34408, 0, 6e-5);
  check_fleet(&result, MOST);
}

TEST(added_knots_are_rounded_too)
{
  const gradyn_setting_choice coarse = {"intervals", 12};
  run_local *ev = run_with(&gradyn_problem_fishing, .settings = &coarse, .setting_count = 1);
  LOCAL(gradyn_search_result) result = search_with(ev, 0, 2);
  assert_non_null(result.refined);
  const size_t p = gradyn_parameter_count(result.refined);
  assert_true(p > 12);
  assert_int_equal(result.rounded.status, GRADYN_OK);
  for (size_t j = 0; j < p; j++)
    assert_true(result.rounded.rho[j] == 0 || result.rounded.rho[j] == 1);
  double psi[1];
  assert_run(gradyn_evaluator_simulate(result.refined, result.rounded.rho, psi, NULL),
             result.refined);
  assert_close(psi[0], result.rounded.objective, 1e-12, 0);
}

/* --- three modes ---------------------------------------------------------------------------------- */

enum { INTERVALS = 60 };
static const double prey_rate[MODES] = {0.2, 0.4, 0.01}, predator_rate[MODES] = {0.1, 0.2, 0.1};

/* What is wrong with the model. */
enum { RIGHT, OTHER_GRID, SCALED, KINDS };

static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  gradyn_scalar prey = 0, predators = 0;
  for (int i = 0; i < MODES; i++) {
    prey += prey_rate[i] * at->u[i + 1];
    predators += predator_rate[i] * at->u[i + 1];
  }
  F[0] = at->yp[0] - at->y[0] * (1 - at->y[1] - prey);
  F[1] = at->yp[1] - at->y[1] * (at->y[0] - 1 - predators);
  return GRADYN_OK;
}

FORMULA(distance, (at->y[0] - 1) * (at->y[0] - 1) + (at->y[1] - 1) * (at->y[1] - 1))

/* The third weight is what the others leave. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const char *const names[MODES] = {"w1", "w2", "w3"};
  const int wrong = gradyn_setting_value(m, "wrong");
  gradyn_scalar w[MODES][INTERVALS];
  int last = 0;
  for (int k = 0; k < INTERVALS; k++) {
    w[0][k] = rho[k] * (wrong == SCALED ? 0.7 : 1);
    w[1][k] = rho[INTERVALS + k];
    w[2][k] = 1 - w[0][k] - w[1][k];
  }
  for (int i = 0; i < MODES; i++)
    last = gradyn_signal(m,
                         &(gradyn_signal_spec){names[i], "", GRADYN_PIECEWISE_CONSTANT,
                                               .count = INTERVALS - (wrong == OTHER_GRID && i == 2),
                                               .knots = w[i], .integer = true, .one_of = "mode"});
  gradyn_state(m, "prey", "", 0.5);
  gradyn_state(m, "predators", "", 0.7);
  declare_equations(m, motion, NULL, 0);
  gradyn_path_constraint(m, "third", gradyn_measure_signal(m, "", last), 0, 1, 1e-8, NULL);
  gradyn_minimise(m, declare_integral(m, "J", "", distance), 1);
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {
    {"w1", "", .init = 0.3, .lower = 0, .upper = 1, .role = GRADYN_CONTROL, .count = INTERVALS},
    {"w2", "", .init = 0.3, .lower = 0, .upper = 1, .role = GRADYN_CONTROL, .count = INTERVALS}};
static const gradyn_setting settings[] = {{"wrong", "kind", RIGHT, RIGHT, KINDS - 1}};
static const gradyn_problem modes = PROBLEM("modes", build, params, .settings = settings,
                                            .setting_count = 1, .t_end = 12, .rtol = 1e-9);

TEST(one_of_three_modes_is_active_in_each_interval)
{
  double prey[INTERVALS], predators[INTERVALS];
  run_local *ev = run_with(.problem = &modes);
  LOCAL(gradyn_search_result) result = search_with(ev, 0, 0);
  const gradyn_rounded *r = &result.rounded;
  assert_ok(r->status, result.reason);
  for (int k = 0; k < INTERVALS; k++) {
    const double w[MODES] = {r->rho[k], r->rho[INTERVALS + k],
                             1 - r->rho[k] - r->rho[INTERVALS + k]};
    prey[k] = predators[k] = 0;
    for (int i = 0; i < MODES; i++) {
      assert_true(w[i] == 0 || w[i] == 1);
      prey[k] += w[i] * prey_rate[i];
      predators[k] += w[i] * predator_rate[i];
    }
  }
  assert_true(result.objective > 1.82875 && result.objective < 1.8325);
  assert_close(r->bound, 2 * 12.0 / INTERVALS, 1e-12, 0);
  assert_true(r->deviation > 0 && r->deviation < r->bound);
  assert_close(r->objective, fished(INTERVALS, prey, predators), 1e-8, 0);
}

TEST(signals_that_cannot_be_rounded_are_named)
{
  static const char *const says[KINDS] = {
      [OTHER_GRID] = "have different grids", [SCALED] = "it must be a parameter"};
  for (int wrong = 1; wrong < KINDS; wrong++) {
    run_local *ev = run_with(&modes, .setting = "wrong", .value = wrong);
    LOCAL(gradyn_search_result) result = search_with(ev, 0, 0);
    assert_int_equal(result.rounded.status, GRADYN_INVALID);
    assert_null(result.rounded.rho);
    assert_says(result.reason, says[wrong]);
  }
}

/* --- declarations --------------------------------------------------------------------------------- */

/* Gears 1 to 4 with a bound that is no whole number: x' = u/4, x(1) = 0.9. */
FORMULAS(geared, at->yp[0] - at->u[1] / 4)
FORMULA(miss, (at->y[0] - 0.9) * (at->y[0] - 0.9))

static gradyn_status build_geared(gradyn_model *m, const gradyn_scalar rho[])
{
  const int kind = gradyn_setting_value(m, "kind");
  gradyn_signal(m, &(gradyn_signal_spec){"gear", "", (gradyn_signal_kind)kind, 5, rho,
                                         .integer = kind != 2, .one_of = kind == 2 ? "set" : NULL});
  gradyn_state(m, "x", "", 0);
  declare_equations(m, geared, NULL, 0);
  gradyn_minimise(m, declare_end(m, "J", "", miss), 1);
  return gradyn_build_status(m);
}

static const gradyn_setting kinds[] = {{"kind", "of signal", 0, 0, 2}};
static const gradyn_param whole[] = {
    {"gear", "", .init = 2, .lower = 1, .upper = 4, .role = GRADYN_CONTROL, .count = 5}};
static const gradyn_param broken[] = {
    {"gear", "", .init = 2, .lower = 1, .upper = 3.7, .role = GRADYN_CONTROL, .count = 5}};
static const gradyn_problem gears = PROBLEM("gears", build_geared, whole, .settings = kinds,
                                            .setting_count = 1, .t_end = 1),
                            uneven = PROBLEM("uneven", build_geared, broken, .settings = kinds,
                                             .setting_count = 1, .t_end = 1);

/* The mean of the relaxed gears is 3.6: in five intervals it is attained exactly. */
TEST(gears_are_whole_numbers)
{
  run_local *ev = run_with(.problem = &gears);
  LOCAL(gradyn_search_result) result = search_with(ev, 0, 0);
  double sum = 0;
  for (int k = 0; k < 5; k++)
    sum += result.rounded.rho[k];
  assert_true(sum == 18);
  assert_close(result.rounded.objective, 0, 0, 1e-12);
}

TEST(bounds_must_be_whole_numbers)
{
  run_local *ev = run_with(.problem = &uneven);
  LOCAL(gradyn_search_result) result = search_with(ev, 0, 0);
  assert_int_equal(result.rounded.status, GRADYN_INVALID);
  assert_says(result.reason, "use whole numbers as bounds");
}

TEST(other_kinds_of_signals_are_refused)
{
  assert_no_run(GRADYN_INVALID, "it must be piecewise constant", &gears, .setting = "kind",
                .value = GRADYN_PIECEWISE_LINEAR);
  assert_no_run(GRADYN_INVALID, "it must be integer, too", &gears, .setting = "kind", .value = 2);
}

TEST(other_problems_have_no_rounded_point)
{
  extern const gradyn_problem gradyn_problem_van_der_pol_time;
  run_local *ev = run_with(.problem = &gradyn_problem_van_der_pol_time);
  LOCAL(gradyn_search_result) result = search_with(ev, 0, 0);
  assert_null(result.rounded.rho);
  assert_true(result.rounded.bound == 0 && strstr(result.reason, "integers") == NULL);
}
