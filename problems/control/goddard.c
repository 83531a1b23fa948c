/* Goddard's rocket: the greatest height with a given amount of fuel, through an atmosphere of decreasing
 * density. Units are the Earth's radius, the weight at its surface, and the initial mass. The optimal
 * thrust has a singular arc between full thrust and none. */
#include <gradyn/gradyn.h>

enum { T, THRUST }; /* THRUST: a row of knots */
enum { H, V, M };

static const gradyn_param params[] = {
    [T] = {"T", "", .init = 0.2, .lower = 0.05, .upper = 1, .scale = 0.2, .role = GRADYN_TIME},
    [THRUST] = {"thrust", "", .init = 1.75, .lower = 0, .upper = 3.5, .scale = 1,
                .role = GRADYN_CONTROL, .count_from = "intervals"},
};
static const gradyn_setting settings[] = {{"intervals", "of constant thrust", 100, 1, 1000}};

/* Equations: h' = v, v' = (u - 310 v^2 exp(-500 (h - 1))) / m - 1 / h^2, m' = -2 u. */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar h = at->y[H], v = at->y[V], m = at->y[M], u = at->u[1];
  const gradyn_scalar drag = 310 * v * v * exp(-500 * (h - 1));
  F[H] = at->yp[H] - v;
  F[V] = at->yp[V] - ((u - drag) / m - 1 / (h * h));
  F[M] = at->yp[M] + 2 * u;
  return GRADYN_OK;
}

static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[H];
  return GRADYN_OK;
}

static gradyn_status mass(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[M];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const double empty = 0.6;
  gradyn_end_time(model, rho[T]);
  gradyn_signal(model, &(gradyn_signal_spec){"thrust", "", GRADYN_PIECEWISE_CONSTANT,
                                             .count = gradyn_setting_value(model, "intervals"),
                                             .knots = &rho[THRUST]});
  gradyn_state(model, "h", "", 1);
  gradyn_state(model, "v", "", 0);
  gradyn_state(model, "m", "", 1);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});
  const int h_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"h_end", "", .terminal = height});
  const int m_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"m_end", "", .terminal = mass});
  gradyn_minimise(model, h_end, -1);
  gradyn_constrain(model, m_end, empty, empty, 1e-9);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(goddard, .summary = "Rocket that is to rise as high as it can",
               .reference = "Goddard (1919)", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .rtol = 1e-10);
