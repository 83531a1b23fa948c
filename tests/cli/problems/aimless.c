/* A model without any functional, with names in another language. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"Länge", "m", .init = 1, .lower = 0, .upper = 2}};
static const gradyn_setting settings[] = {{"Zähler", "how many", 1, 0, 3}};

static gradyn_status stand_still(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "Bär", "m", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = stand_still});
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(aimless, .summary = "Nothing to aim at", .params = params, .settings = settings,
               .setting_count = 1, .build = build, .t_end = 1);
