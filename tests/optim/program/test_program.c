/* Set-up of a search: refused settings and their reasons, scaling factors, names. */
#include "tests/optim/synthetic.h"

#include <limits.h>

#include "optim/program/scaling.h"

/* Expects a refusal whose reason contains this text, without any evaluation. */
static void assert_call_refused(synthetic *problem, const gradyn_search *search, const double x0[],
                                const char *text)
{
  LOCAL(gradyn_search_result) result;
  assert_status(synthetic_run(problem, search, x0, &result), GRADYN_INVALID, result.reason);
  if (strstr(result.reason, text) == NULL)
    fail_msg("\"%s\" does not contain \"%s\"", result.reason, text);
  assert_int_equal(result.termination, GRADYN_TERMINATION_FAILED);
  assert_int_equal(problem->evaluations, 0);
  assert_null(result.rho);
}

TEST(wrong_searches_are_refused)
{
  const double x0[2] = {0, 0};
  const bool nothing[2] = {false, false};
  synthetic problem = synthetic_make(2, -5, 5, 2, bowl);
  gradyn_search search = synthetic_search("lbgfs");
  assert_call_refused(&problem, &search, x0, "no algorithm lbgfs; choose one of: lbfgs slsqp");
  search = synthetic_search("lbfgs");
  search.vary = nothing;
  assert_call_refused(&problem, &search, x0, "no parameter is left to vary");
  search = synthetic_search("lbfgs");
  search.objective = "g1";
  assert_call_refused(&problem, &search, x0, "no functional g1 to minimise");
  search = synthetic_search("lbfgs");
  search.max_evaluations = 0;
  assert_call_refused(&problem, &search, x0, "max_evaluations is 0");
  search = synthetic_search("lbfgs");
  search.optimality = NAN;
  assert_call_refused(&problem, &search, x0, "optimality is nan");
}

TEST(wrong_problems_are_refused)
{
  const double x0[2] = {0, 0}, bad[2] = {0, HUGE_VAL};
  const gradyn_search search = synthetic_search("slsqp");
  synthetic problem = synthetic_make(2, -5, 5, 2, bowl);
  assert_call_refused(&problem, &search, bad, "parameter x1: initial value inf; must be finite");
  problem.parameters[1].lower = 6;
  assert_call_refused(&problem, &search, x0, "x1 has the lower bound 6 above its upper bound 5");
  problem.parameters[1].lower = -5;
  problem.functionals[0].use = GRADYN_MONITORED;
  assert_call_refused(&problem, &search, x0, "no functional is minimised");
  problem.functionals[0].use = GRADYN_OBJECTIVE;
  problem.functionals[0].weight = NAN;
  assert_call_refused(&problem, &search, x0, "the weight of f0 in the objective is nan");
  problem.functionals[0].weight = 1;
  synthetic_constrain(&problem, 1, GRADYN_EQUAL, 1);
  problem.functionals[1].tolerance = 0;
  assert_call_refused(&problem, &search, x0, "constraint f1 has the bound 1 and the tolerance 0");
}

TEST(a_start_outside_the_bounds_is_moved_and_reported)
{
  const double x0[3] = {-9, 0, 7};
  synthetic problem = synthetic_make(3, -5, 5, 1, bowl);
  gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) result;
  assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  assert_close(result.initial_objective, 36 + 4 + 4, 1e-14, 0);
  assert_says(result.reason, "the start of x0, -9, was moved to its bound -5");
  assert_says(result.reason, "the start of x2, 7, was moved to its bound 5");
}

TEST(equal_bounds_fix_a_parameter)
{
  const double x0[2] = {3, 0};
  synthetic problem = synthetic_make(2, -5, 5, 1, bowl);
  problem.parameters[0].lower = problem.parameters[0].upper = 3;
  gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) result;
  assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  assert_close(result.rho[0], 3, 0, 0);
  assert_close(result.rho[1], 2, 0, 1e-5);
}

TEST(powers_of_two_are_the_nearest_in_ratio)
{
  assert_close(gradyn_power_of_two(1), 1, 0, 0);
  assert_close(gradyn_power_of_two(0.75), 1, 0, 0);
  assert_close(gradyn_power_of_two(0.7), 0.5, 0, 0);
  assert_close(gradyn_power_of_two(1000), 1024, 0, 0);
  assert_close(gradyn_power_of_two(0), 1, 0, 0);
  assert_close(gradyn_power_of_two(HUGE_VAL), 1, 0, 0);
  assert_finite(1 / gradyn_power_of_two(1e-320));
  for (int i = -200; i < 200; i++) {
    const double v = pow(1.7, i), ratio = gradyn_power_of_two(v) / v;
    assert_true(ratio > 0.707 && ratio < 1.4143);
  }
}

