/* Final check of an optimum, by another simulation with half the step or a tenth of the tolerance. */
#include "optim/search/recheck.h"
#include "tests/runs.h"
#include "tests/declare.h"

/* a pendulum whose end position is required to 1e-6 m, with steps of 0.02 s */
extern const gradyn_problem gradyn_problem_swing;

static gradyn_status optimise(gradyn_evaluator *evaluator, const double rho[],
                              gradyn_search_result *result)
{
  gradyn_search search = run_search(evaluator);
  return gradyn_optimise(evaluator, &search, rho, result);
}

/* The reported numbers are those of a simulation with half the step, and the suggested step suffices. */
TEST(step_error_is_reported_with_a_sufficient_step)
{
  const gradyn_problem problem = gradyn_problem_swing;
  const double rho0[2] = {0.3, 1};
  double coarse[2], half[2];
  LOCAL(gradyn_search_result) result;
  run_local *evaluator = run_with(.problem = &problem);
  assert_ok(optimise(evaluator, rho0, &result), result.reason);
  const gradyn_discretisation_check recheck = result.discretisation;
  assert_true(recheck.done && recheck.status == GRADYN_OK);
  assert_close(recheck.step, 0.01, 1e-15, 0);
  assert_close(recheck.rtol, 0, 0, 0);
  const gradyn_warning told = run_found(&result, GRADYN_WARNING_DISCRETISATION);
  assert_string_equal(told.subject, "x");
  assert_true(told.value == recheck.change && told.suggestion == recheck.step_to_use);

  run_local *finer = run_with(&problem, .step = 0.01);
  gradyn_evaluator_simulate(evaluator, result.rho, coarse, NULL);
  gradyn_evaluator_simulate(finer, result.rho, half, NULL);
  assert_close_array(recheck.psi, half, 2, 0, 0);
  assert_close(recheck.objective, half[0], 0, 0);
  assert_close(recheck.change, fabs(half[1] - coarse[1]) / 1e-6, 1e-12, 0);
  assert_int_equal(recheck.functional, 1);
  assert_true(recheck.change > 10 && recheck.step_to_use < 0.01);
  gradyn_evaluator_free(finer);

  finer = run_with(&problem, .step = recheck.step_to_use);
  LOCAL(gradyn_search_result) again;
  assert_ok(optimise(finer, result.rho, &again), again.reason);
  assert_true(again.discretisation.done && again.discretisation.change <= 1);
  assert_close(again.discretisation.step_to_use, recheck.step_to_use, 0, 0);
  assert_int_equal(run_found(&again, GRADYN_WARNING_DISCRETISATION).code, 0);
}

/* The same for a method with error control. */
TEST(tolerance_is_reported)
{
  const gradyn_problem problem = gradyn_problem_swing;
  const double rho0[2] = {0.3, 1};
  LOCAL(gradyn_search_result) result;
  run_local *evaluator = run_with(&problem, .method = "idas", .rtol = 1e-4);
  assert_ok(optimise(evaluator, rho0, &result), result.reason);
  assert_true(result.discretisation.done && result.discretisation.change > 1);
  assert_close(result.discretisation.rtol, 1e-5, 1e-12, 0);
  assert_close(result.discretisation.step, 0, 0, 0);
  assert_true(result.discretisation.rtol_to_use < 1e-5);
  assert_true(run_found(&result, GRADYN_WARNING_DISCRETISATION).suggestion ==
              result.discretisation.rtol_to_use);
}

/* Tolerances are tightened by the requested factor, but not beyond thirteen digits. */
TEST(tolerances_are_tightened_together)
{
  static const double rows[][3] = {{1e-4, 10, 1e-5}, {1e-10, 100, 1e-12}, {5e-13, 10, 1e-13}};
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    gradyn_options options = {.rtol = rows[k][0], .atol = 3 * rows[k][0]};
    gradyn_recheck_tighten(&options, rows[k][1]);
    assert_close(options.rtol, rows[k][2], 1e-14, 0);
    assert_close(options.atol, 3 * rows[k][2], 1e-14, 0);
  }
}

/* fails at times between the steps of the search */
static gradyn_status only_at_steps(const gradyn_at *at, gradyn_scalar *value)
{
  const double t = creal(at->t);
  *value = t;
  return fabs(remainder(t, 0.02)) > 1e-9 ? GRADYN_CALLBACK : GRADYN_OK;
}

