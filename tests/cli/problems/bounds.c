/* A parameter whose lower bound is above its upper bound. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"x", "m", .init = 1, .lower = 2, .upper = 0}};

static gradyn_status stand_still(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "m", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = stand_still});
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(bounds, .summary = "Bounds the wrong way", .params = params, .build = build,
               .t_end = 0.1, .method = "idas");
