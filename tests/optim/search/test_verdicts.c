/* Terminations against known optima: the short form of the campaign. */
#include "tests/optim/known_optima.h"
#include "tests/optim/pathological.h"

#include "optim/program/point.h"

enum { STARTS = 5 };

/* None of 150 searches may call a point optimal that is not, and at most fifteen may fail to recognise an
 * optimum. */
TEST(optimal_means_optimal)
{
  long searches = 0, optima = 0, false_optimal = 0, called_less = 0;
  for (size_t i = 0; i < known_optima_count; i++)
    for (uint64_t k = 0; k < STARTS; k++) {
      const known_verdict verdict = known_optimum_search(&known_optima[i], 77 + k);
      searches++;
      optima += verdict.is;
      called_less += verdict.is && !verdict.said;
      false_optimal += verdict.said && !verdict.is;
      if (verdict.said && !verdict.is)
        print_message("%s, start %d: objective %.9g, %.2g units from the optimum: %s\n",
                      known_optima[i].name, (int)k, verdict.objective, verdict.distance,
                      verdict.reason);
    }
  assert_int_equal(searches, 150);
  assert_int_equal(false_optimal, 0);
  assert_true(called_less <= 15);
  assert_true(optima >= 145);
}

/* Objectives without a minimum, starts at maxima and saddles, distant optima, small values beside a large
 * constant: each result must be true. */
TEST(terminations_that_are_easily_misjudged)
{
  for (size_t i = 0; i < pathological_count; i++) {
    const pathological_verdict v = pathological_search(&pathological_problems[i]);
    if (!v.truthful)
      print_message("%s: objective %.9g: %s\n", pathological_problems[i].name, v.objective,
                    v.reason);
    assert_true(v.truthful);
  }
}

/* A search must reach a bound however far away it is: it neither reports an infimum nor stops half-way. */
TEST(a_bound_ends_every_way)
{
  for (int k = 4; k < 62; k++)
    for (size_t i = 0; i < pathological_count; i++) {
      pathological bounded = pathological_problems[i];
      const bool root = strcmp(bounded.name, "root") == 0;
      if (!root && strcmp(bounded.name, "logarithm") != 0)
        continue;
      bounded.kind = PATHOLOGY_MINIMUM;
      bounded.upper = pow(2, k / 2.0);
      bounded.scale = 1;
      bounded.lower = 0.5; /* from here the function decreases up to the bound */
      const double s = 1 + bounded.upper * bounded.upper;
      bounded.least = root ? -pow(s, 0.25) : -log(s);
      const pathological_verdict v = pathological_search(&bounded);
      if (!v.said_optimal || !v.truthful)
        print_message("%s up to %g: %s\n", bounded.name, bounded.upper, v.reason);
      assert_true(v.said_optimal && v.truthful);
    }
}

/* Start at the top of a hill between two wells, where the gradient is zero. */
static gradyn_status hill(const synthetic *problem, const double x[], double psi[],
                          double gradient[])
{
  const double s = x[0] * x[0] - 1;
  psi[0] = s * s + x[1] * x[1];
  gradient[0] = 4 * s * x[0];
  gradient[1] = 2 * x[1];
  return bowl(problem, x, psi + 1, gradient + problem->n);
}

/* Probes do not count towards the limit of evaluations. If a probe finds a lower point but the limit is
 * reached, the result is not called optimal. */
TEST(probes_do_not_count_against_the_limit)
{
  synthetic problem = synthetic_make(2, -5, 5, 2, hill);
  gradyn_search search = synthetic_search("lbfgs");
  const double top[2] = {0, 0}, well[2] = {1, 0};
  LOCAL(gradyn_search_result) result;
  search.max_evaluations = 1;
  assert_status(synthetic_run(&problem, &search, top, &result), GRADYN_STALLED, result.reason);
  assert_true(result.probes > 0 && result.probes <= 10);
  assert_int_equal(result.evaluations, 1 + result.probes);
  assert_true(result.objective < 1);
  gradyn_search_result_clear(&result);
  /* if no probe is lower, the result is optimal */
  assert_ok(synthetic_run(&problem, &search, well, &result), result.reason);
  assert_string_equal(gradyn_termination_name(result.termination), "optimal");
  assert_int_equal(result.evaluations, 1 + result.probes);
}

/* Values with noise in their sixth digit: the search must end, and call the optimum optimal. */
static gradyn_status noisy(const synthetic *problem, const double x[], double psi[],
                           double gradient[])
{
  const gradyn_status status = bowl(problem, x, psi, gradient);
  psi[0] = (psi[0] + 1) * (1 + 1e-6 * sin(1e7 * (x[0] + 2 * x[1])));
  return status;
}

