/* Functions of problems that were public in version 0.2. <gradyn/compat.h> still declares them. */
#ifndef GRADYN_CORE_PROBLEMS_RETIRED_H
#define GRADYN_CORE_PROBLEMS_RETIRED_H

#include <gradyn/problem.h>

/* Stores the name of a problem with dashes for underscores, as users type it. buffer [size]: receives the
 * name, truncated to size - 1 characters; "" if the problem is NULL. A buffer NULL is allowed. Returns
 * buffer. */
GRADYN_API const char *gradyn_problem_display_name(const gradyn_problem *problem, char *buffer,
                                                   size_t size);

#endif
