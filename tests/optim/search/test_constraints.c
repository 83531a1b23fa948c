/* Tests of searches with constraints. HS n: problem n of Hock & Schittkowski, Test Examples for
 * Nonlinear Programming Codes, Springer 1981, with the optima given there. */
#include "tests/optim/synthetic.h"

static void assert_optimal(gradyn_status status, const gradyn_search_result *result)
{
  assert_ok(status, result->reason);
  assert_true(result->termination <= GRADYN_TERMINATION_ROUNDOFF);
  assert_true(result->violation <= 1);
}

static synthetic make_hs071(void)
{
  synthetic problem = synthetic_make(4, 1, 5, 3, hs071);
  synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, 25);
  synthetic_constrain(&problem, 2, GRADYN_EQUAL, 40);
  return problem;
}

TEST(every_algorithm_solves_hs071)
{
  const double x0[4] = {1, 5, 5, 1};
  const double optimum[4] = {1, 4.7429994, 3.8211503, 1.3794082};
  for (const char *const *name = gradyn_algorithm_names(); *name != NULL; name++) {
    synthetic problem = make_hs071();
    gradyn_search search = synthetic_search(*name);
    search.max_evaluations = 3000;
    LOCAL(gradyn_search_result) result;
    assert_optimal(synthetic_run(&problem, &search, x0, &result), &result);
    assert_close(result.objective, 17.0140173, 1e-6, 0);
    assert_close_array(result.rho, optimum, 4, 0, 1e-3);
    /* multipliers of the bound x0 >= 1 and of the constraints, from Ipopt's documentation */
    assert_close(result.warm.lower_multiplier[0], 1.0878712, 1e-3, 0);
    assert_close(result.multiplier[1], 0.5522937, 1e-3, 0);
    assert_close(fabs(result.multiplier[2]), 0.1614686, 1e-3, 0);
    for (int j = 0; j < 4; j++)
      assert_close(result.warm.upper_multiplier[j] + (j > 0 ? result.warm.lower_multiplier[j] : 0),
                   0, 0, 0);
    const bool wrapped = strstr(result.reason, "used: auglag-") != NULL;
    const bool able = strcmp(*name, "slsqp") == 0 || strcmp(*name, "ipopt") == 0;
    assert_int_equal(wrapped, !able && strncmp(*name, "auglag", 6) != 0);
  }
}

TEST(sizes_of_objective_and_constraints_do_not_matter)
{
  const double x0[4] = {1, 5, 5, 1};
  static const char *const names[] = {"slsqp", "auglag"};
  for (size_t a = 0; a < 2; a++) {
    for (int exponent = -40; exponent <= 40; exponent += 16) {
      synthetic problem = make_hs071();
      problem.factor = ldexp(1.0, exponent);
      gradyn_search search = synthetic_search(names[a]);
      LOCAL(gradyn_search_result) result;
      assert_optimal(synthetic_run(&problem, &search, x0, &result), &result);
      assert_close(result.objective / problem.factor, 17.0140173, 1e-7, 0);
    }
  }
}

SYNTHETIC(hs024)
{
  const double r3 = sqrt(3.0), d = (x[0] - 3) * (x[0] - 3) - 9;
  psi[0] = d * pow(x[1], 3) / (27 * r3);
  gradient[0] = 2 * (x[0] - 3) * pow(x[1], 3) / (27 * r3);
  gradient[1] = d * 3 * x[1] * x[1] / (27 * r3);
  psi[1] = x[0] / r3 - x[1];
  psi[2] = x[0] + r3 * x[1];
  psi[3] = psi[2];
  const double rows[6] = {1 / r3, -1, 1, r3, 1, r3};
  memcpy(gradient + 2, rows, sizeof rows);
}

