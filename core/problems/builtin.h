/* Built-in problems, for the registry; problems/builtin.c has the list. */
#ifndef GRADYN_CORE_BUILTIN_H
#define GRADYN_CORE_BUILTIN_H

#include <gradyn/problem.h>

/* Number of built-in problems. Problem i < count, from 0 and not checked, in the order of `gradyn list`; the
 * problem is static. */
size_t gradyn_builtin_count(void);
const gradyn_problem *gradyn_builtin_at(size_t i);

#endif
