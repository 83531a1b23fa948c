/* A problem compiled with headers in which parameters have another size. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"x", "m", .init = 1, GRADYN_UNBOUNDED}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(other_size, .summary = "Of other headers", .params = params, .build = build,
               .t_end = 1, .param_size = sizeof(gradyn_param) - 8);