TEST(inequalities_only_hs024)
{
  const double x0[2] = {1, 0.5};
  static const char *const names[] = {"slsqp", "mma", "ccsaq", "lbfgs", "auglag-slsqp"};
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    synthetic problem = synthetic_make(2, 0, HUGE_VAL, 4, hs024);
    synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, 0);
    synthetic_constrain(&problem, 2, GRADYN_AT_LEAST, 0);
    synthetic_constrain(&problem, 3, GRADYN_AT_MOST, 6);
    gradyn_search search = synthetic_search(names[a]);
    search.max_evaluations = 2000;
    LOCAL(gradyn_search_result) result;
    assert_optimal(synthetic_run(&problem, &search, x0, &result), &result);
    assert_close(result.objective, -1, 1e-6, 0);
    assert_close(result.rho[0], 3, 1e-4, 0);
    assert_close(result.rho[1], sqrt(3.0), 1e-4, 0);
  }
}

/* x0 + x1 + x2 = 6 is declared three times, and once more as a consequence of other constraints. */
SYNTHETIC(repeated)
{
  const double c = 1000;
  bowl(problem, x, psi, gradient);
  psi[0] += (x[0] - x[1]) * x[2];
  gradient[0] += x[2];
  gradient[1] -= x[2];
  gradient[2] += x[0] - x[1];
  psi[1] = x[0] + x[1] + x[2];
  psi[2] = c * psi[1];
  psi[3] = x[0] - x[2];
  psi[4] = psi[1] + psi[3];
  const double rows[12] = {1, 1, 1, c, c, c, 1, 0, -1, 2, 1, 0};
  memcpy(gradient + 3, rows, sizeof rows);
}

TEST(dependent_equalities_are_left_out_and_named)
{
  const double x0[3] = {0, 1, 3};
  const double bounds[5] = {0, 6, 6000, 0, 6};
  synthetic problem = synthetic_make(3, -10, 10, 5, repeated);
  for (size_t i = 1; i < 5; i++)
    synthetic_constrain(&problem, i, GRADYN_EQUAL, bounds[i]);
  problem.functionals[2].tolerance = 1e-5;
  static const char *const names[] = {"slsqp", "auglag", "auglag-slsqp"};
  for (size_t a = 0; a < 3; a++) {
    gradyn_search search = synthetic_search(names[a]);
    LOCAL(gradyn_search_result) result;
    assert_optimal(synthetic_run(&problem, &search, x0, &result), &result);
    /* with x = (t, 6 - 2t, t), the objective (t-1)^2 + (4-2t)^2 + (t-3)^2 + (3t-6) t has its minimum at
     * t = 5/3 */
    assert_close(result.rho[0], 5.0 / 3, 1e-6, 0);
    assert_close(result.rho[1], 8.0 / 3, 1e-6, 0);
    assert_says(result.reason, "equality f2 depends on others and was omitted");
    assert_says(result.reason, "equality f4 depends on others");
    assert_null(strstr(result.reason, "equality f1"));
  }
}

/* The gradient of the equality x0^2 + x1^2 = 2 vanishes at the start, the origin. */
SYNTHETIC(vanishing)
{
  psi[0] = 1e-6 * ((x[0] - 3) * (x[0] - 3) + (x[1] - 3) * (x[1] - 3));
  psi[1] = x[0] * x[0] + x[1] * x[1];
  for (int j = 0; j < 2; j++) {
    gradient[j] = 2e-6 * (x[j] - 3);
    gradient[2 + j] = 2 * x[j];
  }
}

TEST(equality_without_gradient_at_the_start_is_used_later)
{
  const double x0[2] = {0, 0};
  synthetic problem = synthetic_make(2, -5, 5, 2, vanishing);
  synthetic_constrain(&problem, 1, GRADYN_EQUAL, 2);
  gradyn_search search = synthetic_search("slsqp");
  LOCAL(gradyn_search_result) result;
  assert_optimal(synthetic_run(&problem, &search, x0, &result), &result);
  assert_close(result.rho[0], 1, 0, 1e-6);
  assert_close(result.rho[1], 1, 0, 1e-6);
}

/* Least effort to reach a sum: the objective and its gradient vanish at the start. */
SYNTHETIC(effort)
{
  for (size_t i = 0; i < problem->n; i++) {
    psi[0] += 1e-7 * x[i] * x[i];
    gradient[i] = 2e-7 * x[i];
    psi[1] += (double)(i + 1) * x[i];
    gradient[problem->n + i] = (double)(i + 1);
  }
}

