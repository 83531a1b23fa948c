/* General equations whose rates are multiplied by a singular matrix, as in electric circuits. They are
 * accepted, with gradients, if the matrix is constant and the index is 1; otherwise they are refused by
 * name. */
#include "tests/runs.h"
#include "tests/adjoint/idas/single_run.h"
#include "tests/declare.h"

enum { CAPACITY, R1, R2, STEP, SLOPE, V1, V2, TIME, PARAMETERS };
enum { FUNCTIONALS = 3 };
static const double tiny = 1e-30;
static const double values[PARAMETERS] = {0.7, 1.3, 2.1, 1.5, 0.4, 0.9, 0.2, 1.1};

/* A source u with R1, a capacitor between nodes 1 and 2, and R2 to ground. The current C (v1' - v2') flows
 * through both resistors. */
static gradyn_status circuit(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *v = at->y, *d = at->data, u = d[STEP] + d[SLOPE] * at->t;
  gradyn_scalar current = d[CAPACITY] * (at->yp[0] - at->yp[1]);
  F[0] = current + (v[0] - u) / d[R1];
  F[1] = -current + v[1] / d[R2];
  return GRADYN_OK;
}

FORMULA(voltage, at->y[1])
FORMULA(power, at->y[0] * at->y[1])

static gradyn_status build_circuit(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_datum data[] = {{"C", "F", rho[CAPACITY]},
                         {"R1", "Ohm", rho[R1]},
                         {"R2", "Ohm", rho[R2]},
                         {"step", "V", rho[STEP]},
                         {"slope", "V/s", rho[SLOPE]}};
  gradyn_end_time(m, rho[TIME]);
  gradyn_state(m, "v1", "V", rho[V1]);
  gradyn_state(m, "v2", "V", rho[V2]);
  declare_equations(m, circuit, data, 5);
  declare_end(m, "last", "V", voltage);
  declare_integral(m, "sum", "V s", voltage);
  gradyn_custom_functional(
      m, &(gradyn_custom_functional_spec){"both", "", .integrand = power, .terminal = power});
  return gradyn_build_status(m);
}

/* With d = v1 - v2: tau d' = u - d, v2 = (u - d) R2/(R1 + R2); u - d = s tau + B exp(-t/tau). */
static void exact(const gradyn_scalar rho[], gradyn_scalar psi[])
{
  gradyn_scalar R = rho[R1] + rho[R2], tau = rho[CAPACITY] * R, k = rho[R2] / R, T = rho[TIME];
  gradyn_scalar a = rho[STEP], s = rho[SLOPE], e = exp(-T / tau);
  gradyn_scalar A = s * tau, B = a - (rho[V1] - rho[V2]) - A, w = A + B * e;
  psi[0] = k * w;
  psi[1] = k * (A * T + B * tau * (1 - e));
  /* v1 v2 = (u - (1 - k) w) k w with w = A + B exp(-t/tau); integral of u w, w^2 */
  gradyn_scalar uw = A * (a * T + s * T * T / 2) +
                     B * tau * (a * (1 - e) + s * (tau * (1 - e) - T * e));
  gradyn_scalar ww = A * A * T + 2 * A * B * tau * (1 - e) + B * B * tau / 2 * (1 - e * e);
  psi[2] = k * (uw - (1 - k) * ww) + (a + s * T - (1 - k) * w) * k * w;
}

