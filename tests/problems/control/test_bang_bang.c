/* Bang-bang: the switching time of a minimum-time transfer, in closed form. */
#include "tests/runs.h"

extern const gradyn_problem gradyn_problem_bang_bang;

enum { X_END, V_END, TIME, F, SWITCH = 0, BRAKE, P };

static gradyn_evaluator *open_with(const char *method, const char *sensitivity)
{
  return run_with(&gradyn_problem_bang_bang, .method = method, .sensitivity = sensitivity);
}

/* With the velocity s = 0.5 + switch at the switch: x = 0.5 switch + switch^2/2 + s brake - brake^2/2,
 * v = s - brake. */
TEST(gradients_are_those_of_the_closed_form)
{
  const double rho[P] = {0.7, 0.9}, s = 0.5 + rho[SWITCH], brake = rho[BRAKE];
  const double exact[F * P] = {s + brake, s - brake, 1, -1, 1, 1};
  for (size_t k = 0; k < 2 * GRADYN_COUNT(run_methods); k++) {
    double psi[F], gradient[F * P];
    run_local *ev = open_with(run_methods[k / 2], k % 2 ? "direct" : "adjoint");
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_close(psi[V_END], s - brake, 1e-10, 0);
    assert_close_array(gradient, exact, F * P, 1e-10, 1e-10);
  }
}

/* The optimal switch satisfies switch^2 + switch + 1/8 = 1. */
TEST(optima_are_found_from_random_starts)
{
  const double first = (sqrt(4.5) - 1) / 2, exact[P] = {first, 0.5 + first};
  unsigned seed = 7;
  for (int start = 0; start < 5; start++) {
    double rho[P];
    for (int j = 0; j < P; j++) {
      seed = seed * 1103515245u + 12345u;
      rho[j] = 0.1 + 3 * (double)(seed >> 8 & 0xffff) / 65536;
    }
    for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
      run_local *ev = open_with(run_methods[k], "adjoint");
      LOCAL(gradyn_search_result) result;
      gradyn_search search = run_search(ev);
      assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
      assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
      assert_close(result.objective, 0.5 + 2 * first, 0, 1e-8);
      assert_close_array(result.rho, exact, P, 0, 1e-8);
    }
  }
}
