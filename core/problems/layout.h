/* Sizes of the structs of a problem: a problem compiled with other headers has another layout. */
#ifndef GRADYN_CORE_PROBLEM_LAYOUT_H
#define GRADYN_CORE_PROBLEM_LAYOUT_H

#include "core/base/message.h"
#include <gradyn/problem.h>

/* Checks the three sizes, before any other member of the problem is read. GRADYN_INVALID, with the reason
 * in message. */
gradyn_status gradyn_problem_check_layout(const gradyn_problem *problem, gradyn_message *message);

#endif