TEST(noise_keeps_no_search_going)
{
  for (int k = 0; k < 8; k++) {
    synthetic problem = synthetic_make(2, -HUGE_VAL, HUGE_VAL, 1, noisy);
    gradyn_search search = synthetic_search("lbfgs");
    search.ftol = 1e-6;
    search.optimality = 1e-4;
    const double x0[2] = {0.3 * k, 4 - k};
    LOCAL(gradyn_search_result) result;
    assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
    assert_close(result.rho[0], 1, 0, 1e-2);
    assert_true(result.evaluations < 80);
  }
}

/* A start next to an optimum with tiny gradients: values have round-off of 1e-14 of their size, gradients
 * are accurate to 1e-12. */
SYNTHETIC(flat)
{
  const double a = x[0] - 0.68, b = x[1] - 0.28, noise = sin(1e9 * x[0] + 1e8 * x[1]);
  psi[0] = (0.03 + 0.1 * a * a + 1e-4 * b * b + 4e-6 * x[2]) * (1 + 1e-14 * noise);
  gradient[0] = 0.2 * a + 1e-12 * noise;
  gradient[1] = 2e-4 * b;
  gradient[2] = 4e-6;
}

TEST(values_of_round_off_are_distinguished_by_slopes)
{
  for (int k = 0; k < 20; k++) {
    synthetic problem = synthetic_make(3, 0.2, 2, 1, flat);
    gradyn_search search = synthetic_search("lbfgs");
    const double x0[3] = {0.68 + 1e-7 * (k - 7), 0.28 + 1e-8 * k, 0.2};
    LOCAL(gradyn_search_result) result;
    assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
    assert_close(result.rho[0], 0.68, 0, 4e-9);
  }
}

/* If an objective decreases by six or by forty decades, optimality is judged in the scale of its final
 * size. */
TEST(what_is_left_is_the_scale)
{
  static const char *const names[] = {"quadratic 1e6 least 0", "valley 1e6 least 0", "singular"};
  for (size_t i = 0; i < known_optima_count; i++)
    for (size_t a = 0; a < sizeof names / sizeof names[0]; a++)
      if (strcmp(known_optima[i].name, names[a]) == 0) {
        const known_verdict verdict = known_optimum_search(&known_optima[i], 5);
        assert_true(verdict.said && verdict.is);
        assert_true(verdict.distance <= 1e-3);
      }
}

/* An effort that is zero at the start up to round-off, and end conditions that the start violates. */
SYNTHETIC(effort)
{
  for (size_t i = 0; i < problem->n; i++) {
    const double off = x[i] - 9.81, weight = pow(10, (double)i);
    psi[0] += weight * (off + 1e-19) * (off + 1e-19);
    gradient[i] = 2 * weight * (off + 1e-19);
    psi[1] += x[i];
    gradient[problem->n + i] = 1;
    psi[2] += (double)i * exp(x[i] / 10);
    gradient[2 * problem->n + i] = (double)i * exp(x[i] / 10) / 10;
  }
}

/* A gradient that is below the round-off of later gradients gives no scale. */
TEST(a_start_that_is_flat_to_round_off_has_no_scale)
{
  const double least = 789.0718043; /* both algorithms */
  static const char *const algorithms[] = {"slsqp", "ipopt"};
  for (size_t a = 0; a < GRADYN_COUNT(algorithms); a++) {
    if (gradyn_algorithm_unavailable_reason(algorithms[a]) != NULL)
      continue;
    const double x0[4] = {9.81, 9.81, 9.81, 9.81};
    synthetic problem = synthetic_make(4, 0, 30, 3, effort);
    synthetic_constrain(&problem, 1, GRADYN_EQUAL, 44);
    synthetic_constrain(&problem, 2, GRADYN_EQUAL, 20);
    const gradyn_search search = synthetic_search(algorithms[a]);
    LOCAL(gradyn_search_result) result;
    assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
    assert_string_equal(gradyn_termination_name(result.termination), "optimal");
    assert_in_range(result.evaluations, 2, 100);
    assert_close(result.objective, least, 1e-7, 0);
  }
}

static gradyn_status beyond(const synthetic *problem, const double x[], double psi[],
                            double gradient[])
{
  psi[1] = x[0];
  gradient[problem->n] = 1;
  return bowl(problem, x, psi, gradient);
}

