/* The arm that moves in the least time, in segments. Several guesses give one optimum. As the grid of its
 * controls becomes finer, the Hamiltonian converges to its constant value for least time, -1. */
#include "tests/runs.h"

#include <gradyn/optimise.h>

extern const gradyn_problem gradyn_problem_arm_time_optimal;

enum { MOST = 161 };

/* Ten segments from the problem's start, except for T and the values of both torques. */
static gradyn_search_result search_from(gradyn_evaluator *ev, gradyn_search *search, double T,
                                        double shoulder, double elbow)
{
  double rho[MOST];
  gradyn_search_result result;
  const size_t each = (run_initial(ev, rho) - 1) / 2;
  assert_true(2 * each + 1 <= MOST);
  rho[0] = T;
  for (size_t k = 0; k < each; k++) {
    rho[1 + k] = shoulder;
    rho[1 + each + k] = elbow;
  }
  gradyn_search_default(ev, search);
  search->algorithm = "ipopt";
  search->segments = 10;
  assert_ok(gradyn_optimise(ev, search, rho, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  return result;
}

/* 2.98699630674: direct collocation by another program (bench/control.py). */
TEST(three_guesses_have_one_optimum)
{
  static const double guess[3][3] = {{3, 0, 0}, {5, -0.5, 0.3}, {3, 0.2, 0.1}};
  run_local *ev = run_with(.problem = &gradyn_problem_arm_time_optimal);
  for (int i = 0; i < 3; i++) {
    gradyn_search search;
    const double *of = guess[i];
    LOCAL(gradyn_search_result) result = search_from(ev, &search, of[0], of[1], of[2]);
    assert_close(result.objective, 2.98699630674, 1e-8, 0);
    double psi[8];
    assert_run(gradyn_evaluator_simulate(ev, result.rho, psi, NULL), ev);
    /* the undivided run satisfies the end conditions to the tolerance of 1e-8 */
    for (size_t f = 1; f < gradyn_functional_count(ev); f++)
      assert_close(psi[f], result.psi[f], 0, 1e-8);
  }
}

/* Range of the Hamiltonian at the optimum with this number of intervals; -1 is inside. */
static double variation(int intervals)
{
  gradyn_search search;
  LOCAL(gradyn_costates) costates;
  run_local *ev = run_with(.problem = &gradyn_problem_arm_time_optimal, .setting = "intervals",
                           .value = intervals);
  LOCAL(gradyn_search_result) result = search_from(ev, &search, 3, 0, 0);
  assert_run(gradyn_search_costates(ev, &search, &result, &costates), ev);
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (size_t k = 0; k < costates.count; k++) {
    least = fmin(least, costates.hamiltonian[k]);
    most = fmax(most, costates.hamiltonian[k]);
  }
  assert_true(least < -1 && most > -1);
  return most - least;
}

TEST(the_hamiltonian_becomes_constant_on_finer_grids)
{
  const double coarse = variation(20), fine = variation(40), finer = variation(80);
  assert_true(coarse < 0.15);
  assert_true(fine < 0.6 * coarse && finer < 0.6 * fine);
}
