/* Load cases: an evaluator of all cases must give the values and gradients of one model that contains a
 * copy for each case, with any number of threads. */
#include "tests/adjoint/cases/oscillators.h"

/* Index of functional i of copy k in the model with all copies. */
static size_t in_all(size_t k, size_t i)
{
  return i < 2 ? 2 * k + i : 6 + k;
}

static void compare(const char *method, const char *sensitivity)
{
  run_local *all = oscillators_open(&oscillators_together, method, sensitivity, NULL, 1),
            *cases = oscillators_open(&oscillators_apart, method, sensitivity, NULL, 2);
  const double rho[P] = {7.5, 0.4};
  double psi[2][9], gradient[2][9][P];
  assert_int_equal(gradyn_parameter_count(cases), P);
  assert_int_equal(gradyn_functional_count(cases), 9);
  assert_run(gradyn_evaluator_gradient(all, rho, psi[0], gradient[0][0]), all);
  assert_run(gradyn_evaluator_gradient(cases, rho, psi[1], gradient[1][0]), cases);
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < F; i++) {
      assert_close(psi[1][3 * k + i], psi[0][in_all(k, i)], 1e-12, 0);
      assert_close_array(gradient[1][3 * k + i], gradient[0][in_all(k, i)], P, 1e-12, 1e-14);
    }
  assert_run(gradyn_evaluator_simulate(cases, rho, psi[0], NULL), cases);
  assert_close_array(psi[0], psi[1], 9, 1e-13, 0);
}

TEST(they_equal_one_model_with_all_copies)
{
  static const char *const methods[] = {"explicit", "radau"}, *const ways[] = {"adjoint", "direct"};
  for (int m = 0; m < 2; m++)
    for (int s = 0; s < 2; s++)
      compare(methods[m], ways[s]);
}

/* --- objectives over cases -------------------------------------------------------------------- */

/* The objective of each case, and its gradient. */
static void costs_of(double rho[P], double cost[3], double slope[3][P])
{
  run_local *all = oscillators_open(&oscillators_together, "explicit", "direct", NULL, 1);
  double psi[9], gradient[9][P];
  assert_run(gradyn_evaluator_gradient(all, rho, psi, gradient[0]), all);
  for (size_t k = 0; k < 3; k++) {
    cost[k] = psi[2 * k] + 2 * psi[2 * k + 1];
    for (int j = 0; j < P; j++)
      slope[k][j] = gradient[2 * k][j] + 2 * gradient[2 * k + 1][j];
  }
}

/* Returns the objective of an evaluator and its gradient. The objective is a weighted sum or the largest of
 * its terms. */
static double objective_of(gradyn_evaluator *ev, const double rho[P], double out[P])
{
  double psi[16], gradient[16][P], sum = 0, largest = -HUGE_VAL;
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[0]), ev);
  memset(out, 0, P * sizeof *out);
  for (size_t i = 0; i < gradyn_functional_count(ev); i++) {
    const gradyn_functional_info info = gradyn_functional_at(ev, i);
    if (info.use == GRADYN_OBJECTIVE)
      sum += info.weight * psi[i];
    for (int j = 0; j < P && info.use == GRADYN_OBJECTIVE; j++)
      out[j] += info.weight * gradient[i][j];
    if (info.use == GRADYN_LARGEST && info.weight * psi[i] > largest) {
      largest = info.weight * psi[i];
      for (int j = 0; j < P; j++)
        out[j] = info.weight * gradient[i][j];
    }
  }
  return largest > -HUGE_VAL ? largest : sum;
}

TEST(sum_mean_and_largest_are_those_of_the_cases)
{
  double rho[P] = {7.5, 0.4}, cost[3], slope[3][P], got[P];
  costs_of(rho, cost, slope);
  const double total = oscillator_weights[0] + oscillator_weights[1] + oscillator_weights[2];
  for (int mean = 0; mean < 2; mean++) {
    run_local *ev = oscillators_open(&oscillators_apart, "explicit", "direct",
                                     mean ? "mean" : "sum", 1);
    double value = 0, line[P] = {0};
    for (int k = 0; k < 3; k++) {
      value += oscillator_weights[k] * cost[k] / (mean ? total : 1);
      for (int j = 0; j < P; j++)
        line[j] += oscillator_weights[k] * slope[k][j] / (mean ? total : 1);
    }
    assert_close(objective_of(ev, rho, got), value, 1e-12, 0);
    assert_close_array(got, line, P, 1e-12, 1e-14);
  }
  run_local *ev = oscillators_open(&oscillators_apart, "explicit", "direct", "largest", 1);
  const int worst = cost[0] > cost[1] ? (cost[0] > cost[2] ? 0 : 2) : cost[1] > cost[2] ? 1 : 2;
  assert_close(objective_of(ev, rho, got), cost[worst], 1e-12, 0);
  assert_close_array(got, slope[worst], P, 1e-12, 1e-14);
}