/* If a constraint depends on one parameter only, its gradient has one nonzero component, for any parameter.
 */
TEST(a_limit_of_one_parameter_is_enough)
{
  synthetic problem = synthetic_make(3, -5, 5, 2, beyond);
  synthetic_constrain(&problem, 1, GRADYN_AT_MOST, 0.5);
  const gradyn_search search = synthetic_search("slsqp");
  const double x0[3] = {-3, 4, 0};
  LOCAL(gradyn_search_result) result;
  assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
  assert_string_equal(gradyn_termination_name(result.termination), "optimal");
  assert_close(result.rho[0], 0.5, 0, 1e-6);
  assert_close(result.objective, 0.25, 0, 1e-6);
}

/* If a constraint is violated by 1.5 times its tolerance, optimality cannot be measured. */
TEST(nearly_feasible_is_infeasible)
{
  synthetic problem = synthetic_make(2, -1, 1, 2, beyond);
  synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, 4);
  problem.functionals[1].tolerance = 2;
  const gradyn_search search = synthetic_search("slsqp");
  const double x0[2] = {0, 0};
  LOCAL(gradyn_search_result) result;
  assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_INFEASIBLE, result.reason);
  assert_close(result.violation, 1.5, 1e-9, 0);
  assert_true(isnan(result.projected_gradient));
}

/* A name of any length gives a reason that fits into its buffer and is marked as truncated. */
TEST(a_truncated_reason_is_marked)
{
  char name[960]; /* longer than the space left by the rest of the text */
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  synthetic problem = synthetic_make(1, -1, 1, 2, beyond);
  synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, 5);
  problem.functionals[1].name = name;
  gradyn_search search = synthetic_search("slsqp");
  LOCAL(gradyn_search_result) result;
  (void)synthetic_run(&problem, &search, &(double){0}, &result);
  assert_int_equal(strlen(result.reason), sizeof result.reason - 1);
  assert_string_equal(result.reason + strlen(result.reason) - 3, "...");
}

static const gradyn_warnings *doubt(void *self)
{
  static gradyn_warnings list;
  (void)self;
  gradyn_warnings_clear(&list);
  gradyn_warnings_add(&list, GRADYN_WARNING(ADJOINT_GROWTH, .value = 1e9, .suggestion = 0.1));
  gradyn_warnings_add(&list, GRADYN_WARNING(STEPS_SUBDIVIDED, .value = 3, .limit = 10));
  return &list;
}

static bool stop(const gradyn_iteration *iteration, void *user)
{
  (void)user;
  return iteration->evaluation < 2;
}

/* The result has the warnings of the best point. A search that was stopped has not evaluated this point
 * again and does not know them. */
TEST(doubts_are_reported)
{
  synthetic problem = synthetic_make(2, -5, 5, 1, bowl);
  gradyn_objective objective = synthetic_objective(&problem);
  objective.warnings = doubt;
  gradyn_search search = synthetic_search("lbfgs");
  const double x0[2] = {-3, 4};
  LOCAL(gradyn_search_result) result;
  assert_ok(gradyn_search_run(&objective, &search, x0, &result), result.reason);
  assert_int_equal(result.warning_count, 2);
  assert_int_equal(result.warnings[0].code, GRADYN_WARNING_STEPS_SUBDIVIDED);
  assert_int_equal(result.warnings[1].code, GRADYN_WARNING_ADJOINT_GROWTH);
  assert_says(result.warnings[1].text, "Use steps of 0.1 s");
  gradyn_search_result_clear(&result);
  search.on_iteration = stop;
  assert_int_equal(gradyn_search_run(&objective, &search, x0, &result), GRADYN_INTERRUPTED);
  assert_says(result.reason, "this point has warnings: simulate it to see them");
  assert_int_equal(result.warning_count, 0);
}

/* A violation that equals its tolerance is permitted. */
TEST(a_point_at_its_tolerances_is_optimal)
{
  const gradyn_optimality judge = {.optimality = 1e-6};
  gradyn_trial point = {.filled = true, .violation = 1, .residual = 1e-6};
  assert_true(gradyn_optimality_reached(&judge, &point));
  point.violation = nextafter(1, 2);
  assert_false(gradyn_optimality_reached(&judge, &point));
  point.violation = 1;
  point.residual = nextafter(1e-6, 1);
  assert_false(gradyn_optimality_reached(&judge, &point));
  point.residual = 0;
  point.filled = false;
  assert_false(gradyn_optimality_reached(&judge, &point));
}
