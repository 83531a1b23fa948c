/* gradyn run --refine-discretisation: repeats the search with the step or tolerance that it needs. */
#include "cli/commands/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/memory.h"
#include "optim/study/account.h"

/* Returns an evaluator with the step or the tolerance that the best point needs. NULL: it could not be
 * created, and the reason was printed. */
static gradyn_evaluator *finer_evaluator(const cli_run_state *r)
{
  const gradyn_search_result *result = &r->outcome.result;
  gradyn_options evaluation = r->session.evaluation;
  gradyn_evaluator *evaluator = NULL;
  /* adapts the tolerance or the fixed step, depending on the method */
  if (evaluation.rtol > 0) {
    evaluation.atol *= result->discretisation.rtol_to_use / evaluation.rtol;
    evaluation.rtol = result->discretisation.rtol_to_use;
    cli_session_note(&r->session, "searching again with rtol %.1e", evaluation.rtol);
  } else {
    /* with shorter steps, more of them are permitted */
    evaluation.max_steps = (long)((double)evaluation.max_steps * evaluation.step /
                                  result->discretisation.step_to_use);
    evaluation.step = result->discretisation.step_to_use;
    cli_session_note(&r->session, "searching again with step %.3g s", evaluation.step);
  }
  if (gradyn_evaluator_clone(r->session.evaluator, &evaluation, &evaluator) == GRADYN_OK)
    return evaluator;
  cli_session_note(&r->session, "not refined: %s", gradyn_evaluator_message(evaluator));
  gradyn_evaluator_free(evaluator);
  return NULL;
}

/* Keeps the earlier result, because the refined search has found no point. */
static gradyn_status keep_coarse(cli_run_state *r, gradyn_status status,
                                 const gradyn_search_result *finer)
{
  gradyn_search_result *result = &r->outcome.result;
  if (status != GRADYN_INTERRUPTED) {
    /* the search that was completed still counts */
    cli_session_note(&r->session, "not refined: %.*s", (int)strcspn(finer->reason, "\n"),
                     finer->reason);
    return GRADYN_OK;
  }
  result->termination = GRADYN_TERMINATION_STOPPED;
  (void)snprintf(result->reason, sizeof result->reason,
                 "stopped on request during the second search; the result is the point of the "
                 "first search");
  return status;
}

bool cli_run_refine(cli_run_state *r)
{
  gradyn_search_result finer, *result = &r->outcome.result;
  gradyn_evaluator *evaluator = finer_evaluator(r);
  if (!evaluator)
    return false;
  evaluator = cli_session_exchange(&r->session, evaluator);
  /* the scale of the objective stays that of the first search */
  r->search.objective_scale = result->objective_scale;
  if (result->warm.text && (r->warm || gradyn_search_in_segments(&r->search))) {
    free(r->warm);
    r->search.warm_start = r->warm = cli_text("%s", result->warm.text);
  }
  r->before = result->evaluations;
  gradyn_status status = cli_run_search_once(r, result->rho, &finer);
  const bool found = isfinite(finer.objective);
  if (found) {
    /* counts and times are totals since the first search */
    finer.initial_objective = result->initial_objective;
    finer.evaluations += result->evaluations;
    finer.rejected += result->rejected;
    finer.seconds += result->seconds;
    gradyn_search_result_clear(result);
    *result = finer;
  } else {
    status = keep_coarse(r, status, &finer);
    gradyn_search_result_clear(&finer);
    /* exchanges the evaluators again, because the earlier result is kept */
    evaluator = cli_session_exchange(&r->session, evaluator);
  }
  gradyn_evaluator_free(evaluator);
  r->outcome.status = status;
  return found && status == GRADYN_OK;
}
