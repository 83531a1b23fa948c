/* A functional that loses half of its derivative in complex numbers. */
#include <gradyn/gradyn.h>

#include <complex.h>

static const gradyn_param params[] = {{"start", "m", .init = 2, .lower = 1, .upper = 3}};

static gradyn_status decay(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->y[0];
  return GRADYN_OK;
}

static gradyn_status square(const gradyn_at *at, gradyn_scalar *value)
{
  *value = creal(at->y[0]) * at->y[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "m", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = decay});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"square", "m^2", .terminal = square}),
                  1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(lossy, .summary = "Half a derivative", .params = params, .build = build, .t_end = 1,
               .method = "idas");
