/* A problem whose author uses names that the mathematical headers define. */
#include "tests/runs.h"

extern const gradyn_problem gradyn_problem_user_names;

TEST(names_of_headers_are_free)
{
  const double rho[] = {2, 3, 1};
  double psi, gradient[3], exact = 4 * sqrt(0.25 * 6 * exp(-1));
  run_local *ev = run_with(.problem = &gradyn_problem_user_names);
  assert_run(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev);
  assert_close(psi, exact, 1e-6, 0);
  assert_close(gradient[0], exact / 4, 1e-6, 0);
  assert_close(gradient[1], exact / 6, 1e-6, 0);
  assert_close(gradient[2], -exact / 2, 1e-6, 0);
}