static gradyn_status build_fragile(gradyn_model *model, const gradyn_scalar rho[])
{
  declare_integral(model, "fragile", "s", only_at_steps);
  return gradyn_problem_swing.build(model, rho);
}

/* If the more accurate simulation fails, the point is not reported as an optimum. */
TEST(failure_is_reported)
{
  gradyn_problem problem = gradyn_problem_swing;
  problem.build = build_fragile;
  const double rho0[2] = {0.3, 1};
  LOCAL(gradyn_search_result) result;
  run_local *evaluator = run_with(.problem = &problem);
  assert_ok(optimise(evaluator, rho0, &result), result.reason);
  assert_true(result.discretisation.done);
  assert_int_equal(result.discretisation.status, GRADYN_CALLBACK);
  assert_int_equal(run_found(&result, GRADYN_WARNING_ACCURACY_UNKNOWN).count, 1);
}

/* Nonzero only at the nodes of steps of 0.02 s: its integral halves with half the step, like an error of
 * first order. */
FORMULA(at_coarse_steps, fabs(remainder(creal(at->t), 0.02)) < 1e-9 ? 3.2e-5 : 0)

/* A pendulum that must hang at the end, where its height has no slope. */
static gradyn_status build_rough(gradyn_model *model, const gradyn_scalar rho[])
{
  const int pivot = gradyn_ground_point(model, "pivot", 0, 0);
  const int bob = gradyn_point(model, "bob", 0, -1);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", pivot, bob, .length = 1});
  gradyn_point_mass(model, "mass", bob, 1);
  gradyn_gravity(model, 0, -9.81);
  gradyn_fix_initial_angle(model, "start", pivot, bob, rho[0] - 1.5707963267948966, rho[1]);
  gradyn_minimise(
      model,
      gradyn_functional(
          model, &(gradyn_functional_spec){"y", gradyn_measure_point(model, "", bob, 0, GRADYN_Y),
                                           .reduction = GRADYN_AT_END}),
      1);
  gradyn_minimise(model, declare_integral(model, "rough", "s", at_coarse_steps), 1);
  return gradyn_build_status(model);
}

/* Only the objective changes, by 1.6e-5 with the tolerance 1e-5, and by half of that with a further
 * halving. With a quarter of the step, the error is below half of the tolerance. */
TEST(change_of_the_objective_is_reported_and_its_order_measured)
{
  gradyn_problem problem = gradyn_problem_swing;
  problem.build = build_rough;
  const double rho0[2] = {0.3, 1};
  LOCAL(gradyn_search_result) result;
  run_local *evaluator = run_with(.problem = &problem);
  assert_ok(optimise(evaluator, rho0, &result), result.reason);
  const gradyn_discretisation_check recheck = result.discretisation;
  assert_true(recheck.done && recheck.status == GRADYN_OK);
  assert_int_equal(recheck.functional, 2);
  assert_close(recheck.objective - result.objective, -1.6e-5, 1e-2, 0);
  assert_close(recheck.change, 1.6, 1e-2, 0);
  assert_string_equal(run_found(&result, GRADYN_WARNING_DISCRETISATION).subject, "the objective");
  assert_close(recheck.step_to_use, 0.005, 1e-12, 0);
}

static bool stop(const gradyn_iteration *iteration, void *user)
{
  (void)user;
  return iteration->evaluation < 3;
}

TEST(a_caller_that_cancels_does_not_wait)
{
  const gradyn_problem problem = gradyn_problem_swing;
  const double rho0[2] = {0.3, 1};
  LOCAL(gradyn_search_result) result;
  run_local *evaluator = run_with(.problem = &problem);
  gradyn_search search = run_search(evaluator);
  search.on_iteration = stop;
  assert_int_equal(gradyn_optimise(evaluator, &search, rho0, &result), GRADYN_INTERRUPTED);
  assert_false(result.discretisation.done);
  gradyn_search_result_clear(&result);
  search.on_iteration = NULL;
  search.verify_discretisation = false;
  assert_ok(gradyn_optimise(evaluator, &search, rho0, &result), result.reason);
  assert_false(result.discretisation.done);
}