static gradyn_status open_problem(gradyn_build_fn build, const char *method,
                                  const char *sensitivity, gradyn_evaluator **ev)
{
  static const gradyn_param params[PARAMETERS] = {
      {"C", "", .init = 1, GRADYN_UNBOUNDED},  {"R1", "", .init = 1, GRADYN_UNBOUNDED},
      {"R2", "", .init = 1, GRADYN_UNBOUNDED}, {"a", "", .init = 1, GRADYN_UNBOUNDED},
      {"s", "", .init = 1, GRADYN_UNBOUNDED},  {"v1", "", .init = 1, GRADYN_UNBOUNDED},
      {"v2", "", .init = 1, GRADYN_UNBOUNDED}, {"T", "", .init = 1, GRADYN_UNBOUNDED}};
  static gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "circuit", .params = params,
                                   .param_count = PARAMETERS, .t_end = 1};
  problem.build = build;
  const gradyn_status status = run_try(ev, &problem, sensitivity, method, .rtol = 1e-10);
  static gradyn_method once;
  /* error control of several runs would hide the error of one run */
  if (status == GRADYN_OK && strcmp(method, "idas") == 0)
    single_run(*ev, &once);
  return status;
}

TEST(gradients_meet_the_closed_form)
{
  double psi[FUNCTIONALS], gradient[FUNCTIONALS * PARAMETERS];
  double expected_psi[FUNCTIONALS], expected[FUNCTIONALS * PARAMETERS];
  gradyn_scalar rho[PARAMETERS];
  for (int j = 0; j < PARAMETERS; j++)
    rho[j] = values[j];
  for (int j = 0; j < PARAMETERS; j++) {
    gradyn_scalar value[FUNCTIONALS];
    rho[j] += tiny * (gradyn_scalar)_Complex_I;
    exact(rho, value);
    rho[j] = values[j];
    for (int f = 0; f < FUNCTIONALS; f++) {
      expected_psi[f] = creal(value[f]);
      expected[f * PARAMETERS + j] = cimag(value[f]) / tiny;
    }
  }
  for (int k = 0; k < 2; k++) {
    run_local *ev;
    assert_run(open_problem(build_circuit, "idas", k ? "adjoint" : "direct", &ev), ev);
    assert_run(gradyn_evaluator_gradient(ev, values, psi, gradient), ev);
    assert_close_array(psi, expected_psi, FUNCTIONALS, 1e-8, 0);
    assert_close_array(gradient, expected, FUNCTIONALS * PARAMETERS, 1e-7, 1e-8);
  }
}

/* --- quick capacitors -------------------------------------------------------------------------- */

static const double omega = 3000; /* rad/s, of the source cos(omega t) */

/* A source, R1, C and R2 in series: u1 is the voltage after R1, u2 that after C. */
static gradyn_status row(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *d = at->data, current = at->y[2];
  F[0] = d[0] * (at->yp[0] - at->yp[1]) - current;
  F[1] = current - (cos(omega * at->t) - at->y[0]) / d[1];
  F[2] = at->y[1] - d[2] * current;
  return GRADYN_OK;
}

FORMULA(behind_source, at->y[0])

static gradyn_status build_row(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_datum data[] = {{"C", "F", rho[CAPACITY]}, {"R1", "Ohm", rho[R1]}, {"R2", "Ohm", rho[R2]}};
  gradyn_end_time(m, rho[TIME]);
  gradyn_state(m, "u1", "V", 0);
  gradyn_state(m, "u2", "V", 0);
  gradyn_state(m, "i", "A", 0);
  declare_equations(m, row, data, 3);
  declare_integral(m, "sum", "V s", behind_source);
  return gradyn_build_status(m);
}

/* The integral of u1 = d + R2 (cos - d)/(R1 + R2), where tau d' = cos - d and d(0) = 0. */
static gradyn_scalar row_exact(const gradyn_scalar rho[])
{
  gradyn_scalar R = rho[R1] + rho[R2], k = 1 / (rho[CAPACITY] * R), T = rho[TIME];
  gradyn_scalar size = k * k + omega * omega, a = k * k / size, b = k * omega / size;
  gradyn_scalar d = a * sin(omega * T) / omega + b * (1 - cos(omega * T)) / omega -
                    a * (1 - exp(-k * T)) / k;
  return (rho[R1] * d + rho[R2] * sin(omega * T) / omega) / R;
}

