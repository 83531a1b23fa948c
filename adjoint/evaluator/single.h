/* Evaluators of single runs: those of problems without load cases, and those of each case. */
#ifndef GRADYN_ADJOINT_SINGLE_H
#define GRADYN_ADJOINT_SINGLE_H

#include "adjoint/evaluator/options.h"
#include "core/model/added.h"

/* Creates an evaluator without model and method: with the problem, its settings and options, which must not
 * be NULL. Release *out, unless NULL, also after an error. Errors: those of gradyn_evaluator_create() by
 * problem, settings, options; GRADYN_NO_MEMORY. */
gradyn_status gradyn_evaluator_prepare(const gradyn_problem *problem, const gradyn_options *options,
                                       const gradyn_setting_choice *settings, size_t setting_count,
                                       gradyn_evaluator **out);

/* Completes a prepared evaluator for one run: parameters, model with the further knots `added` or NULL,
 * method. Errors: those of gradyn_evaluator_create() by the model. */
gradyn_status gradyn_evaluator_complete(gradyn_evaluator *ev, const gradyn_added_knots *added);

/* Frees an evaluator without load cases; NULL is allowed. */
void gradyn_evaluator_free_single(gradyn_evaluator *ev);

#endif
