/* Evaluators of problems whose signals have knots that a search adds. */
#ifndef GRADYN_ADJOINT_REFINED_H
#define GRADYN_ADJOINT_REFINED_H

#include "adjoint/evaluator/evaluator.h"
#include "core/model/added.h"

/* As gradyn_evaluator_create(), for signals that have the further knots `added`, which must outlive the
 * evaluator. added NULL: none; options NULL: those of gradyn_options_default(). Additional error:
 * GRADYN_UNSUPPORTED, knots are added to a problem with several load cases. */
gradyn_status gradyn_evaluator_create_refined(const gradyn_problem *problem,
                                              const gradyn_added_knots *added,
                                              const gradyn_options *options,
                                              const gradyn_setting_choice *settings,
                                              size_t setting_count, gradyn_evaluator **out);

/* Returns the further knots of the evaluator's signals; NULL: none. */
static inline const gradyn_added_knots *gradyn_evaluator_added(const gradyn_evaluator *ev)
{
  return ev->model ? ev->model->settings.added : NULL;
}

#endif
