/* Fishing by a fleet that is either at sea or in port: prey and predators are to be brought to their steady
 * state. A benchmark of mixed-integer optimal control, with the equations of Lotka and Volterra. */
#include <gradyn/gradyn.h>

enum { W }; /* the first of `intervals` parameters */
enum { PREY, PREDATORS };

static const gradyn_param params[] = {
    [W] = {"w", "", .init = 0.3, .lower = 0, .upper = 1, .role = GRADYN_CONTROL,
           .count_from = "intervals"},
};
static const gradyn_setting settings[] = {{"intervals", "of constant fishing", 60, 1, 2000}};

/* x' = x - x y - 0.4 x w, y' = -y + x y - 0.2 y w */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar x = at->y[PREY], y = at->y[PREDATORS], w = at->u[1];
  F[PREY] = at->yp[PREY] - x * (1 - y - 0.4 * w);
  F[PREDATORS] = at->yp[PREDATORS] - y * (x - 1 - 0.2 * w);
  return GRADYN_OK;
}

/* (x - 1)^2 + (y - 1)^2 */
static gradyn_status distance(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar x = at->y[PREY] - 1, y = at->y[PREDATORS] - 1;
  *value = x * x + y * y;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_signal(model, &(gradyn_signal_spec){"w", "", GRADYN_PIECEWISE_CONSTANT,
                                             .count = gradyn_setting_value(model, "intervals"),
                                             .knots = &rho[W], .integer = true});
  gradyn_state(model, "prey", "", 0.5);
  gradyn_state(model, "predators", "", 0.7);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});
  gradyn_minimise(
      model,
      gradyn_custom_functional(
          model, &(gradyn_custom_functional_spec){"deviation", "s", .integrand = distance}),
      1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(fishing, .summary = "Fishing by a fleet at sea or in port",
               .reference = "Sager (2005)", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 12.0,
               .rtol = 1e-9);