TEST(least_effort_from_rest)
{
  const double x0[4] = {0, 0, 0, 0};
  static const char *const names[] = {"slsqp", "auglag", "auglag-slsqp"};
  for (size_t a = 0; a < 3; a++) {
    synthetic problem = synthetic_make(4, -5, 5, 2, effort);
    synthetic_constrain(&problem, 1, GRADYN_EQUAL, 30);
    gradyn_search search = synthetic_search(names[a]);
    LOCAL(gradyn_search_result) result;
    assert_optimal(synthetic_run(&problem, &search, x0, &result), &result);
    const double optimum[4] = {1, 2, 3, 4};
    assert_close_array(result.rho, optimum, 4, 0, 1e-5);
    assert_true(result.objective_scale > 1e3);
  }
}

TEST(contradiction_is_infeasible_and_named)
{
  const double x0[4] = {0, 0, 0, 0};
  static const char *const names[] = {"slsqp", "auglag"};
  for (size_t a = 0; a < 2; a++) {
    synthetic problem = synthetic_make(4, -1, 1, 2, effort);
    synthetic_constrain(&problem, 1, GRADYN_EQUAL, 30); /* at most 10 is possible */
    gradyn_search search = synthetic_search(names[a]);
    LOCAL(gradyn_search_result) result;
    assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_INFEASIBLE, result.reason);
    assert_close(result.psi[1], 10, 1e-4, 0); /* the least violation */
    assert_says(result.reason, "constraint: f1 is 10");
    assert_null(strstr(result.reason, "projected gradient"));
    assert_true(isnan(result.projected_gradient));
    gradyn_search_result_clear(&result);
    search.max_evaluations = 2;
    assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_INFEASIBLE, result.reason);
    assert_says(result.reason, "the limit of 2 evaluations was reached, no feasible point");
  }
}

/* The search begins at the minimum of the objective, where the gradient of the equality x0^2 + x1^2 = 2
 * vanishes. It cannot be satisfied from there, but it must not be called redundant. */
SYNTHETIC(stuck)
{
  psi[0] = psi[1] = x[0] * x[0] + x[1] * x[1];
  for (int j = 0; j < 2; j++)
    gradient[j] = gradient[2 + j] = 2 * x[j];
}

TEST(an_equality_that_does_not_hold_is_not_called_superfluous)
{
  const double x0[2] = {0, 0};
  synthetic problem = synthetic_make(2, -5, 5, 2, stuck);
  synthetic_constrain(&problem, 1, GRADYN_EQUAL, 2);
  gradyn_search search = synthetic_search("slsqp");
  LOCAL(gradyn_search_result) result;
  assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_INFEASIBLE, result.reason);
  assert_null(strstr(result.reason, "depends on others"));
  assert_says(result.reason, "equality f1 contradicts others at this point, or has no gradient");
}

/* Minimax: smallest circle around (0,0), (4,0), (0,2), in squared distances; centre (2,1), value 5. */
SYNTHETIC(distances)
{
  static const double point[3][2] = {{0, 0}, {4, 0}, {0, 2}};
  for (size_t i = 0; i < problem->m; i++)
    for (size_t j = 0; j < 2; j++) {
      const double d = x[j] - point[i][j];
      psi[i] += d * d;
      gradient[2 * i + j] = 2 * d;
    }
}

TEST(largest_of_several_is_minimised)
{
  const double x0[2] = {-3, 4};
  static const char *const names[] = {NULL, "slsqp", "mma", "ccsaq", "auglag-slsqp"};
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    synthetic problem = synthetic_make(2, -5, 5, 3, distances);
    for (size_t i = 0; i < 3; i++)
      problem.functionals[i].use = GRADYN_LARGEST;
    gradyn_search search = synthetic_search(names[a]);
    search.max_evaluations = 3000;
    LOCAL(gradyn_search_result) result;
    assert_optimal(synthetic_run(&problem, &search, x0, &result), &result);
    assert_close(result.objective, 5, 1e-5, 0);
    assert_close(result.rho[0], 2, 1e-3, 0);
    assert_close(result.rho[1], 1, 1e-3, 0);
    assert_close(result.initial_objective, 49 + 16, 1e-12, 0);
  }
}
