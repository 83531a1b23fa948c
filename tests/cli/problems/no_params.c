/* A problem that announces parameters and has none. */
#include <gradyn/gradyn.h>

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return gradyn_built(model);
}

GRADYN_PROBLEM(no_params, .summary = "No parameters", .param_count = 2, .build = build,
               .t_end = 1);
