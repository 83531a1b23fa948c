/* A walk at 1 m/s whose end time is a parameter. Minimised are the distance from a goal at 3 m and the
 * time. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {
    {"duration", "s", .init = 2, .lower = 0.5, .upper = 5, .role = GRADYN_TIME}};

static gradyn_status walk(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - 1;
  return GRADYN_OK;
}

static gradyn_status miss(const gradyn_at *at, gradyn_scalar *value)
{
  *value = (at->y[0] - 3) * (at->y[0] - 3);
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[0]);
  gradyn_state(model, "x", "m", 0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = walk});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"miss", "m^2", .terminal = miss}),
                  1);
  gradyn_end_time_functional(model, "time");
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(lasting, .summary = "A walk of some duration", .params = params, .build = build,
               .t_end = 1, .method = "idas");