TEST(the_deviation_is_that_of_the_cases)
{
  double rho[P] = {7.5, 0.4}, cost[3], slope[3][P], got[P], mean = 0, variance = 0;
  costs_of(rho, cost, slope);
  const double total = oscillator_weights[0] + oscillator_weights[1] + oscillator_weights[2];
  for (int k = 0; k < 3; k++)
    mean += oscillator_weights[k] / total * cost[k];
  for (int k = 0; k < 3; k++)
    variance += oscillator_weights[k] / total * (cost[k] - mean) * (cost[k] - mean);
  const double deviation = sqrt(variance + 1e-12 * mean * mean);
  double line[P] = {0};
  for (int j = 0; j < P; j++) {
    double m = 0, v = 0;
    for (int k = 0; k < 3; k++)
      m += oscillator_weights[k] / total * slope[k][j];
    for (int k = 0; k < 3; k++)
      v += oscillator_weights[k] / total * 2 * (cost[k] - mean) * (slope[k][j] - m);
    line[j] = m + 3 * (v + 2e-12 * mean * m) / (2 * deviation);
  }
  run_local *ev = oscillators_open(&oscillators_apart, "explicit", "direct", "deviation:3", 1);
  assert_close(objective_of(ev, rho, got), mean + 3 * deviation, 1e-12, 0);
  assert_close_array(got, line, P, 1e-11, 1e-14);
}

/* --- threads, failures, parameters ------------------------------------------------------------- */

TEST(any_number_of_threads_gives_the_same_bits)
{
  static const double same[K] = {1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2};
  const gradyn_cases eight = {.names = oscillator_names,
                              .columns = oscillator_columns,
                              .values = same,
                              .count = K,
                              .column_count = 1};
  gradyn_problem problem = oscillators_apart;
  problem.cases = &eight;
  const double rho[P] = {7.5, 0.4};
  double psi[2][K * F], gradient[2][K * F][P];
  for (long jobs = 1; jobs <= 5; jobs++) {
    run_local *ev = oscillators_open(&problem, "explicit", "adjoint", "mean", jobs);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi[jobs > 1], gradient[jobs > 1][0]), ev);
    if (jobs > 1) {
      assert_memory_equal(psi[1], psi[0], sizeof psi[0]);
      assert_memory_equal(gradient[1], gradient[0], sizeof gradient[0]);
    }
  }
  for (size_t i = F; i < K * F; i++)
    assert_true(psi[0][i] == psi[0][i % F]); /* equal cases */
}

TEST(a_case_that_fails_is_named)
{
  static const double bad[3] = {1, 1.5, 0};
  const gradyn_cases cases = {.names = oscillator_names,
                              .columns = oscillator_columns,
                              .values = bad,
                              .count = 3,
                              .column_count = 1};
  gradyn_problem problem = oscillators_apart;
  problem.cases = &cases;
  gradyn_evaluator *ev;
  assert_int_not_equal(gradyn_evaluator_create(&problem, NULL, NULL, 0, &ev), GRADYN_OK);
  assert_non_null(strstr(gradyn_evaluator_message(ev), "case c"));
  gradyn_evaluator_free(ev);
}

TEST(parameters_are_shared_or_of_one_case)
{
  const gradyn_param own[P] = {{"k", "N/m", .init = 8, .lower = 1, .upper = 20, .per_case = true},
                               {"c", "N s/m", .init = 0.7, .lower = 0.1, .upper = 5}};
  static const char *const heads[] = {"k", "c"};
  static const double cells[] = {4, (double)NAN, (double)NAN, 0.3};
  const gradyn_cases cases = {
      .names = oscillator_names, .columns = heads, .values = cells, .count = 2, .column_count = 2};
  gradyn_problem problem = oscillators_apart;
  problem.params = own;
  problem.cases = &cases;
  run_local *ev = oscillators_open(&problem, "explicit", "adjoint", NULL, 1);
  static const char *const expected[] = {"c", "k@a", "k@b", "c@b"};
  static const double init[] = {0.7, 4, 8, 0.3};
  assert_int_equal(gradyn_parameter_count(ev), 4);
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(gradyn_parameter_at(ev, i).name, expected[i]);
    assert_true(gradyn_parameter_at(ev, i).init == init[i]);
    assert_true(gradyn_parameter_at(ev, i).fixed == (i == 3));
  }
  double psi[6], gradient[6][4];
  assert_run(gradyn_evaluator_gradient(ev, init, psi, gradient[0]), ev);
  assert_true(gradient[0][2] == 0 && gradient[0][3] == 0 && gradient[3][0] == 0);
  const size_t *of_b = gradyn_case_at(ev, 1).parameter;
  assert_true(of_b[0] == 2 && of_b[1] == 3);
  assert_int_equal(gradyn_evaluator_model_info(ev).cases, 2);
  assert_string_equal(gradyn_case_at(ev, 1).name, "b");
  assert_string_equal(gradyn_case_at(ev, 2).name, "");
  assert_true(!gradyn_case_at(ev, 2).evaluator && !gradyn_case_at(ev, 2).parameter);
}

TEST(a_single_case_is_a_run_of_its_own)
{
  gradyn_options options;
  gradyn_options_default(&oscillators_apart, &options);
  options.only_case = "b";
  options.method = "explicit";
  options.step = 0.01;
  gradyn_evaluator *one;
  run_local *all = oscillators_open(&oscillators_apart, "explicit", "auto", NULL, 1);
  const double rho[P] = {7.5, 0.4};
  double psi[9], own[F];
  assert_run(gradyn_evaluator_create(&oscillators_apart, &options, NULL, 0, &one), one);
  assert_int_equal(gradyn_evaluator_model_info(one).cases, 0);
  assert_int_equal(gradyn_functional_count(one), F);
  assert_run(gradyn_evaluator_simulate(all, rho, psi, NULL), all);
  assert_run(gradyn_evaluator_simulate(one, rho, own, NULL), one);
  assert_close_array(own, psi + F, F, 1e-7, 0);
  gradyn_evaluator_free(one);
}
