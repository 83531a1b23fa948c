/* Models made by a build function alone. */
#include "tests/core/model/probe_model.h"

#include "tests/support.h"

static const gradyn_setting settings[] = {{"extra", "", .init = 3, .lower = 0, .upper = 9}};

gradyn_status probe_create_with(gradyn_build_fn build, const gradyn_scalar *rho, double t_end,
                                const gradyn_setting_choice *choice, gradyn_model **model)
{
  gradyn_problem *problem = malloc(sizeof *problem);
  *problem = (gradyn_problem){GRADYN_PROBLEM_SIZES, .name = "probe", .settings = settings,
                              .setting_count = 1,   .t_end = 2,      .build = build};
  return gradyn_model_create(problem, choice, choice ? 1 : 0, t_end, rho, model);
}

gradyn_status probe_create(gradyn_build_fn build, const gradyn_scalar *rho, gradyn_model **model)
{
  return probe_create_with(build, rho, 0, NULL, model);
}

void probe_destroy(gradyn_model *model)
{
  FREED void *problem = (void *)(size_t)model->problem;
  gradyn_model_free(model);
}

void probe_assert_says(const gradyn_model *model, const char *text)
{
  assert_says(model->message.text, text);
}

int probe_datum(const gradyn_model *model, const char *name)
{
  for (int k = 0; k < model->nx; k++)
    if (strcmp(model->entry[k].name, name) == 0)
      return k;
  fail_msg("there is no datum %s", name);
  return -1;
}
