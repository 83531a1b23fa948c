/* Searches over load cases: sum, mean, largest, mean of the worst fraction, and standard deviation.
 * Compared with golden-section searches of closed forms. */
#include "tests/optim/journals.h"
#include "tests/runs.h"

#include <complex.h>
#include <stdio.h>
#include <unistd.h>

#include <gradyn/optimise.h>
#include <gradyn/study.h>

enum { K = 5 };

static const gradyn_param params[] = {{"x", "", .init = 3, .lower = -10, .upper = 10}};
static const char *const names[K] = {"a", "b", "c", "d", "e"};
static const char *const columns[] = {"centre", "base", "weight"};
static const double values[K][3] = {
    {-1, 0.2, 1}, {0.5, 1, 2}, {1.5, 0, 1}, {2, 0.7, 0.5}, {-0.3, 0.1, 3}};
static const gradyn_cases cases = {
    .names = names, .columns = columns, .values = values[0], .count = K, .column_count = 3};

/* x at rest, and the functional (x - centre)^2 + base, in two terms if the setting is 1. */
static gradyn_status at_rest(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar off = rho[0] - gradyn_case_value(model, "centre", 0);
  const double base = gradyn_case_value(model, "base", 0);
  gradyn_state(model, "s", "", 0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = at_rest});
  const bool two = gradyn_setting_value(model, "two") > 0;
  gradyn_minimise(model, gradyn_design_functional(model, "f", "", off * off + (two ? 0 : base)), 1);
  if (two)
    gradyn_minimise(model, gradyn_design_functional(model, "g", "", base + 0 * rho[0]), 1);
  return gradyn_build_status(model);
}

static const gradyn_setting settings[] = {{"two", "terms", 0, 0, 1}};
static const gradyn_problem problem = PROBLEM("over_cases", build, params, .t_end = 1,
                                              .cases = &cases, .settings = settings,
                                              .setting_count = 1);

static double cost(int k, double x)
{
  const double off = x - values[k][0];
  return off * off + values[k][1];
}

static double mean(double x)
{
  double sum = 0, total = 0;
  for (int k = 0; k < K; k++) {
    sum += values[k][2] * cost(k, x);
    total += values[k][2];
  }
  return sum / total;
}

static double largest(double x)
{
  double most = -HUGE_VAL;
  for (int k = 0; k < K; k++)
    most = fmax(most, cost(k, x));
  return most;
}

/* The mean of the worst 0.3 of the weights: the largest costs first, until the sum of their weights is 0.3.
 */
static double tail(double x)
{
  double total = 0, left = 0.3, sum = 0;
  bool used[K] = {false};
  for (int k = 0; k < K; k++)
    total += values[k][2];
  while (left > 1e-15) {
    int worst = -1;
    for (int k = 0; k < K; k++)
      if (!used[k] && (worst < 0 || cost(k, x) > cost(worst, x)))
        worst = k;
    const double part = fmin(left, values[worst][2] / total);
    used[worst] = true;
    sum += part * cost(worst, x);
    left -= part;
  }
  return sum / 0.3;
}

static double deviation(double x)
{
  double variance = 0, total = 0;
  const double m = mean(x);
  for (int k = 0; k < K; k++) {
    variance += values[k][2] * (cost(k, x) - m) * (cost(k, x) - m);
    total += values[k][2];
  }
  return m + 2 * sqrt(variance / total + 1e-12 * m * m);
}

/* Minimum of a convex function by golden section. */
static double minimum(double (*f)(double x), double *value)
{
  const double golden = 0.6180339887498949;
  double a = -10, b = 10;
  for (int i = 0; i < 200; i++) {
    const double c = b - golden * (b - a), d = a + golden * (b - a);
    if (f(c) < f(d))
      b = d;
    else
      a = c;
  }
  *value = f((a + b) / 2);
  return (a + b) / 2;
}

static gradyn_evaluator *open_over(const char *over, int two)
{
  gradyn_options options;
  gradyn_evaluator *ev;
  const gradyn_setting_choice choice = {"two", two};
  gradyn_options_default(&problem, &options);
  options.over_cases = over;
  assert_run(gradyn_evaluator_create(&problem, &options, &choice, 1, &ev), ev);
  return ev;
}

