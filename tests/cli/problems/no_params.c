/* A problem with a number of parameters, but without an array of them. */
#include <gradyn/gradyn.h>

static const gradyn_param params[2];

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(no_params, .summary = "No parameters", .build = build, .t_end = 1);
