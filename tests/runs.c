/* Evaluators with given options, and calls of them that must succeed. */
#include "tests/runs.h"

const char *const run_methods[] = {"idas", "explicit", "radau", "ali3p", "variational"};
const char *const run_adaptive[] = {"idas", "explicit", "radau"};
const char *const run_fixed[] = {"ali3p", "variational"};

/* Returns a requested value, 0 if it is below zero, or the default if it is zero. */
static double wished(double wish, double usual)
{
  return wish == 0 ? usual : wish < 0 ? 0 : wish;
}

gradyn_options run_options(const gradyn_problem *problem)
{
  gradyn_options options;
  gradyn_options_default(problem, &options);
  return options;
}

gradyn_search run_search(const gradyn_evaluator *evaluator)
{
  gradyn_search search;
  gradyn_search_default(evaluator, &search);
  return search;
}

gradyn_status run_create(const run_setup *setup, gradyn_evaluator **evaluator)
{
  gradyn_options usual = run_options(setup->problem);
  const gradyn_options options = {
      .struct_size = sizeof options,
      /* NULL: the usual method and natural coordinates, even if joint coordinates were faster */
      .method = setup->method ? setup->method : usual.method,
      .sensitivity = setup->sensitivity ? setup->sensitivity : usual.sensitivity,
      .rtol = wished(setup->rtol, usual.rtol),
      .atol = wished(setup->atol, usual.atol),
      .rtol_sens = setup->rtol_sens,
      .step = wished(setup->step, usual.step),
      .integrator = setup->integrator,
      .integrator_parameter = setup->integrator_parameter == 0 ? usual.integrator_parameter
                                                               : setup->integrator_parameter,
      .penalty = setup->penalty,
      .projection_penalty = setup->projection_penalty,
      .quadrature = setup->quadrature == 0 ? usual.quadrature : setup->quadrature,
      .order = setup->order,
      .memory = setup->memory,
      .t_end = setup->t_end,
      .coordinates = setup->problem->coordinates,
      .baumgarte_alpha = setup->baumgarte_alpha,
      .baumgarte_beta = setup->baumgarte_beta,
      .staggered = setup->staggered,
      .perturbation = setup->perturbation,
      .max_steps = setup->max_steps,
      .cancel = setup->cancel,
      .cancel_user = setup->cancel_user,
      .evaluation_seconds = setup->evaluation_seconds};
  const gradyn_setting_choice one = {setup->setting, setup->value};
  return gradyn_evaluator_create(setup->problem, &options, setup->settings ? setup->settings : &one,
                                 setup->settings ? setup->setting_count : setup->setting != NULL,
                                 evaluator);
}

gradyn_evaluator *run_open(const run_setup *setup)
{
  gradyn_evaluator *evaluator;
  assert_run(run_create(setup, &evaluator), evaluator);
  return evaluator;
}

gradyn_warning run_warning(const gradyn_evaluator *evaluator, gradyn_warning_code code)
{
  size_t i = 0;
  while (i < gradyn_evaluator_statistics(evaluator).warnings &&
         gradyn_evaluator_warning_at(evaluator, i).code != code)
    i++;
  return gradyn_evaluator_warning_at(evaluator, i);
}

gradyn_warning run_found(const gradyn_search_result *result, gradyn_warning_code code)
{
  for (size_t i = 0; i < result->warning_count; i++)
    if (result->warnings[i].code == code)
      return result->warnings[i];
  return gradyn_evaluator_warning_at(NULL, 0);
}

size_t run_initial(const gradyn_evaluator *evaluator, double rho[])
{
  const size_t count = gradyn_parameter_count(evaluator);
  for (size_t j = 0; j < count; j++)
    rho[j] = gradyn_parameter_at(evaluator, j).init;
  return count;
}

void run_assert(gradyn_status status, const gradyn_evaluator *evaluator, const char *call,
                const char *file, int line)
{
  support_assert_status((int)status, GRADYN_OK, gradyn_evaluator_message(evaluator), call, file,
                        line);
}

void run_assert_refused(gradyn_status status, const gradyn_evaluator *evaluator,
                        gradyn_status expected, const char *says, const char *file, int line)
{
  const char *message = gradyn_evaluator_message(evaluator);
  support_assert_status((int)status, (int)expected, message, says, file, line);
  if (!strstr(message, says)) {
    print_error("'%s' does not say '%s'\n", message, says);
    _fail(file, line);
  }
}

void run_assert_none(const run_setup *setup, gradyn_status expected, const char *says,
                     const char *file, int line)
{
  run_local *evaluator;
  gradyn_status status = run_create(setup, &evaluator);
  run_assert_refused(status, evaluator, expected, says, file, line);
}
