/* Exponential decay, y' = -k y, y(0) = 1: the integral of y^2 has a closed form. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"k", "1/s", .init = 0.7, .lower = 0.1, .upper = 5.0}};

static gradyn_status rate(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->data[0] * at->y[0];
  return GRADYN_OK;
}

static gradyn_status square(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0] * at->y[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum k = {"k", "1/s", rho[0]};
  gradyn_state(model, "y", "", 1.0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = rate, .data = &k, .data_count = 1});
  gradyn_minimise(model,
                  gradyn_custom_functional(model,
                                           &(gradyn_custom_functional_spec){
                                               .name = "square", .unit = "s", .integrand = square}),
                  1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(decay, .summary = "Exponential decay", .params = params, .build = build,
               .t_end = 2.0);
