/* Names with control characters for terminals, names that are not UTF-8, and a model without any
 * functional. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {
    {"red\033[31m\n\302\233 \342\200\256x", "m", .init = 1, .lower = 0, .upper = 2}};
static const gradyn_setting settings[] = {{"z\344hler", "how m\344ny", 1, 0, 3}};

static gradyn_status stand_still(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "b\344r", "m\007", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = stand_still});
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(odd_names, .summary = "\033]0;title\007 of a kind", .params = params,
               .settings = settings, .setting_count = 1, .build = build, .t_end = 1);
