/* A shared object compiled for another problem interface. */
#include <gradyn/gradyn.h>

GRADYN_API const gradyn_problem *gradyn_plugin_problem(void);
const gradyn_problem *gradyn_plugin_problem(void)
{
  return NULL;
}

GRADYN_API const char *gradyn_plugin_abi(void);
const char *gradyn_plugin_abi(void)
{
  return "gradyn-problem-0";
}
