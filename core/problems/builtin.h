/* Built-in problems, for the registry; problems/builtin.c has the list. */
#ifndef GRADYN_CORE_BUILTIN_H
#define GRADYN_CORE_BUILTIN_H

#include <gradyn/problem.h>

/* Returns the number of built-in problems. */
size_t gradyn_builtin_count(void);

/* Returns built-in problem i, from 0 and not checked, in the order of `gradyn list`; the problem is
 * static. */
const gradyn_problem *gradyn_builtin_at(size_t i);

#endif
