/* Searches that need a guess, and their motion in segments. */
#include "tests/optim/segments/blow.h"
#include "tests/runs.h"

#include <gradyn/optimise.h>

static gradyn_status search_blow(gradyn_evaluator *ev, const char *algorithm, long segments,
                                 const double rho0[], gradyn_search_result *result)
{
  gradyn_search search = run_search(ev);
  search.algorithm = algorithm;
  search.segments = segments;
  search.optimality = 1e-7;
  return gradyn_optimise(ev, &search, rho0, result);
}

/* In one piece the initial run fails. From controls for which the motion stays finite, one piece finds the
 * same optimum. */
TEST(problems_that_fail_in_one_piece_are_solved_from_a_guess)
{
  const double zeros[BLOW_KNOTS] = {0};
  double held[BLOW_KNOTS];
  run_local *ev = run_with(&blow_problem, .rtol = 1e-10);
  for (int i = 0; i < BLOW_KNOTS; i++)
    held[i] = 1.2;
  LOCAL(gradyn_search_result) whole, parts;
  assert_true(search_blow(ev, "slsqp", 0, zeros, &whole) != GRADYN_OK);
  gradyn_search_result_clear(&whole);
  assert_ok(search_blow(ev, "slsqp", 0, held, &whole), whole.reason);
  assert_null(whole.segment_motion);
  assert_ok(search_blow(ev, "ipopt", 10, zeros, &parts), parts.reason);
  assert_close(parts.objective, whole.objective, 1e-9, 0);
  /* the motions of the segments in order */
  const size_t steps = gradyn_trajectory_read(parts.segment_motion).steps;
  double y = 0;
  assert_close(gradyn_trajectory_step(parts.segment_motion, steps - 1, &y), 2.5, 1e-14, 0);
  assert_close(y, 0.5, 0, 2e-8);
  for (size_t k = 1; k < steps; k++)
    assert_true(gradyn_trajectory_step(parts.segment_motion, k, NULL) >
                gradyn_trajectory_step(parts.segment_motion, k - 1, NULL));
  assert_string_equal(gradyn_trajectory_column(parts.segment_motion, 0).name, "y");
}
