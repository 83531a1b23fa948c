/* Van der Pol's oscillator is brought to rest in the least time by a bounded input. The optimal input is
 * always at one of its bounds. */
#include <gradyn/gradyn.h>

enum { T, U }; /* U: a row of knots */
enum { X, V };

static const gradyn_param params[] = {
    [T] = {"T", "s", .init = 3, .lower = 0.1, .upper = 50, .scale = 3, .role = GRADYN_TIME},
    [U] = {"u", "", .init = 0, .lower = -1, .upper = 1, .scale = 1, .role = GRADYN_CONTROL,
           .count_from = "intervals"},
};
static const gradyn_setting settings[] = {{"intervals", "of constant input", 20, 1, 2000}};

/* x' = v, v' = (1 - x^2) v - x + u */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar x = at->y[X], v = at->y[V];
  F[X] = at->yp[X] - v;
  F[V] = at->yp[V] - ((1 - x * x) * v - x + at->u[1]);
  return GRADYN_OK;
}

static gradyn_status position(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[X];
  return GRADYN_OK;
}

static gradyn_status velocity(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[V];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const double rest = 0;
  gradyn_end_time(model, rho[T]);
  gradyn_signal(model, &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_CONSTANT,
                                             .count = gradyn_setting_value(model, "intervals"),
                                             .knots = &rho[U]});
  gradyn_state(model, "x", "", 1);
  gradyn_state(model, "v", "", 1);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});
  const int x_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"x_end", "", .terminal = position});
  const int v_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"v_end", "", .terminal = velocity});
  gradyn_minimise(model, gradyn_end_time_functional(model, "time"), 1);
  gradyn_constrain(model, x_end, rest, rest, 1e-8);
  gradyn_constrain(model, v_end, rest, rest, 1e-8);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(van_der_pol_time, .summary = "Oscillator brought to rest in the least time",
               .reference = "van der Pol (1926)", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .rtol = 1e-10);
