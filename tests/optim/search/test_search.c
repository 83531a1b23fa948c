/* Searches without constraints: optima, scaling, bounds, terminations. */
#include "core/base/clock.h"
#include "tests/optim/synthetic.h"

#define assert_ended(status, result, how)                                                          \
  do {                                                                                             \
    const gradyn_search_result *ended = &(result);                                                 \
    assert_ok((status), ended->reason);                                                            \
    assert_string_equal(gradyn_termination_name(ended->termination),                               \
                        gradyn_termination_name(how));                                             \
  } while (0)

TEST(every_algorithm_finds_the_minimum)
{
  const double x0[2] = {-1.2, 1};
  for (const char *const *name = gradyn_algorithm_names(); *name != NULL; name++) {
    synthetic problem = synthetic_make(2, -5, 5, 1, rosenbrock);
    gradyn_search search = synthetic_search(*name);
    /* MMA and CCSAQ need many evaluations along the valley */
    search.max_evaluations = 20000;
    LOCAL(gradyn_search_result) result;
    assert_ended(synthetic_run(&problem, &search, x0, &result), result, GRADYN_TERMINATION_OPTIMAL);
    assert_close(result.rho[0], 1, 0, 1e-3);
    assert_close(result.rho[1], 1, 0, 2e-3);
    assert_close(result.initial_objective, 24.2, 1e-12, 0);
    assert_true(result.projected_gradient <= 1e-6);
    assert_int_equal(result.evaluations + 1, problem.evaluations);
  }
}

TEST(size_of_the_objective_does_not_matter)
{
  static const char *const names[] = {"lbfgs", "slsqp", "tnewton", "var2", "ccsaq"};
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    long evaluations = 0;
    for (int exponent = -40; exponent <= 40; exponent += 20) { /* 1e-12 ... 1e12 */
      const double x0[6] = {4, -3, 0, 1, -2, 3};
      synthetic problem = synthetic_make(6, -10, 10, 1, bowl);
      problem.factor = ldexp(1.0, exponent);
      gradyn_search search = synthetic_search(names[a]);
      LOCAL(gradyn_search_result) result;
      assert_ended(synthetic_run(&problem, &search, x0, &result), result,
                   GRADYN_TERMINATION_OPTIMAL);
      for (int j = 0; j < 6; j++)
        assert_close(result.rho[j], j + 1, 0, 2e-5);
      /* factors are powers of two, so that the steps are the same */
      if (exponent > -40)
        assert_int_equal(result.evaluations, evaluations);
      evaluations = result.evaluations;
    }
  }
}

SYNTHETIC(unequal)
{
  const double a = x[0] / 1e6 - 3, b = x[1] * 1e6 - 2;
  psi[0] = 1e-9 * (a * a + b * b + a * b * b);
  gradient[0] = 1e-15 * (2 * a + b * b);
  gradient[1] = 1e-3 * (2 * b + 2 * a * b);
}

TEST(sizes_of_parameters_do_not_matter)
{
  const double x0[2] = {5e6, 3e-6};
  synthetic problem = synthetic_make(2, 0, 0, 1, unequal);
  problem.parameters[0].upper = 1e7;
  problem.parameters[1].upper = 5e-6;
  gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) result;
  assert_ended(synthetic_run(&problem, &search, x0, &result), result, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.rho[0], 3e6, 1e-5, 0);
  assert_close(result.rho[1], 2e-6, 1e-5, 0);
  assert_true(result.parameter_scale[0] > 1e11 * result.parameter_scale[1]);
  assert_true(result.evaluations < 60);
  gradyn_search_result_clear(&result);
  /* without bounds, a scale given by the author has the same effect */
  for (int j = 0; j < 2; j++) {
    problem.parameters[j].lower = -HUGE_VAL;
    problem.parameters[j].upper = HUGE_VAL;
    problem.parameters[j].scale = j == 0 ? 1e6 : 1e-6;
  }
  assert_ended(synthetic_run(&problem, &search, x0, &result), result, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.rho[0], 3e6, 1e-5, 0);
}

