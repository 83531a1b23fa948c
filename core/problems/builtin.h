/* Built-in problems, for the registry; problems/builtin.c has the list. */
#ifndef GRADYN_CORE_BUILTIN_H
#define GRADYN_CORE_BUILTIN_H

#include <gradyn/problem.h>

/* Number of built-in problems; problem i, in the order of `gradyn list`. */
size_t gradyn_builtin_count(void);
const gradyn_problem *gradyn_builtin_at(size_t i);

#endif
