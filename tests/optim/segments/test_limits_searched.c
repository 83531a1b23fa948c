/* Searches with path constraints over segments reach the optima of one run. */
#include "tests/optim/segments/searched.h"
#include "tests/optim/segments/pole.h"
#include "tests/optim/segments/turning.h"

extern const gradyn_problem gradyn_problem_bryson_denham, gradyn_problem_van_der_pol;

enum { MOST_PARAMETERS = 64 };

static gradyn_evaluator *open_problem(const gradyn_problem *problem, double *rho0)
{
  gradyn_evaluator *ev = run_with(.problem = problem);
  assert_true(gradyn_parameter_count(ev) <= MOST_PARAMETERS);
  run_initial(ev, rho0);
  return ev;
}

/* Optimum 4/(9 l): knots at thirds, with boundaries at the knots and between them. */
TEST(bryson_and_denham_in_segments)
{
  for (long count = 3; count <= 10; count += 7) {
    double rho0[MOST_PARAMETERS];
    run_local *ev = open_problem(&gradyn_problem_bryson_denham, rho0);
    const gradyn_search search = in_segments(ev, count);
    LOCAL(gradyn_search_result) result;
    assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    assert_close(result.objective, 4, 1e-8, 0);
    assert_says(result.reason, "path constraints: satisfied throughout the run");
    assert_true(result.path_point_count >= (size_t)count && result.rounds >= 1);
  }
}

/* Optima may differ by the effect of the path constraint's tolerance, some 5e-6. */
TEST(van_der_pol_in_segments)
{
  if (!support_thorough())
    skip();
  double rho0[MOST_PARAMETERS];
  run_local *ev = open_problem(&gradyn_problem_van_der_pol, rho0);
  const gradyn_search search = in_segments(ev, 10);
  LOCAL(gradyn_search_result) result, whole;
  gradyn_search one = run_search(ev);
  assert_ok(gradyn_optimise(ev, &one, rho0, &whole), whole.reason);
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.objective, whole.objective, 3e-6, 0);
  assert_true(result.violation <= 1);
  assert_true(result.evaluations < whole.evaluations);
}

/* If the start is nearer to the bounds, path constraints shorten the first steps: 76 evaluations. */
TEST(second_derivatives_begin_away_from_path_constraints)
{
  double rho0[MOST_PARAMETERS];
  run_local *ev = open_problem(&gradyn_problem_van_der_pol, rho0);
  gradyn_search search = in_segments(ev, 10);
  search.hessian = true;
  LOCAL(gradyn_search_result) result;
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.objective, 3.7791032, 3e-6, 0);
  assert_true(result.evaluations - result.probes <= 55);
}

/* In an angle, and as a mechanism whose references are moved between rounds and within them. */
THOROUGH_TEST(a_short_track_has_one_optimum_in_two_sets_of_coordinates)
{
  static const gradyn_problem *const problems[] = {&pole_problem_on_short_track,
                                                   &turning_pole_on_short_track};
  double objective[2];
  for (int i = 0; i < 2; i++) {
    double rho0[MOST_PARAMETERS];
    run_local *ev = open_problem(problems[i], rho0);
    const gradyn_search search = in_segments(ev, 10);
    LOCAL(gradyn_search_result) result;
    assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    assert_true(result.rounds >= 2);
    assert_int_equal(strstr(result.reason, "references: moved") != NULL, i == 1);
    objective[i] = result.objective;
  }
  assert_true(objective[0] > 58.1);
  assert_close(objective[1], objective[0], 3e-7, 0);
}

/* Also where rows have joined. */
TEST(a_resumed_search_with_limits_in_segments_has_the_same_bits)
{
  double rho0[MOST_PARAMETERS];
  run_local *ev = open_problem(&gradyn_problem_van_der_pol, rho0);
  gradyn_search search = in_segments(ev, 4);
  LOCAL(gradyn_search_result) whole;
  search.max_evaluations = 60;
  assert_goes_on(ev, &search, rho0, 13, &whole);
  assert_true(whole.rounds >= 2);
}
