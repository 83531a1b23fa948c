/* Evaluators of problems that extend another one: by knots of signals that a search adds, or by a build()
 * around its build(). */
#ifndef GRADYN_ADJOINT_REFINED_H
#define GRADYN_ADJOINT_REFINED_H

#include "adjoint/evaluator/evaluator.h"
#include "core/model/added.h"

/* Creates an evaluator of a problem, which must outlive it, by gradyn_evaluator_create(). Its signals have
 * the further knots `added`, which must also outlive it. Free *out in any case. settings [setting_count]:
 * copied. added NULL: none; options NULL: those of gradyn_options_default(). Additional error:
 * GRADYN_UNSUPPORTED, knots are added to a problem with several load cases. */
gradyn_status gradyn_evaluator_create_refined(const gradyn_problem *problem,
                                              const gradyn_added_knots *added,
                                              const gradyn_options *options,
                                              const gradyn_setting_choice *settings,
                                              size_t setting_count, gradyn_evaluator **out);

/* Creates an evaluator of a problem that extends that of `of`, for example by a build() that calls
 * gradyn_problem_build() of core/problems/prior.h. It has the knots, settings and verified functions of `of`,
 * and the given options; NULL: options, method and choices of `of`. The problem must outlive *out. Free *out
 * in any case. Errors, with message (NULL: the one of *out only): those of gradyn_evaluator_create(). */
gradyn_status gradyn_evaluator_extend(gradyn_evaluator *of, const gradyn_problem *problem,
                                      const gradyn_options *options, gradyn_message *message,
                                      gradyn_evaluator **out);

/* Returns the further knots of the evaluator's signals; NULL: none. */
static inline const gradyn_added_knots *gradyn_evaluator_added(const gradyn_evaluator *ev)
{
  return ev->model ? ev->model->settings.added : NULL;
}

#endif