TEST(the_search_stops_where_it_is_optimal_enough)
{
  const double x0[4] = {-1.2, 1, -1.2, 1};
  static const char *const names[] = {"lbfgs", "slsqp", "var2"};
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    long evaluations = 0;
    for (int digits = 8; digits >= 2; digits -= 6) {
      synthetic problem = synthetic_make(4, -5, 5, 1, rosenbrock);
      gradyn_search search = synthetic_search(names[a]);
      search.optimality = pow(10, -digits);
      LOCAL(gradyn_search_result) result;
      assert_ended(synthetic_run(&problem, &search, x0, &result), result,
                   GRADYN_TERMINATION_OPTIMAL);
      assert_true(result.projected_gradient <= search.optimality);
      assert_true(digits == 8 || result.evaluations < evaluations);
      evaluations = result.evaluations;
    }
  }
}

TEST(bounds_hold_and_are_reported)
{
  const double x0[4] = {1, 1, 1, 1};
  static const char *const names[] = {"lbfgs", "slsqp", "mma", "ccsaq", "var2"};
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    synthetic problem = synthetic_make(4, 0, 2.5, 1, bowl);
    gradyn_search search = synthetic_search(names[a]);
    LOCAL(gradyn_search_result) result;
    assert_ended(synthetic_run(&problem, &search, x0, &result), result, GRADYN_TERMINATION_OPTIMAL);
    const double expected[4] = {1, 2, 2.5, 2.5};
    assert_close_array(result.rho, expected, 4, 0, 1e-5);
    assert_close(result.objective, 0.25 + 2.25, 1e-6, 0);
    assert_true(result.rho[2] <= 2.5 && result.rho[3] <= 2.5);
  }
}

TEST(start_at_the_optimum_ends_at_once)
{
  static const char *const names[] = {"lbfgs", "slsqp", "ccsaq", "auglag"};
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    const double x0[3] = {1, 2, 2.5}; /* on a bound, with a nonzero gradient */
    synthetic problem = synthetic_make(3, 0, 2.5, 1, bowl);
    gradyn_search search = synthetic_search(names[a]);
    LOCAL(gradyn_search_result) result;
    assert_ended(synthetic_run(&problem, &search, x0, &result), result, GRADYN_TERMINATION_OPTIMAL);
    assert_int_equal(result.evaluations - result.probes, 1);
    assert_in_range(result.probes, 1, 10);
    assert_close_array(result.rho, x0, 3, 0, 0);
  }
}

TEST(fixed_parameters_stay)
{
  const double x0[4] = {3.3, 0, 7.7, 0};
  const bool vary[4] = {false, true, false, true};
  synthetic problem = synthetic_make(4, 0, 5, 1, bowl);
  problem.parameters[0].fixed = true;
  problem.parameters[2].fixed = true;
  gradyn_search search = synthetic_search("lbfgs");
  for (int with_mask = 0; with_mask < 2; with_mask++) {
    LOCAL(gradyn_search_result) result;
    search.vary = with_mask ? vary : NULL;
    assert_ended(synthetic_run(&problem, &search, x0, &result), result, GRADYN_TERMINATION_OPTIMAL);
    const double expected[4] = {3.3, 2, 7.7, 4};
    assert_close_array(result.rho, expected, 4, 0, 1e-5);
    assert_close(result.rho[2], 7.7, 0, 0); /* even outside its bounds */
    assert_close(result.parameter_scale[0], 0, 0, 0);
  }
}

SYNTHETIC(two_bowls)
{
  const size_t n = problem->n;
  for (size_t i = 0; i < n; i++) {
    psi[0] += x[i] * x[i];
    psi[1] += (x[i] - 3) * (x[i] - 3);
    gradient[i] = 2 * x[i];
    gradient[n + i] = 2 * (x[i] - 3);
  }
}

