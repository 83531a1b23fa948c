/* Memory: no failed allocation of a search does harm. */
#include "tests/allocations.h"
#include "tests/optim/synthetic.h"

/* Hock & Schittkowski's problem 71, with an equality, an inequality and two parameters at their bounds. */
static gradyn_status search(const void *user, char *message)
{
  const char *const *algorithm = user;
  const double x0[4] = {1, 5, 5, 1};
  synthetic problem = synthetic_make(4, 1, 5, 3, hs071);
  synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, 25);
  synthetic_constrain(&problem, 2, GRADYN_EQUAL, 40);
  const gradyn_search search = synthetic_search(*algorithm);
  LOCAL(gradyn_search_result) result;
  const gradyn_status status = synthetic_run(&problem, &search, x0, &result);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s", result.reason);
  return status;
}

TEST(failed_requests_do_no_harm)
{
  static const char *const algorithms[] = {"slsqp", "auglag"};
  for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++)
    allocations_check(search, &algorithms[k], algorithms[k]);
}
