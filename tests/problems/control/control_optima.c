/* Problems of optimal control with published results. */
#include "tests/problems/control/control_optima.h"

#include <gradyn/optimise.h>

extern const gradyn_problem gradyn_problem_arm_time_optimal, gradyn_problem_bryson_denham,
    gradyn_problem_cart_pole_limited, gradyn_problem_catalyst_mixing,
    gradyn_problem_container_crane, gradyn_problem_crane, gradyn_problem_goddard,
    gradyn_problem_hang_glider, gradyn_problem_hypersensitive, gradyn_problem_moon_landing,
    gradyn_problem_van_der_pol, gradyn_problem_van_der_pol_time;

/* The first one has a closed form, 2 sqrt(17). */
const control_optimum control_optima[CONTROL_OPTIMA] = {
    {&gradyn_problem_moon_landing, .objective = 8.246211251235321, .segments = 10,
     .published = 8.24621, .above = 1e-6},
    {&gradyn_problem_catalyst_mixing, .objective = -0.04805548926, .segments = 10,
     .published = -0.0480557, .above = 1e-5},
    {&gradyn_problem_hypersensitive, .objective = 1.35744736262, .segments = 10,
     .published = 1.3308, .above = 0.03},
    {&gradyn_problem_van_der_pol_time, .objective = 3.104443884, .segments = 10,
     .published = 3.0952, .above = 0.004},
    {&gradyn_problem_arm_time_optimal, .objective = 2.98699630674, .segments = 10,
     .published = 2.9823, .above = 0.002},
    {&gradyn_problem_container_crane, .objective = 0.00514682975275, .setting = "speeds",
     .value = 0, .segments = 10},
    {&gradyn_problem_hang_glider, .objective = -1246.45833351, .segments = 10,
     .published = -1248.031, .above = 0.002},
    {&gradyn_problem_goddard, .objective = -1.01283686323, .segments = 10, .published = -1.01284,
     .above = 1e-5},
    {&gradyn_problem_bryson_denham, .objective = 4.00276404, .within = 1e-6, .setting = "knots",
     .value = 11, .segments = 10, .published = 4, .above = 1e-3},
    {&gradyn_problem_van_der_pol, .objective = 3.7791031, .within = 1.5e-6, .segments = 10},
    {&gradyn_problem_crane, .objective = 18.492057, .within = 1e-6, .segments = 10},
    {&gradyn_problem_cart_pole_limited, .objective = 61.5324554, .within = 1e-6, .segments = 10},
};

void control_find(const control_optimum *of, const char *algorithm, long segments)
{
  enum { MOST = 128 };
  run_local *ev = run_with(.problem = of->problem, .setting = of->setting, .value = of->value);
  LOCAL(gradyn_search_result) result;
  double rho[MOST];
  gradyn_search search = run_search(ev);
  if (algorithm != NULL)
    search.algorithm = algorithm;
  search.segments = segments;
  assert_true(gradyn_parameter_count(ev) <= MOST);
  run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_true(result.violation <= 1);
  assert_close(result.objective, of->objective, of->within > 0 ? of->within : 1e-7, 0);
  if (of->published != 0) {
    const double short_of = (result.objective - of->published) / fabs(of->published);
    assert_true(short_of > -1e-6 && short_of <= of->above);
  }
}
