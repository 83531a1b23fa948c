/* Simulations whose objective decreases without limit as their end time grows, in one run and in segments. */
#include "tests/optim/segments/searched.h"
#include "tests/declare.h"

static const gradyn_param params[] = {
    {"T", "s", .init = 1, .lower = 0.1, .upper = HUGE_VAL},
    {"c", "1", .init = 0.5, .lower = -HUGE_VAL, .upper = HUGE_VAL}};

FORMULAS(hyperbola, at->yp[0] + at->y[0] * at->y[0])
FORMULAS(exponential, at->yp[0] + at->y[0])
FORMULA(end_value, at->y[0])

/* The final y plus (c - 2)^2, with y' = -y^2 or y' = -y. */
static gradyn_status declare(gradyn_model *model, const gradyn_scalar rho[],
                             gradyn_residual_fn rates)
{
  gradyn_end_time(model, rho[0]);
  gradyn_state(model, "y", "", 1);
  declare_equations(model, rates, NULL, 0);
  gradyn_minimise(model, declare_end(model, "rest", "", end_value), 1);
  gradyn_minimise(model, gradyn_design_functional(model, "misfit", "", (rho[1] - 2) * (rho[1] - 2)),
                  1);
  return gradyn_build_status(model);
}

static gradyn_status slow(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, hyperbola);
}

static gradyn_status fast(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, exponential);
}

static const gradyn_problem problems[] = {
    {GRADYN_PROBLEM_SIZES, .name = "slow", .params = params, .param_count = 2, .build = slow,
     .t_end = 1, .rtol = 1e-10, .atol = 1e-20},
    {GRADYN_PROBLEM_SIZES, .name = "fast", .params = params, .param_count = 2, .build = fast,
     .t_end = 1, .rtol = 1e-10, .atol = 1e-20}};

THOROUGH_TEST(an_end_time_without_end_is_no_optimum)
{
  static const char *const algorithms[] = {"lbfgs", "slsqp", "mma", "ipopt"};
  for (size_t p = 0; p < 2; p++)
    for (size_t a = 0; a < 4; a++) {
      double rho[2];
      run_local *ev = run_with(.problem = &problems[p]);
      gradyn_search search = run_search(ev);
      search.algorithm = algorithms[a];
      run_initial(ev, rho);
      LOCAL(gradyn_search_result) result;
      assert_status(gradyn_optimise(ev, &search, rho, &result), GRADYN_STALLED, result.reason);
      assert_int_equal(result.termination, GRADYN_TERMINATION_UNBOUNDED);
      assert_says(result.reason, "an infimum at infinity");
      assert_says(result.reason, "Set a bound on T");
    }
}

/* If runs of very long times become slow, the search may end before it recognises the infimum. */
THOROUGH_TEST(nor_is_it_in_segments)
{
  for (size_t p = 0; p < 2; p++) {
    double rho[2];
    run_local *ev = run_with(.problem = &problems[p]);
    const gradyn_search search = in_segments(ev, 3);
    run_initial(ev, rho);
    LOCAL(gradyn_search_result) result;
    assert_status(gradyn_optimise(ev, &search, rho, &result), GRADYN_STALLED, result.reason);
  }
}

/* With a bound on the end time, the end is an optimum. */
TEST(a_bound_makes_it_one)
{
  static const gradyn_param within[] = {
      {"T", "s", .init = 1, .lower = 0.1, .upper = 50},
      {"c", "1", .init = 0.5, .lower = -HUGE_VAL, .upper = HUGE_VAL}};
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "bounded", .params = within,
                                         .param_count = 2,     .build = slow,     .t_end = 1};
  for (long segments = 0; segments <= 3; segments += 3) {
    double rho[2];
    run_local *ev = run_with(.problem = &problem);
    const gradyn_search search = segments > 0 ? in_segments(ev, segments) : run_search(ev);
    run_initial(ev, rho);
    LOCAL(gradyn_search_result) result;
    assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
    assert_close(result.rho[0], 50, 1e-6, 0);
    assert_close(result.objective, 1.0 / 51, 1e-6, 0);
  }
}
