/* The modulus of a number at zero, where it has a kink. */
#include <gradyn/tgmath.h>

#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"start", "m", .init = 0, .lower = -1, .upper = 1}};

static gradyn_status stand_still(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  return GRADYN_OK;
}

static gradyn_status size(const gradyn_at *at, gradyn_scalar *value)
{
  *value = creal(at->y[0]) < 0 ? -at->y[0] : at->y[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "m", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = stand_still});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"size", "m", .terminal = size}),
                  1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(kinked, .summary = "A distance at its corner", .params = params, .build = build,
               .t_end = 0.1);
