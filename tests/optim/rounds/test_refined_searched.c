/* Bryson and Denham's problem, whose control is refined together with its path constraint. */
#include "problems/builtin.h"
#include "tests/runs.h"

/* The control has kinks where it reaches and leaves the path constraint, at thirds of the time. */
TEST(bryson_and_denham_are_found_from_ten_intervals)
{
  double rho[11];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&gradyn_problem_bryson_denham, .setting = "knots", .value = 11);
  gradyn_search search = run_search(ev);
  run_initial(ev, rho);
  search.refine_controls = 4;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_close(result.objective, 4, 2.5e-7, 0);
  assert_true(result.violation <= 1);
  assert_says(result.reason, "path constraints: satisfied throughout the run");
  /* before the path constraint is reached, lambda = (18, 6 - 18 t, 1) and H = 0 */
  LOCAL(gradyn_costates) c;
  assert_run(gradyn_search_costates(result.refined, &search, &result, &c), result.refined);
  for (size_t k = 0; k < c.count && c.t[k] < 0.3; k++) {
    const double *lambda = c.costate + k * c.states;
    assert_close(lambda[0], 18, 1e-3, 0);
    assert_close(lambda[1], 6 - 18 * c.t[k], 0, 1e-3);
    assert_close(lambda[2], 1, 1e-12, 0);
    assert_close(c.hamiltonian[k], 0, 0, 1e-3);
  }
}

/* Points that move with a maximum are not carried over to finer controls. */
TEST(rounds_in_segments_end_at_optima)
{
  if (gradyn_algorithm_unavailable_reason("ipopt") != NULL)
    skip();
  double rho[11];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&gradyn_problem_bryson_denham, .setting = "knots", .value = 11);
  gradyn_search search = run_search(ev);
  run_initial(ev, rho);
  search.segments = 5;
  search.algorithm = "ipopt";
  search.then = NULL;
  search.refine_controls = 10;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_close(result.objective, 4, 1e-7, 0);
  assert_true(result.violation <= 1 && result.evaluations < 500);
}
