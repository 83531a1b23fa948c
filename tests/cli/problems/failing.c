/* A problem whose equations cannot be evaluated. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"x", "m", .init = 1, .lower = 0, .upper = 2}};

static gradyn_status give_up(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  return creal(at->y[0]) > 0.5 ? GRADYN_CALLBACK : GRADYN_OK;
}

static gradyn_status end(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "m", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = give_up});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"end", "m", .terminal = end}),
                  1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(failing, .summary = "Equations that give up", .params = params, .build = build,
               .t_end = 0.1, .method = "idas");
