/* Van der Pol's oscillator brought to rest by a limited input, while its rate stays above a limit: a common
 * example of optimal control with a path constraint. */
#include <gradyn/gradyn.h>

enum { U }; /* the first of `knots` parameters */
enum { X, Y };

static const gradyn_param params[] = {
    [U] = {"u", "", .init = 0, .lower = -1, .upper = 1, .role = GRADYN_CONTROL,
           .count_from = "intervals"},
};
static const gradyn_setting settings[] = {{"intervals", "of constant input", 20, 1, 2000}};

/* x' = (1 - y^2) x - y + u, y' = x */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar x = at->y[X], y = at->y[Y];
  F[X] = at->yp[X] - ((1 - y * y) * x - y + at->u[1]);
  F[Y] = at->yp[Y] - x;
  return GRADYN_OK;
}

/* x^2 + y^2 + u^2 */
static gradyn_status distance(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[X] * at->y[X] + at->y[Y] * at->y[Y] + at->u[1] * at->u[1];
  return GRADYN_OK;
}

static gradyn_status rate(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[X];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_signal(model, &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_CONSTANT,
                                             .count = gradyn_setting_value(model, "intervals"),
                                             .knots = &rho[U]});
  gradyn_state(model, "x", "", 0);
  gradyn_state(model, "y", "", 1);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"cost", "s", .integrand = distance}),
                  1);
  gradyn_path_constraint(
      model, "rate",
      gradyn_measure_custom(
          model, &(gradyn_custom_measure_spec){"rate", "", .formula = rate, .hidden = true}),
      -0.25, HUGE_VAL, 1e-6, NULL);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(van_der_pol, .summary = "Oscillator brought to rest, its rate limited",
               .reference = "van der Pol (1926)", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 10.0,
               .rtol = 1e-9);