TEST(factors_bring_gradients_to_one)
{
  synthetic problem = synthetic_make(2, -4, 4, 4, bowl);
  synthetic_constrain(&problem, 1, GRADYN_AT_MOST, 3);
  synthetic_constrain(&problem, 2, GRADYN_EQUAL, 0);
  synthetic_constrain(&problem, 3, GRADYN_EQUAL, 0);
  const gradyn_objective objective = {.parameters = problem.parameters,
                                      .functionals = problem.functionals,
                                      .parameter_count = 2,
                                      .functional_count = 4};
  const gradyn_search search = synthetic_search("slsqp");
  const double x0[2] = {0, 0};
  const double psi[4] = {0, 3, 1e-3, 1e-3};
  const double gradient[8] = {3e7, 4e7, 0, 1e-5, 1, 2, -3, -6 - 3e-9};
  gradyn_program *program = NULL;
  assert_ok(gradyn_program_create(&objective, &search, x0, &program), program->message.text);
  gradyn_scaling *scaling = gradyn_scaling_create(program);
  assert_non_null(scaling);
  gradyn_scaling_choose(scaling, program, psi, gradient, false);
  assert_close(program->unit[0], 1, 0, 0); /* an eighth of the range */
  assert_false(scaling->provisional);
  assert_close(scaling->objective * 5e7, 1, 0.42, 0);
  /* equalities come first; the second one differs from the first by round-off only */
  assert_int_equal(program->equality_count, 2);
  assert_close(scaling->row[0] * sqrt(5.0), 1, 0.42, 0);
  assert_close(scaling->row[2] * 1e-5, 1, 0.42, 0);
  assert_true(scaling->dropped[1] && !scaling->dropped[0]);
  gradyn_scaling_free(scaling);
  gradyn_program_free(program);
}

/* The scale of a maximum follows from its steepest term plus the sum of other terms, whatever was evaluated
 * before. */
TEST(the_steepest_piece_counts)
{
  synthetic problem = synthetic_make(2, -4, 4, 3, bowl);
  problem.functionals[1].use = problem.functionals[2].use = GRADYN_LARGEST;
  const gradyn_objective objective = synthetic_objective(&problem);
  const gradyn_search search = synthetic_search("slsqp");
  const double x0[2] = {0, 0};
  /* sums (3, 4) and (1, 1); the maximum's term alone is steeper, but does not count */
  const double gradient[6] = {-7, 0, 10, 4, 8, 1};
  gradyn_program *program = NULL;
  assert_ok(gradyn_program_create(&objective, &search, x0, &program), program->message.text);
  gradyn_scaling *scaling = gradyn_scaling_create(program);
  assert_non_null(scaling);
  for (int again = 0; again < 2; again++)
    assert_close(gradyn_scaling_slope(scaling, program, gradient), 5, 1e-15, 0);
  gradyn_scaling_free(scaling);
  gradyn_program_free(program);
}

/* A maximum of one term equals this term, with and without another term, and with the same number of
 * evaluations. */
TEST(the_largest_of_one_is_that_one)
{
  const double x0[2] = {-3, 4};
  synthetic problem = synthetic_make(2, -5, 5, 1, bowl);
  const gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) plain, largest;
  assert_ok(synthetic_run(&problem, &search, x0, &plain), plain.reason);
  problem.functionals[0].use = GRADYN_LARGEST;
  assert_ok(synthetic_run(&problem, &search, x0, &largest), largest.reason);
  assert_close(largest.initial_objective, 16 + 4, 1e-15, 0);
  assert_close(largest.objective, plain.objective, 0, 0);
  assert_close_array(largest.rho, plain.rho, 2, 0, 0);
  assert_int_equal(largest.evaluations, plain.evaluations);
}

