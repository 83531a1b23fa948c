/* The hopper: direct against adjoint in all methods, both against differences, and the optima on its
 * problem page. */
#include "tests/problems/run.h"

extern const gradyn_problem gradyn_problem_hopper_codesign;

enum { P = 4, F = 4 };
static const double rho[P] = {4300, 0.23, 240, 0.337};

TEST(direct_and_adjoint_agree)
{
  static const struct {
    const char *method;
    double step, agree;
  } methods[] = {{"idas", 0, 1e-8},
                 {"explicit", 0, 1e-10},
                 {"ali3p", 2e-3, 1e-10},
                 {"variational", 2e-3, 1e-10}};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    const run_setup setup = {.problem = &gradyn_problem_hopper_codesign,
                             .method = methods[k].method,
                             .rtol = 1e-10,
                             .step = methods[k].step};
    run_compare_methods(&setup, rho, methods[k].agree);
  }
}

/* Central differences of order 6 of whole runs. */
TEST(gradients_are_those_of_differences)
{
  static const double weight[] = {3.0 / 4, -3.0 / 20, 1.0 / 60}, size[P] = {40, 2e-3, 2, 2e-4};
  const run_setup setup = {
      .problem = &gradyn_problem_hopper_codesign, .method = "explicit", .rtol = 1e-11};
  double gradient[F * P], psi[2][F];
  assert_int_equal(run_gradient(&setup, rho, NULL, gradient), F);
  run_local *ev = run_open(&setup);
  for (int j = 0; j < P; j++) {
    double slope[F] = {0}, moved[P];
    memcpy(moved, rho, sizeof moved);
    for (int i = 1; i <= 3; i++) {
      for (int side = 0; side < 2; side++) {
        moved[j] = rho[j] + (side ? -i : i) * size[j];
        assert_run(gradyn_evaluator_simulate(ev, moved, psi[side], NULL), ev);
      }
      for (int f = 0; f < F; f++)
        slope[f] += weight[i - 1] * (psi[0][f] - psi[1][f]) / size[j];
    }
    for (int f = 0; f < F; f++)
      assert_close(gradient[f * P + j], slope[f], 1e-6, 1e-9);
  }
}

TEST(designing_both_is_better_than_either)
{
  const run_setup setup = {.problem = &gradyn_problem_hopper_codesign, .rtol = 1e-10};
  LOCAL(gradyn_search_result) found;
  run_optimise(&setup, NULL, 1e-6, 0, &found);
  assert_close(found.objective, 1047.489, 1e-5, 0);
  assert_close(found.rho[0], 10681.3, 1e-4, 0);
  assert_close(found.rho[1], 0.1, 1e-9, 0); /* its bound, up to the round-off of the last step */
  assert_close(found.rho[2], 164.371, 1e-5, 0);
  assert_close(found.rho[3], 0.306922, 1e-5, 0);
}
