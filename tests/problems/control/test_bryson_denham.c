/* Bryson and Denham's problem: J = 4/(9 l) with l = 1/9, if the force is linear between knots at thirds;
 * and from ten equal intervals by exchange. */
#include "tests/runs.h"

extern const gradyn_problem gradyn_problem_bryson_denham;

enum { X_END, V_END, ENERGY, OVER, F };

/* Searches with this number of knots; checks the path constraint at a thousand times of the resulting run. */
static void search_with(const char *method, int knots, double rtol, int most_rounds)
{
  run_local *ev = run_with(&gradyn_problem_bryson_denham, .method = method, .setting = "knots",
                           .value = knots, .rtol = rtol);
  LOCAL(gradyn_search_result) result;
  double rho[64];
  run_initial(ev, rho);
  gradyn_search search = run_search(ev);
  search.algorithm = "slsqp";
  search.optimality = 1e-6;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_true(result.rounds >= 1 && result.rounds <= most_rounds);
  assert_true(result.path_point_count >= 4);
  assert_true(result.violation <= 1 && result.psi[OVER] <= 1e-10);
  if (knots % 3 == 1)
    assert_close(result.objective, 4, 1e-8, 0);
  else
    assert_true(result.objective > 4 && result.objective < 4.02);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  gradyn_trajectory_request(trajectory, 1001);
  assert_run(gradyn_evaluator_simulate(ev, result.rho, NULL, trajectory), ev);
  for (int k = 0; k <= 1000; k++) {
    double row[8];
    gradyn_trajectory_sample(trajectory, k / 1000.0, row);
    assert_true(row[0] <= 1.0 / 9 + 1.01e-10);
  }
}

TEST(knots_at_thirds_have_the_closed_form)
{
  for (size_t k = 0; k < GRADYN_COUNT(run_adaptive); k++)
    search_with(run_adaptive[k], 4, 1e-11, 3);
}

TEST(ten_intervals_are_kept_between_the_rows)
{
  search_with("explicit", 11, 1e-12, 10);
}
