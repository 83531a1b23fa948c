/* Fits with published results: every printed digit, in few evaluations. By lbfgs, three of them need 16 to
 * 37. */
#include "tests/runs.h"

#include <gradyn/inspect.h>
#include <gradyn/optimise.h>

extern const gradyn_problem gradyn_problem_gas_oil, gradyn_problem_alpha_pinene,
    gradyn_problem_methanol, gradyn_problem_boehm_stat5;

/* A published sum of squares, or twice -ln L, with a tolerance for its last digit. most: permitted
 * evaluations, including final probes. */
typedef struct published {
  const gradyn_problem *problem;
  double value, digit;
  long most;
} published;

static const published fits[] = {{&gradyn_problem_gas_oil, 5.23659e-3, 1e-8, 17},
                                 {&gradyn_problem_alpha_pinene, 19.8721, 1e-4, 20},
                                 {&gradyn_problem_methanol, 9.02229e-3, 5e-9, 22},
                                 {&gradyn_problem_boehm_stat5, 2 * 138.22198, 1e-5, 100}};

TEST(published_values_are_found_in_few_evaluations)
{
  for (size_t k = 0; k < GRADYN_COUNT(fits); k++) {
    run_local *ev = run_with(.problem = fits[k].problem);
    LOCAL(gradyn_search_result) result;
    double rho[16];
    (void)run_initial(ev, rho);
    const gradyn_search search = run_search(ev);
    assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    assert_close(2 * result.objective, fits[k].value, 0, fits[k].digit);
    /* no false alarms */
    assert_int_equal(run_found(&result, GRADYN_WARNING_TOO_FEW_DATA).code, 0);
    assert_int_equal(run_found(&result, GRADYN_WARNING_PARAMETER_UNSEEN).code, 0);
    if (result.evaluations > fits[k].most)
      fail_msg("%s: %ld evaluations", fits[k].problem->name, result.evaluations);
  }
}

/* Two constants end at bounds, where the data determine neither of them. */
TEST(the_data_of_boehm_leave_two_constants_open)
{
  run_local *ev = run_with(.problem = &gradyn_problem_boehm_stat5);
  LOCAL(gradyn_search_result) result;
  LOCAL(gradyn_inference) s;
  double rho[16];
  (void)run_initial(ev, rho);
  const gradyn_search search = run_search(ev);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_run(gradyn_inference_compute(ev, &search, result.rho, &s), ev);
  enum { K_EXP_HETERO = 1, K_IMP_HOMO = 4, CONSTANTS = 6, P = 9, DATA = 48 };
  assert_close(s.objective, 138.22198, 0, 5e-6);
  for (int j = 0; j < P; j++)
    assert_int_equal(s.kind[j], j == K_EXP_HETERO ? GRADYN_ESTIMATE_AT_LOWER
                                : j == K_IMP_HOMO ? GRADYN_ESTIMATE_AT_UPPER
                                                  : GRADYN_ESTIMATE_DETERMINED);
  assert_int_equal(s.directions, 2);
  assert_true(s.direction[1].change[K_IMP_HOMO] != 0);
  assert_int_equal(s.data, DATA);
  /* decimal logarithms of standard deviations, each from 16 data */
  for (int j = CONSTANTS; j < P; j++)
    assert_close(s.deviation[j], 1 / (log(10) * sqrt(2 * 16)), 1e-9, 0);
}

/* Variances for sigma^2 = S/39, published together with the data. */
TEST(the_variances_of_gas_oil_are_those_published)
{
  static const double variances[] = {0.10656, 0.09473, 0.12204};
  run_local *ev = run_with(.problem = &gradyn_problem_gas_oil);
  LOCAL(gradyn_search_result) result;
  LOCAL(gradyn_inference) s;
  double rho[16];
  (void)run_initial(ev, rho);
  const gradyn_search search = run_search(ev);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_run(gradyn_inference_compute(ev, &search, result.rho, &s), ev);
  assert_close(s.degrees, 39, 0, 0);
  for (int j = 0; j < 3; j++)
    assert_close(s.covariance[j * 3 + j], variances[j], 0, 5e-6);
}

TEST(auto_selects_ipopt_for_fits)
{
  run_local *ev = run_with(.problem = &gradyn_problem_alpha_pinene);
  gradyn_search search = run_search(ev);
  char why[200];
  assert_int_equal(gradyn_search_resolve(ev, &search, why, sizeof why), GRADYN_OK);
  assert_string_equal(search.algorithm, "ipopt");
  assert_string_equal(search.then, "lbfgs");
  assert_string_equal(why, "fit to data, 5 parameters, no constraints");
}
