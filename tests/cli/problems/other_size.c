/* A problem compiled with headers in which parameters have another size. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"x", "m", .init = 1, GRADYN_UNBOUNDED}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return gradyn_build_status(model);
}

extern const gradyn_problem gradyn_problem_other_size;
const gradyn_problem gradyn_problem_other_size = {.struct_size = sizeof(gradyn_problem),
                                                  .param_size = sizeof(gradyn_param) - 8,
                                                  .setting_size = sizeof(gradyn_setting),
                                                  .name = "other_size",
                                                  .summary = "Of other headers",
                                                  .params = params,
                                                  .param_count = 1,
                                                  .build = build,
                                                  .t_end = 1};
GRADYN_PROBLEM_ENTRY(other_size)
