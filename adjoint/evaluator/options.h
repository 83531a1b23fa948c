/* Problem, settings and options of an evaluator that is created. */
#ifndef GRADYN_ADJOINT_OPTIONS_H
#define GRADYN_ADJOINT_OPTIONS_H

#include "adjoint/evaluator/evaluator.h"

/* Checks ev->problem. Error: GRADYN_INVALID, it is NULL, has another layout, no valid name, or counts
 * without lists; the message has the reason. */
gradyn_status gradyn_evaluator_inspect(gradyn_evaluator *ev);

/* Copies settings [count] into the evaluator, with the problem's names. If `only` is not NULL, it names a
 * load case, and settings of this case replace given settings of the same name. Errors: GRADYN_INVALID,
 * settings do not suit the problem, or there is no such case; GRADYN_NO_MEMORY. */
gradyn_status gradyn_evaluator_keep_settings(gradyn_evaluator *ev,
                                             const gradyn_setting_choice *settings, size_t count,
                                             const char *only);

/* Copies the options into the evaluator, replaces defaults by numbers, and selects method and route.
 * Errors, with a message: GRADYN_INVALID, an option is wrong; GRADYN_UNSUPPORTED, the method does not offer
 * the route; GRADYN_NO_MEMORY. */
gradyn_status gradyn_evaluator_settle(gradyn_evaluator *ev, const gradyn_options *options);

/* Returns whether a user has set options->method. False: it is NULL, or the pointer that
 * gradyn_options_default() has set. */
bool gradyn_options_name_method(const gradyn_options *options);

/* Sets ev->route from the option `sensitivity`, for the method of the options. Errors: GRADYN_INVALID,
 * unknown name; GRADYN_UNSUPPORTED, the method does not offer this route. */
gradyn_status gradyn_evaluator_settle_route(gradyn_evaluator *ev);

/* Sets ev->route from the option `sensitivity` for a given method. "auto": the adjoint, direct or
 * difference route, the first that the method offers. Errors: GRADYN_INVALID, unknown name;
 * GRADYN_UNSUPPORTED, the method does not offer this route. */
gradyn_status gradyn_route_settle(gradyn_evaluator *ev, const gradyn_method *method);

#endif