static void compare(const char *over, const char *algorithm, int two, double (*f)(double x))
{
  run_local *ev = open_over(over, two);
  gradyn_search search;
  gradyn_search_result result;
  const double rho0[1] = {3};
  double value;
  const double x = minimum(f, &value);
  gradyn_search_default(ev, &search);
  search.algorithm = algorithm;
  const gradyn_status status = gradyn_optimise(ev, &search, rho0, &result);
  if (status != GRADYN_OK || result.termination != GRADYN_TERMINATION_OPTIMAL)
    fail_msg("%s by %s: %s", over, algorithm, result.reason);
  /* at a kink, terms count as equal within the optimality tolerance */
  assert_close(result.objective, value, 1e-6, 0);
  assert_close(result.rho[0], x, 2e-4, 0);
  gradyn_search_result_clear(&result);
}

TEST(optima_are_those_of_the_closed_forms)
{
  static const char *const algorithms[] = {"slsqp", "ipopt", NULL};
  for (int a = 0; a < 3; a++)
    for (int two = 0; two < 2; two++) {
      if (algorithms[a] && gradyn_algorithm_unavailable_reason(algorithms[a]))
        continue;
      compare("mean", algorithms[a], two, mean);
      compare("largest", algorithms[a], two, largest);
      compare("cvar:0.3", algorithms[a], two, tail);
      compare("cvar:0.001", algorithms[a], two, largest);
      compare("cvar:1", algorithms[a], two, mean);
      compare("deviation:2", algorithms[a], two, deviation);
    }
}

/* A search that is stopped after some evaluations and resumed has the bits of one without a stop. */
static bool stop_soon(const gradyn_iteration *iteration, void *user)
{
  return iteration->evaluation < *(const long *)user;
}

TEST(a_resumed_search_over_cases_has_the_same_bits)
{
  static const char *const ways[] = {"sum", "largest", "cvar:0.3", "deviation:2"};
  for (size_t w = 0; w < GRADYN_COUNT(ways); w++)
    for (long stop = 1; stop < 4; stop++) {
      run_local *ev = open_over(ways[w], 1);
      gradyn_search search;
      gradyn_search_result whole, part, resumed;
      const double rho0[1] = {3};
      FREED char *journal = journal_name();
      gradyn_search_default(ev, &search);
      assert_int_equal(gradyn_optimise(ev, &search, rho0, &whole), GRADYN_OK);
      search.journal = journal;
      search.on_iteration = stop_soon;
      search.user = &stop;
      (void)gradyn_optimise(ev, &search, rho0, &part);
      search.on_iteration = NULL;
      search.resume = true;
      assert_int_equal(gradyn_optimise(ev, &search, rho0, &resumed), GRADYN_OK);
      assert_int_equal(resumed.resumed.replayed, part.evaluations);
      assert_memory_equal(resumed.rho, whole.rho, sizeof *whole.rho);
      assert_memory_equal(&resumed.objective, &whole.objective, sizeof whole.objective);
      assert_int_equal(resumed.evaluations, whole.evaluations);
      gradyn_search_result_clear(&whole);
      gradyn_search_result_clear(&part);
      gradyn_search_result_clear(&resumed);
      assert_int_equal(unlink(journal), 0);
    }
}

TEST(impossible_combinations_are_refused_by_name)
{
  run_local *ev = open_over("sum", 0);
  gradyn_search search;
  gradyn_search_result result;
  const double rho0[1] = {3};
  gradyn_search_default(ev, &search);
  search.segments = 2;
  assert_int_equal(gradyn_optimise(ev, &search, rho0, &result), GRADYN_UNSUPPORTED);
  assert_non_null(strstr(result.reason, "segments and load cases"));
  gradyn_search_result_clear(&result);
  search.segments = 0;
  search.refine_controls = 1;
  assert_int_equal(gradyn_optimise(ev, &search, rho0, &result), GRADYN_UNSUPPORTED);
  assert_non_null(strstr(result.reason, "refine_controls and load cases"));
  gradyn_search_result_clear(&result);
}
