/* The three sizes that a problem records. */
#include "core/problems/layout.h"

#include "core/base/layout.h"

gradyn_status gradyn_problem_check_layout(const gradyn_problem *problem, gradyn_message *message)
{
  static const char filler[] =
      "Define the problem with GRADYN_PROBLEM(), or begin it with GRADYN_PROBLEM_SIZES";
  GRADYN_TRY(gradyn_layout_check(message, "gradyn_problem: struct_size", problem->struct_size,
                                 sizeof *problem, filler));
  GRADYN_TRY(gradyn_layout_check(message, "gradyn_problem: param_size", problem->param_size,
                                 sizeof *problem->params, filler));
  return gradyn_layout_check(message, "gradyn_problem: setting_size", problem->setting_size,
                             sizeof *problem->settings, filler);
}
