/* The list of the problems that come with gradyn. */
#include "core/problems/builtin.h"
#include "problems/builtin.h"

#define ADDRESS(id) &gradyn_problem_##id,
static const gradyn_problem *const builtin[] = {GRADYN_BUILTIN_LIST(ADDRESS)};

size_t gradyn_builtin_count(void)
{
  return GRADYN_COUNT(builtin);
}

const gradyn_problem *gradyn_builtin_at(size_t i)
{
  return builtin[i];
}
