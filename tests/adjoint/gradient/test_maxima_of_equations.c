/* Maxima over time of general equations. x'' = -k x from (a, b) has the amplitude A = sqrt(a^2 + b^2/k).
 * The algebraic state z = x + x^3 is largest at the same time. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

enum { START, RATE, STIFFNESS, PARAMETERS };
static const gradyn_param params[] = {{"start", "m", .init = 0.1, GRADYN_UNBOUNDED},
                                      {"rate", "m/s", .init = 1, GRADYN_UNBOUNDED},
                                      {"stiffness", "N/m", .init = 4, GRADYN_UNBOUNDED}};

enum { EQUATION_Z, EQUATION_X, EQUATION_V };

static gradyn_status residual(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, x = y[EQUATION_X];
  F[EQUATION_Z] = y[EQUATION_Z] - x - x * x * x;
  F[EQUATION_X] = at->yp[EQUATION_X] - y[EQUATION_V];
  F[EQUATION_V] = at->yp[EQUATION_V] + at->data[0] * x;
  return GRADYN_OK;
}

FORMULA(algebraic, at->y[EQUATION_Z])
FORMULA(fast, -2 * at->y[EQUATION_V])

static gradyn_status build_equations(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum stiffness = {"k", "1/s^2", rho[STIFFNESS]};
  gradyn_algebraic_state(m, "z", "", 0);
  gradyn_state(m, "x", "m", rho[START]);
  gradyn_state(m, "v", "m/s", rho[RATE]);
  declare_equations(m, residual, &stiffness, 1);
  gradyn_functional(m, &(gradyn_functional_spec){
                           "z_top",
                           gradyn_measure_custom(
                               m, &(gradyn_custom_measure_spec){"z_top", "", .formula = algebraic,
                                                                .hidden = true}),
                           .reduction = GRADYN_MAXIMUM});
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "v_top",
             gradyn_measure_custom(
                 m, &(gradyn_custom_measure_spec){"v_top", "", .formula = fast, .hidden = true}),
             .reduction = GRADYN_MAXIMUM});
  return gradyn_build_status(m);
}

static const gradyn_problem equations = PROBLEM("equations", build_equations, params, .t_end = 2.4);

static void tops(const double _Complex p[], double _Complex top[])
{
  const double _Complex w = csqrt(p[STIFFNESS]),
                        A = csqrt(p[START] * p[START] + p[RATE] * p[RATE] / (w * w));
  top[0] = A + A * A * A;
  top[1] = 2 * w * A;
}

TEST(between_steps)
{
  static const struct {
    const char *method, *sensitivity;
    double tolerance;
  } runs[] = {{"explicit", "adjoint", 1e-8},
              {"explicit", "direct", 1e-8},
              {"radau", "adjoint", 1e-8},
              {"idas", "adjoint", 2e-6}};
  static const double at[][PARAMETERS] = {{0.1, 1, 4}, {0.3, 0.7, 3.1}};
  for (size_t k = 0; k < 2 * sizeof runs / sizeof runs[0]; k++) {
    const double *rho = at[k % 2], tolerance = runs[k / 2].tolerance;
    double value[2], slope[2 * PARAMETERS], psi[2], gradient[2 * PARAMETERS];
    run_local *ev = run_with(&equations, .method = runs[k / 2].method,
                             .sensitivity = runs[k / 2].sensitivity, .rtol = 1e-10);
    support_complex_step(tops, rho, PARAMETERS, 2, value, slope);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_close_array(psi, value, 2, tolerance, 0);
    assert_close_array(gradient, slope, 2 * PARAMETERS, tolerance, tolerance);
  }
}
