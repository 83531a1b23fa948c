/* Creation and release of evaluators, of a single run or of all load cases. */
#include "adjoint/evaluator/cases.h"
#include "adjoint/evaluator/refined.h"
#include "adjoint/evaluator/single.h"
#include "adjoint/evaluator/verify_callbacks.h"

gradyn_status gradyn_evaluator_create_refined(const gradyn_problem *problem,
                                              const gradyn_added_knots *added,
                                              const gradyn_options *options,
                                              const gradyn_setting_choice *settings,
                                              size_t setting_count, gradyn_evaluator **out)
{
  if (!out)
    return GRADYN_INVALID;
  gradyn_options usual;
  gradyn_options_default(problem, &usual);
  options = options ? options : &usual;
  /* in any case an evaluator is returned: it has the message of a failure */
  GRADYN_TRY(gradyn_evaluator_prepare(problem, options, settings, setting_count, out));
  return problem->cases && !(*out)->options.only_case ? gradyn_case_set_create(*out, added, options)
                                                      : gradyn_evaluator_complete(*out, added);
}

gradyn_status gradyn_evaluator_create(const gradyn_problem *problem, const gradyn_options *options,
                                      const gradyn_setting_choice *settings, size_t setting_count,
                                      gradyn_evaluator **out)
{
  return gradyn_evaluator_create_refined(problem, NULL, options, settings, setting_count, out);
}

/* Creates an evaluator of a problem with the knots, settings and verified functions of another one. */
static gradyn_status copy(const gradyn_evaluator *of, const gradyn_problem *problem,
                          const gradyn_options *options, gradyn_evaluator **out)
{
  GRADYN_TRY(gradyn_evaluator_create_refined(problem, gradyn_evaluator_added(of), options,
                                             of->settings, of->setting_count, out));
  gradyn_verify_callbacks_alike(of, *out);
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_extend(gradyn_evaluator *of, const gradyn_problem *problem,
                                      const gradyn_options *options, gradyn_message *message,
                                      gradyn_evaluator **out)
{
  const gradyn_status status = copy(of, problem, options ? options : &of->options, out);
  if (status != GRADYN_OK)
    return gradyn_fail(message, status, "%s", gradyn_evaluator_message(*out));
  if (!options)
    gradyn_choice_follow(*out, of);
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_clone(const gradyn_evaluator *other, const gradyn_options *options,
                                     gradyn_evaluator **out)
{
  if (!other) {
    if (out)
      *out = NULL;
    return GRADYN_INVALID;
  }
  return copy(other, other->problem, options, out);
}

void gradyn_evaluator_free(gradyn_evaluator *ev)
{
  if (ev && ev->load.all)
    gradyn_case_set_release(ev); /* also frees the models of all cases */
  gradyn_evaluator_free_single(ev);
}
