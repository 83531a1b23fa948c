/* Failures of idas: the status is the reason, and the text has time, names and a remedy. */
#include "tests/runs.h"
#include "tests/declare.h"

#include "problems/builtin.h"

FORMULA(blow_up, at->yp[0] - exp(at->data[0] * at->y[0]))
FORMULA(state, at->y[0])

/* y' = exp(k y) has a pole; exp() overflows there. */
static gradyn_status pole(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_datum k = {"k", "", rho[0]};
  gradyn_state(m, "y", "", 0);
  declare_equations(m, blow_up, &k, 1);
  declare_end(m, "last", "", state);
  return gradyn_build_status(m);
}

FORMULAS(oscillate, at->yp[0] - at->y[1], at->yp[1] + at->data[0] * at->y[0])

/* A sharp smooth maximum. */
static gradyn_status peak(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_datum k = {"k", "", 1};
  gradyn_state(m, "y", "", 0);
  gradyn_state(m, "v", "", 1);
  declare_equations(m, oscillate, &k, 1);
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "peak",
             gradyn_measure_custom(
                 m, &(gradyn_custom_measure_spec){"peak", "", .formula = state, .hidden = true}),
             .reduction = GRADYN_SMOOTH_MAXIMUM, .sharpness = 600});
  return gradyn_build_status(m);
}

/* An oscillator with huge numbers, for which the absolute tolerances are too small. */
static gradyn_status huge(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_datum k = {"k", "", 1};
  gradyn_state(m, "y", "", rho[0]);
  gradyn_state(m, "v", "", 0);
  const double atol[] = {1e-10, 1e-10};
  gradyn_equations(m, &(gradyn_equations_spec){
                          .residual = oscillate, .data = &k, .data_count = 1, .atol = atol});
  declare_end(m, "last", "", state);
  return gradyn_build_status(m);
}

/* Evaluates with one parameter; returns the message of the failure. */
static const char *failure_of(gradyn_build_fn build, double rho, long max_steps,
                              const char *sensitivity, gradyn_status expected)
{
  static const gradyn_param params[] = {{"rho", "", .init = 1, GRADYN_UNBOUNDED}};
  static char message[1024];
  static gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "fails", .params = params,
                                   .param_count = 1, .t_end = 2};
  double psi, gradient;
  problem.build = build;
  run_local *ev = run_with(&problem, .method = "idas", .max_steps = max_steps,
                           .sensitivity = sensitivity);
  assert_status(gradyn_evaluator_gradient(ev, &rho, &psi, &gradient), expected,
                gradyn_evaluator_message(ev));
  snprintf(message, sizeof message, "%s", gradyn_evaluator_message(ev));
  return message;
}

TEST(a_pole_is_not_converged)
{
  static const char *const sensitivity[] = {"direct", "adjoint"};
  for (int k = 0; k < 2; k++) {
    const char *message = failure_of(pole, 1, 0, sensitivity[k], GRADYN_NOT_CONVERGED);
    assert_says(message, "t = 1 s");
    assert_says(message, ".atol");
  }
}

TEST(a_maximum_too_sharp_is_named)
{
  assert_says(failure_of(peak, 1, 100, "adjoint", GRADYN_STEP_LIMIT), "too sharp: peak, 600");
}

TEST(huge_numbers_are_not_internal)
{
  for (double y = 1e250; y < 1e308; y *= 1e10) {
    const char *message = failure_of(huge, y, 0, "adjoint", GRADYN_NON_FINITE);
    assert_null(strstr(message, "IDAS returned"));
  }
}

TEST(the_adjoint_reports_the_time_it_reached)
{
  const char *message = failure_of(huge, 0, 60, "adjoint", GRADYN_STEP_LIMIT);
  assert_says(message, "backwards");
  assert_null(strstr(message, "t = 0 s"));
}
