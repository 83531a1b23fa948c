/* Sizes of the structs of a problem: a problem compiled with other headers has another layout. */
#ifndef GRADYN_CORE_PROBLEM_LAYOUT_H
#define GRADYN_CORE_PROBLEM_LAYOUT_H

#include "core/base/message.h"
#include <gradyn/problem.h>

/* Checks struct_size, param_size and setting_size of a problem. Call this before any other member is read.
 * GRADYN_INVALID, with the reason in message. */
gradyn_status gradyn_problem_check_layout(const gradyn_problem *problem, gradyn_message *message);

#endif
