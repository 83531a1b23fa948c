/* Limits of signals whose knots are no parameters themselves: held at their knots where these are all of it,
 * between them too where it is a spline; and a start that cannot be simulated. */
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
  F[1] = at->yp[1] - at->u[0];
  return creal(at->data[0]) > 0 ? GRADYN_NOT_CONVERGED : GRADYN_OK;
}

FORMULA(end, at->y[0])

FORMULA(swing, ccos(6 * at->t) * at->u[0])

/* As far as forces of three shares go within |u| <= 1; a spline swings instead. */
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

/* Of the way that is to be long, whatever bounds knots: lambda = (-1, t - 1). */
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

TEST(a_spline_is_held_between_its_knots)
{
  run_local *ev = run_with(&problem, .rtol = 1e-10, .setting = "kind",
                           .value = GRADYN_CUBIC_SPLINE);
  gradyn_signal_range range;
  LOCAL(gradyn_search_result) result = search_with(ev, GRADYN_OK);
  assert_true(result.rounds > 1);
  assert_run(gradyn_evaluator_signal_ranges(ev, result.rho, &range), ev);
  assert_close(range.most, 1, 1.01e-8, 0);
  assert_close(range.least, -1, 1.01e-8, 0);
  assert_true(range.t_most > 0 && range.t_most < 1);
}

TEST(a_start_that_fails_is_told_as_such)
{
  run_local *ev = run_with(&problem, .rtol = 1e-10, .method = "explicit",
                           .settings = (gradyn_setting_choice[]){{"broken", 1}},
                           .setting_count = 1);
  LOCAL(gradyn_search_result) result = search_with(ev, GRADYN_NOT_CONVERGED);
  assert_says(result.reason, "the start point failed");
}