/* Two bowls of different steepness, both raised by `shape`. */
SYNTHETIC(two_bowls)
{
  for (size_t i = 0; i < 2; i++) {
    const double d = x[0] - (i == 0 ? 2 : -1), w = (double)i + 1;
    psi[i] = w * (d * d + 3 * x[1] * x[1]) + problem->shape;
    gradient[i * problem->n] = 2 * w * d;
    gradient[i * problem->n + 1] = 6 * w * x[1];
  }
}

/* The height of the largest term has no effect: the search starts from it. */
TEST(height_does_not_matter)
{
  static const char *const names[] = {"slsqp", "mma", "var2"};
  const double x0[2] = {-3, 4};
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    long most = 0, least = LONG_MAX;
    for (int height = -1000; height <= 1000; height += 1000) {
      synthetic problem = synthetic_make(2, -5, 5, 2, two_bowls);
      problem.functionals[0].use = problem.functionals[1].use = GRADYN_LARGEST;
      problem.shape = height;
      gradyn_search search = synthetic_search(names[a]);
      search.ftol = 0; /* relative to the height */
      LOCAL(gradyn_search_result) result;
      assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
      assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
      /* on the line between the centres, where 2 - x = sqrt(2) (x + 1) */
      assert_close(result.objective - height, 54 - 36 * sqrt(2), 0, 1e-4);
      most = result.evaluations > most ? result.evaluations : most;
      least = result.evaluations < least ? result.evaluations : least;
    }
    assert_true(most <= 2 * least);
  }
}

static bool note_first(const gradyn_iteration *iteration, void *user)
{
  double *first = user;
  if (iteration->evaluation == 1)
    *first = iteration->projected_gradient;
  return true;
}

/* A given scale of the objective is used from the first evaluation on, also if it is below 1. */
TEST(a_given_scale_of_the_objective_is_used)
{
  const double x0[2] = {0, 0};
  double first[2];
  for (int k = 0; k < 2; k++) {
    synthetic problem = synthetic_make(2, -1000, 1000, 1, bowl);
    gradyn_search search = synthetic_search("slsqp");
    LOCAL(gradyn_search_result) result;
    search.objective_scale = k ? 0x1p-10 : 0x1p-12;
    search.on_iteration = note_first;
    search.user = &first[k];
    assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  }
  assert_close(first[1], 4 * first[0], 1e-14, 0);
}

TEST(without_scaling_all_factors_are_one)
{
  const double x0[2] = {0, 0};
  synthetic problem = synthetic_make(2, -1000, 1000, 1, bowl);
  gradyn_search search = synthetic_search("slsqp");
  search.no_scaling = true;
  LOCAL(gradyn_search_result) result;
  assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  assert_close(result.objective_scale, 1, 0, 0);
  assert_close(result.parameter_scale[0], 1, 0, 0);
  assert_close(result.projected_gradient, fmax(fabs(result.gradient[0]), fabs(result.gradient[1])),
               1e-9, 0);
  gradyn_search_result_clear(&result);

  /* a scale that is 0 gives constraints the factor 1 */
  const double start[4] = {1, 5, 5, 1};
  problem = synthetic_make(4, 1, 5, 3, hs071);
  synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, 25);
  synthetic_constrain(&problem, 2, GRADYN_EQUAL, 40);
  assert_ok(synthetic_run(&problem, &search, start, &result), result.reason);
  assert_close(result.objective, 17.0140173, 1e-7, 0);
}

TEST(names_of_endings_and_algorithms)
{
  assert_string_equal(gradyn_termination_name(GRADYN_TERMINATION_OPTIMAL), "optimal");
  for (int i = 0; i < GRADYN_TERMINATION_FAILED; i++)
    for (int j = i + 1; j <= GRADYN_TERMINATION_FAILED; j++)
      assert_string_not_equal(gradyn_termination_name((gradyn_termination)i),
                              gradyn_termination_name((gradyn_termination)j));
  size_t count = 0;
  for (const char *const *name = gradyn_algorithm_names(); *name != NULL; name++, count++) {
    const gradyn_algorithm *algorithm = gradyn_algorithm_find(*name);
    assert_non_null(algorithm);
    assert_null(gradyn_algorithm_unavailable_reason(*name));
    const gradyn_algorithm *able = gradyn_algorithm_for(algorithm, true, true);
    assert_true(able->equalities && able->inequalities);
  }
  assert_true(count >= 6);
  assert_null(gradyn_algorithm_find("LBFGS"));
  assert_null(gradyn_algorithm_unavailable_reason("LBFGS"));
}
