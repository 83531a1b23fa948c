/* Problems of optimal control with what others find. */
#include "tests/problems/control_optima.h"
#include "tests/runs.h"

#include <gradyn/optimise.h>

extern const gradyn_problem gradyn_problem_arm_time_optimal, gradyn_problem_catalyst_mixing,
    gradyn_problem_container_crane, gradyn_problem_goddard, gradyn_problem_hang_glider,
    gradyn_problem_hypersensitive, gradyn_problem_moon_landing, gradyn_problem_van_der_pol_time;

const control_optimum control_optima[CONTROL_OPTIMA] = {
    {&gradyn_problem_moon_landing, 8.246211251235321, 8.24621, 1e-6}, /* 2 sqrt(17) */
    {&gradyn_problem_catalyst_mixing, -0.04805548926, -0.0480557, 1e-5},
    {&gradyn_problem_hypersensitive, 1.35744736262, 1.3308, 0.03},
    {&gradyn_problem_van_der_pol_time, 3.104443884, 3.0952, 0.004},
    {&gradyn_problem_arm_time_optimal, 2.98699630674, 2.9823, 0.002},
    {&gradyn_problem_container_crane, 0.00514682975275, 0, 0},
    {&gradyn_problem_hang_glider, -1246.45833351, -1248.031, 0.002},
    [CONTROL_GODDARD] = {&gradyn_problem_goddard, -1.01283686323, -1.01284, 1e-5},
};

void control_find(const control_optimum *of, const char *algorithm, long segments)
{
  enum { MOST = 128 };
  gradyn_evaluator *ev;
  gradyn_options options;
  gradyn_search search;
  gradyn_search_result result;
  double rho[MOST];
  gradyn_options_default(of->problem, &options);
  const gradyn_status status = gradyn_evaluator_create(of->problem, &options, NULL, 0, &ev);
  assert_ok(status, gradyn_evaluator_message(ev));
  gradyn_search_default(ev, &search);
  if (algorithm != NULL)
    search.algorithm = algorithm;
  search.segments = segments;
  assert_true(gradyn_parameter_count(ev) <= MOST);
  for (size_t j = 0; j < gradyn_parameter_count(ev); j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_true(result.violation <= 1);
  assert_close(result.objective, of->objective, 1e-7, 0);
  if (of->published != 0) {
    const double short_of = (result.objective - of->published) / fabs(of->published);
    assert_true(short_of > -1e-6 && short_of <= of->above);
  }
  gradyn_search_result_clear(&result);
  gradyn_evaluator_free(ev);
}
