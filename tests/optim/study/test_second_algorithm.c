/* Searches that end early, and the algorithm that continues them. */
#include "tests/runs.h"

#include <gradyn/optimise.h>

#include "problems/builtin.h"

static bool has_ipopt(void)
{
  return gradyn_algorithm_unavailable_reason("ipopt") == NULL;
}

/* ccsaq, here inside an augmented Lagrangian, is far from an optimum when its share of evaluations ends. */
THOROUGH_TEST(searches_that_end_early_are_continued)
{
  double rho[32];
  run_local *ev = run_with(.problem = &gradyn_problem_hang_glider);
  gradyn_search search = run_search(ev);
  LOCAL(gradyn_search_result) result = {0};
  search.algorithm = "ccsaq";
  search.then = has_ipopt() ? "ipopt" : "slsqp";
  run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_non_null(strstr(result.reason, "because auglag-ccsaq ended before an optimum"));
  assert_in_range(result.evaluations, 161, 600);
  assert_true(result.termination <= GRADYN_TERMINATION_ROUNDOFF);
  assert_close(result.objective, -1246.458, 1e-5, 0);
}

/* Public problems with one array of knots, by the right-hand sides of their states. */
static gradyn_status tubular(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar u = at->u[1];
  F[0] = at->yp[0] + (u + u * u / 2) * at->y[0];
  F[1] = at->yp[1] - u * at->y[0];
  return GRADYN_OK;
}

static gradyn_status product(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->y[1];
  return GRADYN_OK;
}

static gradyn_status build_tubular(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_signal(m,
                &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_LINEAR, .count = 40, .knots = rho});
  gradyn_state(m, "A", "", 1);
  gradyn_state(m, "B", "", 0);
  gradyn_equations(m, &(gradyn_equations_spec){.residual = tubular});
  gradyn_minimise(m,
                  gradyn_custom_functional(
                      m, &(gradyn_custom_functional_spec){"B_end", "", .terminal = product}),
                  1);
  return gradyn_build_status(m);
}

static const gradyn_param tubular_params[] = {
    {"u", "", .init = 1, .lower = 0, .upper = 5, .scale = 1, .role = GRADYN_CONTROL, .count = 40}};

/* Dadebo and McAuley (1995): 0.573545. lbfgs ends with a residual of 2e-6, which is nearly optimal. */
TEST(nearly_optimal_searches_are_continued)
{
  const gradyn_problem problem = PROBLEM("tubular", build_tubular, tubular_params, .t_end = 1,
                                         .rtol = 1e-9);
  double rho[40];
  run_local *ev = run_with(.problem = &problem);
  const gradyn_search search = run_search(ev);
  LOCAL(gradyn_search_result) result = {0};
  run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_close(result.objective, -0.573545, 1e-5, 0);
  if (has_ipopt())
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
}

enum { TIME, HEADING, HEADINGS = 30 };
static const gradyn_param ship_params[] = {
    [TIME] = {"T", "s", .init = 5, .lower = 0.5, .upper = 50, .role = GRADYN_TIME},
    [HEADING] = {"heading", "rad", .init = 2, .lower = -10, .upper = 10, .scale = 1,
                 .role = GRADYN_CONTROL, .count = HEADINGS}};

static gradyn_status ship(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - (cos(at->u[1]) - at->y[1]);
  F[1] = at->yp[1] - sin(at->u[1]);
  return GRADYN_OK;
}

static gradyn_status coordinate(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user];
  return GRADYN_OK;
}

static gradyn_status build_ship(gradyn_model *m, const gradyn_scalar rho[])
{
  static const int number[] = {0, 1};
  gradyn_end_time(m, rho[TIME]);
  gradyn_signal(m, &(gradyn_signal_spec){"heading", "rad", GRADYN_PIECEWISE_LINEAR,
                                         .count = HEADINGS, .knots = &rho[HEADING]});
  gradyn_state(m, "x", "", 3.66);
  gradyn_state(m, "y", "", -1.86);
  gradyn_equations(m, &(gradyn_equations_spec){.residual = ship});
  gradyn_minimise(m, gradyn_end_time_functional(m, "time"), 1);
  for (int i = 0; i < 2; i++) {
    const gradyn_custom_functional_spec end = {i == 0 ? "x_end" : "y_end", "",
                                               .terminal = coordinate, .user = (void *)&number[i]};
    gradyn_constrain(m, gradyn_custom_functional(m, &end), 0, 0, 1e-8);
  }
  return gradyn_build_status(m);
}

/* Zermelo's ship in a current -y: ipopt finds no feasible point, and slsqp after it ends nearly optimal. */
TEST(ipopt_sharpens_a_nearly_optimal_result)
{
  const gradyn_problem problem = PROBLEM("zermelo", build_ship, ship_params, .rtol = 1e-9);
  double rho[HEADING + HEADINGS];
  run_local *ev = run_with(.problem = &problem);
  const gradyn_search search = run_search(ev);
  LOCAL(gradyn_search_result) result = {0};
  run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_close(result.objective, 5.4578657, 1e-7, 0);
  if (has_ipopt()) {
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    assert_string_equal(result.algorithm, "ipopt");
    assert_non_null(strstr(result.reason, "by ipopt again after"));
  }
}

TEST(an_algorithm_that_is_not_known_cannot_continue)
{
  double rho[8];
  run_local *ev = run_with(.problem = &gradyn_problem_five_bar);
  gradyn_search search = run_search(ev);
  LOCAL(gradyn_search_result) result = {0};
  search.algorithm = "lbfgs";
  search.then = "nobody";
  run_initial(ev, rho);
  assert_int_equal(gradyn_optimise(ev, &search, rho, &result), GRADYN_INVALID);
  assert_non_null(strstr(result.reason, "no algorithm nobody"));
}
