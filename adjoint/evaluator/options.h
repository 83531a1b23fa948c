/* Problem, settings and options of an evaluator that is created. */
#ifndef GRADYN_ADJOINT_OPTIONS_H
#define GRADYN_ADJOINT_OPTIONS_H

#include "adjoint/evaluator/evaluator.h"

/* Checks the problem. Error: GRADYN_INVALID, it is NULL, of another layout, or has a wrong name or lists. */
gradyn_status gradyn_evaluator_inspect(gradyn_evaluator *ev);

/* Copies settings [count], replaced by those of the load case `only` unless it is NULL. Errors:
 * GRADYN_INVALID, they do not suit the problem, or there is no such case; GRADYN_NO_MEMORY. */
gradyn_status gradyn_evaluator_keep_settings(gradyn_evaluator *ev,
                                             const gradyn_setting_choice *settings, size_t count,
                                             const char *only);

/* Copies, completes and checks options. Errors: GRADYN_INVALID, GRADYN_UNSUPPORTED, GRADYN_NO_MEMORY. */
gradyn_status gradyn_evaluator_settle(gradyn_evaluator *ev, const gradyn_options *options);

/* Returns whether a user has named the method. False: it comes from gradyn_options_default(), or is NULL. */
bool gradyn_options_name_method(const gradyn_options *options);

/* Determines the route to gradients from its name in the options. Errors: GRADYN_INVALID, unknown name;
 * GRADYN_UNSUPPORTED, the method does not offer it. */
gradyn_status gradyn_evaluator_settle_route(gradyn_evaluator *ev);

/* The same for a method other than that of the options. A method without derivatives uses differences, unless
 * another route is requested by name. */
gradyn_status gradyn_route_settle(gradyn_evaluator *ev, const gradyn_method *method);

#endif
