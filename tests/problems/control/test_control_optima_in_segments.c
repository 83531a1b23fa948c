/* Published problems of optimal control, in segments. */
#include "tests/problems/control/control_optima.h"
#include "tests/support.h"

extern const gradyn_problem gradyn_problem_container_crane;

TEST(segments_find_published_results)
{
  for (int i = 0; i < CONTROL_OPTIMA; i++)
    if (control_optima[i].segments > 0 && support_takes(i, 2))
      control_find(&control_optima[i], "ipopt", control_optima[i].segments);
}

/* A flat optimum with path constraints. Rounds that continued near it, and the rest of the barrier, took
 * 870 evaluations and ended nearly optimal. There are two such optima, with objectives 4e-6 apart. */
TEST(limits_at_a_flat_optimum_are_kept_to_its_end)
{
  enum { CRANE = 42 };
  if (!support_thorough())
    skip();
  run_local *ev = run_with(.problem = &gradyn_problem_container_crane);
  LOCAL(gradyn_search_result) result;
  double rho[CRANE];
  assert_int_equal(gradyn_parameter_count(ev), CRANE);
  gradyn_search search = run_search(ev);
  search.algorithm = "ipopt";
  search.segments = 10;
  run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_true(result.violation <= 1);
  assert_close(result.objective, 0.005182804798, 5e-6, 0);
  assert_true(result.evaluations - result.probes <= 600);
}