TEST(objectives_are_weighted_and_can_be_named)
{
  const double x0[2] = {-1, 4};
  synthetic problem = synthetic_make(2, -5, 5, 2, two_bowls);
  problem.functionals[1].use = GRADYN_OBJECTIVE;
  problem.functionals[1].weight = 2;
  gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) result;
  assert_ended(synthetic_run(&problem, &search, x0, &result), result, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.rho[0], 2, 0, 1e-5); /* 2 x + 4 (x - 3) = 0 */
  assert_close(result.objective, 2 * 4 + 2 * 2 * 1, 1e-9, 0);
  gradyn_search_result_clear(&result);

  search.objective = "f1";
  assert_ended(synthetic_run(&problem, &search, x0, &result), result, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.rho[0], 3, 0, 1e-5);
}

static gradyn_status noisy(const synthetic *problem, const double x[], double psi[],
                           double gradient[])
{
  const gradyn_status status = bowl(problem, x, psi, gradient);
  /* errors as from a loose tolerance, reproducible at each point */
  for (size_t i = 0; i < problem->n; i++)
    gradient[i] += 1e-5 * sin(1e7 * x[i] + (double)i);
  psi[0] += 1e-6 * sin(1e8 * x[0]);
  return status;
}

TEST(noise_ends_nearly_optimal_not_failed)
{
  const double x0[3] = {-4, 4, 0};
  static const char *const names[] = {"lbfgs", "slsqp", "var2"};
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    synthetic problem = synthetic_make(3, -5, 5, 1, noisy);
    gradyn_search search = synthetic_search(names[a]);
    search.optimality = 1e-8;
    LOCAL(gradyn_search_result) result;
    assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
    assert_true(result.termination <= GRADYN_TERMINATION_ROUNDOFF);
    assert_true(result.projected_gradient < 1e-4);
    for (int j = 0; j < 3; j++)
      assert_close(result.rho[j], j + 1, 0, 2e-3);
    assert_true(result.evaluations < 200);
  }
}

static bool add_seconds(const gradyn_iteration *iteration, void *user)
{
  assert_true(iteration->seconds >= 0);
  *(double *)user += iteration->seconds;
  return true;
}

/* The time of all evaluations is at most that of the search. */
TEST(evaluations_report_their_time)
{
  const double x0[2] = {-1.2, 1};
  double sum = 0;
  synthetic problem = synthetic_make(2, -5, 5, 1, rosenbrock);
  gradyn_search search = synthetic_search("lbfgs");
  search.on_iteration = add_seconds;
  search.user = &sum;
  LOCAL(gradyn_search_result) result;
  const double started = gradyn_seconds();
  assert_ended(synthetic_run(&problem, &search, x0, &result), result, GRADYN_TERMINATION_OPTIMAL);
  assert_true(sum <= gradyn_seconds() - started);
}

static double begun[2], begun_optimality, until; /* s, of gradyn_seconds() */

static void note_start(void *self, const double rho0[], double optimality)
{
  (void)self;
  memcpy(begun, rho0, sizeof begun);
  begun_optimality = optimality;
}

static void note_limit(void *self, double seconds)
{
  (void)self;
  until = seconds;
}

/* The callback is called before the first evaluation, and again for any fraction of a second. */
TEST(iterations_report_point_quality_and_time)
{
  synthetic problem = synthetic_make(2, -10, 10, 1, bowl);
  gradyn_objective objective = synthetic_objective(&problem);
  gradyn_search search = synthetic_search("lbfgs");
  gradyn_search_result result;
  objective.begins = note_start;
  objective.limit = note_limit;
  search.optimality = 3e-5;
  search.max_seconds = 0.5;
  until = 0;
  const double before = gradyn_seconds();
  (void)gradyn_search_run(&objective, &search, (double[]){4, -3}, &result);
  assert_close_array(begun, ((double[]){4, -3}), 2, 0, 0);
  assert_close(begun_optimality, 3e-5, 0, 0);
  assert_true(until >= before + search.max_seconds);
  gradyn_search_result_clear(&result);
}
