/* The end of a run with signals; see controls.h. */
#include "cli/commands/controls.h"

#include <gradyn/analysis.h>

void cli_controls_adopt(cli_run_state *r)
{
  gradyn_search_result *result = &r->outcome.result;
  if (result->refined != NULL)
    result->refined = cli_session_widen(&r->session, result->refined);
  r->search.vary = r->session.vary;
}

gradyn_status cli_controls_keep_costates(cli_run_state *r)
{
  gradyn_file file;
  gradyn_costates costates;
  gradyn_evaluator *evaluator = r->session.evaluator;
  const gradyn_search_result *result = &r->outcome.result;
  if (gradyn_signal_count(evaluator) == 0 || result->termination == GRADYN_TERMINATION_STOPPED)
    return GRADYN_OK;
  /* a method without costates is no failure */
  gradyn_status status = gradyn_search_costates(evaluator, &r->search, result, &costates);
  if (status == GRADYN_OK) {
    status = gradyn_folder_begin(&r->study, &file, "costates_final.csv");
    if (status == GRADYN_OK)
      status = gradyn_folder_end(&r->study, &file, gradyn_costates_write(&costates, file.stream));
  } else if (status != GRADYN_NO_MEMORY) {
    status = GRADYN_OK;
  }
  gradyn_costates_clear(&costates);
  return status;
}