/* The adjoint of an integral is zero at the end and changes by its own size within the time C R. No
 * tolerance may require steps that resolve only rates. The small voltage u2 must not reduce the steps
 * either. */
TEST(quick_capacitors_have_adjoints)
{
  for (double C = 1e-6; C > 5e-14; C *= 0.1) {
    const double rho[PARAMETERS] = {[CAPACITY] = C, [R1] = 1e3, [R2] = 10, [TIME] = 1e-3};
    double psi, gradient[PARAMETERS];
    gradyn_scalar z[PARAMETERS];
    run_local *ev;
    assert_run(open_problem(build_row, "idas", "adjoint", &ev), ev);
    assert_run(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev);
    for (int j = 0; j < PARAMETERS; j++)
      z[j] = rho[j];
    assert_close(psi, creal(row_exact(z)), 1e-7, 0);
    for (int j = CAPACITY; j <= R2; j++) {
      z[j] += tiny * (gradyn_scalar)_Complex_I;
      /* derivatives are compared for a change of the parameter by its own size */
      assert_close(rho[j] * gradient[j], rho[j] * cimag(row_exact(z)) / tiny, 1e-6, 1e-8 * psi);
      z[j] = rho[j];
    }
  }
}

TEST(a_check_raises_no_alarm)
{
  gradyn_check_item items[64];
  run_local *ev;
  size_t count = 0;
  assert_run(open_problem(build_circuit, "idas", "adjoint", &ev), ev);
  assert_run(gradyn_evaluator_check(ev, values, NULL, items, 64, &count), ev);
  assert_in_range(count, 8, 64);
}

/* --- what is refused --------------------------------------------------------------------------- */

FORMULAS(algebraic_rate, at->yp[0] + at->yp[1] * at->yp[1] - 1, at->y[1] - 2 * at->y[0])

static gradyn_status build_algebraic(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_state(m, "y", "", 0);
  gradyn_algebraic_state(m, "slave", "", 0);
  declare_equations(m, algebraic_rate, NULL, 0);
  declare_end(m, "last", "", voltage);
  return gradyn_build_status(m);
}

static gradyn_status turning(const gradyn_at *at, gradyn_scalar F[])
{
  gradyn_scalar sum = cos(at->t) * at->yp[0] + sin(at->t) * at->yp[1];
  F[0] = sum + at->y[0];
  F[1] = at->y[1] - at->y[0] - 1;
  return GRADYN_OK;
}

FORMULAS(index_2, at->yp[0] - at->y[1], at->y[0] - sin(at->t))

static gradyn_status build_pair(gradyn_model *m, gradyn_residual_fn residual)
{
  gradyn_state(m, "first", "", 0);
  gradyn_state(m, "second", "", 1);
  declare_equations(m, residual, NULL, 0);
  declare_end(m, "last", "", voltage);
  return gradyn_build_status(m);
}

static gradyn_status build_turning(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  return build_pair(m, turning);
}

static gradyn_status build_index_2(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  return build_pair(m, index_2);
}

TEST(others_are_refused_by_name)
{
  static const struct {
    gradyn_build_fn build;
    const char *method;
    gradyn_status status;
    const char *word;
  } cases[] = {{build_algebraic, "idas", GRADYN_INVALID, "slave"},
               {build_turning, "idas", GRADYN_UNSUPPORTED, "not constant"},
               {build_index_2, "idas", GRADYN_SINGULAR, "index"},
               {build_circuit, "explicit", GRADYN_UNSUPPORTED, "use radau or idas"}};
  for (int k = 0; k < 4; k++) {
    double psi[FUNCTIONALS];
    run_local *ev;
    gradyn_status status = open_problem(cases[k].build, cases[k].method, "adjoint", &ev);
    if (status == GRADYN_OK)
      status = gradyn_evaluator_simulate(ev, values, psi, NULL);
    assert_status(status, cases[k].status, gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev), cases[k].word);
  }
}
