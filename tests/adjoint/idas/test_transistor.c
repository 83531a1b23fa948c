/* Tests of the transistor amplifier of the test set for initial value problem solvers in its published
 * form: eight voltages whose rates enter with a constant singular matrix of rank five, a source that moves
 * with time, and exponentials that make marches begin with steps of 1e-14 s, where C/h is all that is left
 * of the conductances unless rows are combined first. */
#include "tests/runs.h"

enum { STATES = 8, PARAMETERS = 2 };

/* Reference solution at t = 0.2 s, as published. */
static const double published[STATES] = {
    -0.5562145012262709e-2, 0.3006522471903042e1, 0.2849958788608128e1, 0.2926422536206241e1,
    0.2704617865010554e1,   0.2761837778393145e1, 0.4770927631616772e1, 0.1236995868091548e1};

static gradyn_status amplifier(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *d = at->yp, alpha = at->data[0], R1 = at->data[1];
  const double R0 = 1000, R = 9000, supply = 6, omega = 200 * 3.14159265358979323846;
  const gradyn_scalar source = 0.1 * sin(omega * at->t);
  gradyn_scalar current[2];
  for (int k = 0; k < 2; k++)
    current[k] = 1e-6 * (exp((y[3 * k + 1] - y[3 * k + 2]) / 0.026) - 1);
  F[0] = 1e-6 * (d[1] - d[0]) - (y[0] - source) / R0;
  F[1] = 1e-6 * (d[0] - d[1]) - y[1] / R1 - (y[1] - supply) / R - (1 - alpha) * current[0];
  F[2] = -2e-6 * d[2] - y[2] / R + current[0];
  F[3] = 3e-6 * (d[4] - d[3]) - (y[3] - supply) / R - alpha * current[0];
  F[4] = 3e-6 * (d[3] - d[4]) - y[4] / R - (y[4] - supply) / R - (1 - alpha) * current[1];
  F[5] = -4e-6 * d[5] - y[5] / R + current[1];
  F[6] = 5e-6 * (d[7] - d[6]) - (y[6] - supply) / R - alpha * current[1];
  F[7] = 5e-6 * (d[6] - d[7]) - y[7] / R;
  return GRADYN_OK;
}

/* A voltage at the end, by its number. */
static gradyn_status voltage(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[(int)creal(at->data[0])];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const double start[STATES] = {0, 3, 3, 6, 3, 3, 6, 0};
  for (int i = 0; i < STATES; i++)
    gradyn_state(m, gradyn_name(m, "y%d", i + 1), "V", start[i]);
  gradyn_datum data[] = {{"alpha", "", rho[0]}, {"R1", "Ohm", rho[1]}};
  gradyn_equations(m,
                   &(gradyn_equations_spec){.residual = amplifier, .data = data, .data_count = 2});
  for (int i = 0; i < STATES; i++)
    gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){.name = gradyn_name(m, "U%d", i + 1),
                                            .unit = "V",
                                            .terminal = voltage,
                                            .data = &(gradyn_datum){"number", "", i},
                                            .data_count = 1});
  return gradyn_built(m);
}

static const double values[PARAMETERS] = {0.99, 9000};

/* Values, and with `sensitivity` the gradient, by idas; returns how many steps that took. */
static long run(const char *sensitivity, double rtol, const double rho[], double *psi,
                double *gradient)
{
  static const gradyn_param params[PARAMETERS] = {{"alpha", "", .init = 0.99},
                                                  {"R1", "Ohm", .init = 9000}};
  const gradyn_problem problem = PROBLEM("amplifier", build, params, .t_end = 0.2);
  gradyn_evaluator *ev = run_with(&problem, .method = "idas", .sensitivity = sensitivity,
                                  .rtol = rtol);
  gradyn_status status = gradient ? gradyn_gradient(ev, rho, psi, gradient)
                                  : gradyn_simulate(ev, rho, psi, NULL);
  assert_run(status, ev);
  const long steps = gradyn_evaluator_statistics(ev).steps;
  gradyn_evaluator_free(ev);
  return steps;
}

/* Voltages that follow rates of others are as rough as these where steps change: in the test of errors they
 * made marches fall to the first order, of 5000 to 80000 steps and more. */
TEST(published_voltages_are_met_in_few_steps)
{
  static const double rtol[] = {1e-4, 1e-6, 1e-7, 1e-9};
  static const long most[] = {1000, 2000, 3000, 6000};
  for (size_t k = 0; k < GRADYN_COUNT(rtol); k++) {
    double psi[STATES];
    assert_in_range(run("adjoint", rtol[k], values, psi, NULL), 1, most[k]);
    assert_close_array(psi, published, STATES, 4 * rtol[k], 4 * rtol[k]);
  }
}

TEST(both_sweeps_meet_differences)
{
  double psi[STATES], side[2][STATES], quotient[STATES * PARAMETERS];
  for (int j = 0; j < PARAMETERS; j++) {
    const double step = 1e-3 * values[j];
    for (int k = 0; k < 2; k++) {
      double rho[PARAMETERS] = {values[0], values[1]};
      rho[j] += k ? step : -step;
      run("adjoint", 1e-9, rho, side[k], NULL);
    }
    for (int i = 0; i < STATES; i++)
      quotient[i * PARAMETERS + j] = (side[1][i] - side[0][i]) / (2 * step);
  }
  for (int way = 0; way < 2; way++) {
    double gradient[STATES * PARAMETERS];
    run(way ? "direct" : "adjoint", 1e-5, values, psi, gradient);
    assert_close_array(gradient, quotient, STATES * PARAMETERS, 2e-4, 0);
  }
}
