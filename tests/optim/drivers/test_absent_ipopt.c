/* An Ipopt that existed when gradyn was built, and cannot be loaded now. */
#include "tests/optim/synthetic.h"

TEST(an_absent_library_is_reported_before_any_evaluation)
{
  const double x0[2] = {-1.2, 1};
  synthetic problem = synthetic_make(2, -5, 5, 1, rosenbrock);
  const gradyn_search search = synthetic_search("ipopt");
  gradyn_search_result result;
  assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_INVALID, result.reason);
  assert_says(result.reason, "there is no ipopt: its library cannot be loaded");
  assert_int_equal(problem.evaluations, 0);
  gradyn_search_result_clear(&result);
  assert_says(gradyn_algorithm_unavailable_reason("ipopt"), "coinor-libipopt-dev");
}
