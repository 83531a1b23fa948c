/* The transistor amplifier of the test set for initial value problem solvers, in its published form. The
 * rates of eight voltages are multiplied by a constant singular matrix of rank five; a source varies with
 * time. Exponentials force the first steps to 1e-14 s, where C/h hides the conductances unless equations
 * are combined first. */
#include "tests/adjoint/stiff_set.h"
#include "tests/runs.h"

enum { STATES = 8 };

static const stiff_problem *const amplifier = &stiff_set[STIFF_AMPLIFIER];

/* Values by idas, and the gradient if `sensitivity` is given; returns the number of steps. */
static long run(const char *sensitivity, double rtol, const double rho[], double *psi,
                double *gradient)
{
  const gradyn_problem problem = stiff_declare(amplifier);
  run_local *ev = run_with(&problem, .method = "idas", .sensitivity = sensitivity, .rtol = rtol);
  assert_run(gradient ? gradyn_evaluator_gradient(ev, rho, psi, gradient)
                      : gradyn_evaluator_simulate(ev, rho, psi, NULL),
             ev);
  const long steps = gradyn_evaluator_statistics(ev).steps;
  return steps;
}

/* Voltages determined by the rates of others change as irregularly as these when the step changes. When the
 * error test included them, it reduced the order to one, with 5000 to 80000 steps and more. */
TEST(published_voltages_are_met_in_few_steps)
{
  static const double rtol[] = {1e-4, 1e-6, 1e-7, 1e-9};
  static const long most[] = {1000, 2000, 3000, 6000};
  for (size_t k = 0; k < GRADYN_COUNT(rtol); k++) {
    double psi[STATES];
    assert_in_range(run("adjoint", rtol[k], amplifier->parameter, psi, NULL), 1, most[k]);
    assert_close_array(psi, amplifier->end, STATES, 4 * rtol[k], 4 * rtol[k]);
  }
}

THOROUGH_TEST(both_sweeps_meet_differences)
{
  double psi[STATES], side[2][STATES], quotient[STATES * STIFF_PARAMETERS];
  for (int j = 0; j < STIFF_PARAMETERS; j++) {
    const double step = 1e-3 * amplifier->parameter[j];
    for (int k = 0; k < 2; k++) {
      double rho[STIFF_PARAMETERS] = {amplifier->parameter[0], amplifier->parameter[1]};
      rho[j] += k ? step : -step;
      run("adjoint", 1e-9, rho, side[k], NULL);
    }
    for (int i = 0; i < STATES; i++)
      quotient[i * STIFF_PARAMETERS + j] = (side[1][i] - side[0][i]) / (2 * step);
  }
  for (int way = 0; way < 2; way++) {
    if (!support_takes(way + 1, 2))
      continue;
    double gradient[STATES * STIFF_PARAMETERS];
    run(way ? "direct" : "adjoint", 1e-5, amplifier->parameter, psi, gradient);
    assert_close_array(gradient, quotient, STATES * STIFF_PARAMETERS, 2e-4, 0);
  }
}
