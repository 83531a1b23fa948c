/* Gradients by differences of whole runs through every kind of event, in all methods, against closed forms.
 * Also near parameters at which events appear or vanish, and warnings where such gradients do not exist. */
#include "problems/builtin.h"
#include "tests/adjoint/grid/flights_model.h"
#include "tests/runs.h"

enum { ALL = FLIGHTS_FUNCTIONALS * FLIGHTS_PARAMETERS };

static gradyn_evaluator *open(int kind, const char *method, double rtol, double perturbation)
{
  static gradyn_setting setting; /* evaluators keep their problem */
  static gradyn_problem problem;
  problem = flights_problem(kind, &setting);
  return run_with(
      &problem, .method = method, .sensitivity = perturbation < 0 ? "adjoint" : "differences",
      .perturbation = fmax(perturbation, 0), .rtol = rtol,
      .step = strcmp(method, "ali3p") == 0 || strcmp(method, "variational") == 0 ? 2.1e-3 : -1);
}

/* The gradient at rho; a perturbation below 0 selects the adjoint. Returns the first warning. */
static gradyn_warning_code gradient_of(int kind, const char *method, double rtol,
                                       double perturbation, const double *rho, double gradient[ALL])
{
  run_local *ev = open(kind, method, rtol, perturbation);
  assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
  return gradyn_evaluator_warning_at(ev, 0).code;
}

/* With fixed steps, differences converge to the derivative of the discrete run, which the adjoint gives. */
THOROUGH_TEST(they_come_to_the_derivatives)
{
  for (int kind = 0; kind < FLIGHTS_KINDS; kind++)
    for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
      if (!support_takes(kind + (int)k, 5))
        continue;
      double rho[FLIGHTS_PARAMETERS], value[FLIGHTS_FUNCTIONALS], slope[ALL], gradient[ALL];
      flights_place(kind, rho);
      if (k < 2)
        flights_reference(kind, rho, value, slope);
      else
        gradient_of(kind, run_methods[k], 0, -1, rho, slope);
      print_message("kind %d, %s\n", kind, run_methods[k]);
      gradient_of(kind, run_methods[k], 1e-10, 0, rho, gradient);
      assert_close_array(gradient, slope, flights_count(kind) * FLIGHTS_PARAMETERS, 1e-6, 1e-6);
    }
}

/* Parameters with a bounce shortly before the end, so that the default perturbation would remove it. */
static void before_end(double distance, double rho[FLIGHTS_PARAMETERS])
{
  double value[FLIGHTS_FUNCTIONALS], slope[ALL];
  flights_place(FLIGHTS_BOUNCE, rho);
  flights_reference(FLIGHTS_BOUNCE, rho, value, slope);
  rho[FLIGHTS_END_TIME] = value[FLIGHTS_EVENT_TIME] + distance;
}

TEST(they_keep_to_runs_with_the_same_events)
{
  static const char *const methods[] = {"explicit", "idas", "variational"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    double rho[FLIGHTS_PARAMETERS], slope[ALL], gradient[ALL];
    before_end(1e-3, rho);
    gradient_of(FLIGHTS_BOUNCE, methods[k], 1e-10, -1, rho, slope);
    gradient_of(FLIGHTS_BOUNCE, methods[k], 1e-10, 0, rho, gradient);
    assert_close_array(gradient, slope, ALL, 1e-5, 1e-5);
  }
}

/* A bounce exactly at the end: one of the two perturbed runs has it, the other one has not. */
TEST(none_is_used_near_changes_of_events)
{
  double rho[FLIGHTS_PARAMETERS], gradient[ALL];
  run_local *ev = open(FLIGHTS_BOUNCE, "explicit", 1e-10, 0);
  before_end(2e-11, rho);
  assert_status(gradyn_evaluator_gradient(ev, rho, NULL, gradient), GRADYN_EVENT,
                gradyn_evaluator_message(ev));
  print_message("%s\n", gradyn_evaluator_message(ev));
  assert_says(gradyn_evaluator_message(ev), "rho[0]");
  assert_says(gradyn_evaluator_message(ev), "another event sequence");
}

/* With this step of `variational`, an event at a given time lies at the end of a step. Perturbations
 * therefore change the number of steps, and the warning states the uncertainty. */
TEST(uncertainties_are_reported)
{
  double rho[FLIGHTS_PARAMETERS], slope[ALL], gradient[ALL];
  flights_place(FLIGHTS_CAPTURE, rho);
  assert_int_equal(gradient_of(FLIGHTS_CAPTURE, "variational", 0, 0, rho, gradient), 0);
  rho[FLIGHTS_TIME] = 272 * 2.1e-3;
  gradient_of(FLIGHTS_CAPTURE, "variational", 0, -1, rho, slope);
  const gradyn_warning_code code = gradient_of(FLIGHTS_CAPTURE, "variational", 0, 0, rho, gradient);
  assert_int_equal(code, GRADYN_WARNING_DIFFERENCE_NOISE);
  double worst = 0;
  for (int i = 0; i < ALL; i++)
    worst = fmax(worst, fabs(gradient[i] - slope[i]) / fmax(1, fabs(slope[i])));
  assert_true(worst > 1e-7); /* the error must be large enough to require a warning */
}

/* Forward differences use the requested perturbation, even if it contains an event; a warning reports this.
 */
TEST(a_quotient_across_an_event_is_reported)
{
  const gradyn_setting_choice first = {"bounces", 1};
  gradyn_evaluator *ev;
  double rho[8], gradient[64];
  gradyn_options options = run_options(&gradyn_problem_bouncing_ball);
  options.sensitivity = "differences";
  for (int k = 0; k < 2; k++) {
    options.perturbation = k == 0 ? 1e-6 : 0.1;
    assert_ok(gradyn_evaluator_create(&gradyn_problem_bouncing_ball, &options, &first, 1, &ev),
              NULL);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
    const gradyn_warning other = run_warning(ev, GRADYN_WARNING_OTHER_EVENTS);
    assert_int_equal(other.code != 0, k == 1);
    gradyn_evaluator_free(ev);
  }
}
