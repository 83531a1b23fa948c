/* A build without Ipopt: this program links the replacement that such a build has. */
#include "tests/optim/synthetic.h"

#include "optim/drivers/driver.h"

TEST(missing_ipopt_is_refused_by_name)
{
  const double x0[2] = {-1.2, 1};
  synthetic problem = synthetic_make(2, -5, 5, 1, rosenbrock);
  const gradyn_search search = synthetic_search("ipopt");
  gradyn_search_result result;
  assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_INVALID, result.reason);
  assert_says(result.reason, "ipopt");
  assert_says(result.reason, "coinor-libipopt-dev");
  assert_int_equal(problem.evaluations, 0);
  gradyn_search_result_clear(&result);
  assert_says(gradyn_algorithm_unavailable_reason("ipopt"), "coinor-libipopt-dev");
  assert_null(gradyn_ipopt_driver.version);
}
