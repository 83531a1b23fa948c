/* Output of the result of a search: parameters and functionals before and after, and the reason of its
 * termination. */
#include "cli/text/outcome.h"

#include <math.h>

#include "cli/text/inference.h"
#include "cli/text/json.h"
#include "cli/base/plain.h"
#include "cli/text/show.h"
#include "optim/search/search.h"
#include "cli/base/table.h"

/* Returns settings.json, which is written before the search begins. */
json_t *cli_outcome_settings(const cli_session *session, const gradyn_search *search)
{
  /* has all settings that affect the search, because resuming and reports need them */
  json_t *root = cli_json_session(session, GRADYN_OK);
  (void)json_object_del(root, "status"); /* there is no result yet */
  gradyn_account_search(&root, search);
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "functionals", cli_json_functionals(session, NULL, NULL));
  cli_json_command_line(session, root);
  return root;
}

bool cli_outcome_has_point(const cli_outcome *outcome)
{
  return gradyn_searched_has_point(&outcome->result);
}

/* Returns the data in the form that optim/study/account.h requires. */
static gradyn_searched searched_of(const cli_outcome *outcome)
{
  const cli_session *session = outcome->session;
  return (gradyn_searched){.evaluator = session->evaluator,
                           .search = outcome->search,
                           .rho0 = session->rho,
                           .psi0 = outcome->psi0,
                           .vary = session->vary,
                           .result = &outcome->result,
                           .status = outcome->status,
                           .recorded = outcome->recorded};
}

void cli_outcome_infer(cli_outcome *outcome)
{
  const cli_session *session = outcome->session;
  if (!(session->options->command->bit & CLI_FIT) || !cli_outcome_has_point(outcome))
    return;
  if (gradyn_inference_compute(session->evaluator, outcome->search, outcome->result.rho,
                               &outcome->inference) == GRADYN_OK)
    return;
  gradyn_inference_clear(&outcome->inference);
  cli_session_note(session, "deviations are left out: %s",
                   gradyn_evaluator_message(session->evaluator));
}

/* Returns the result of a search with all its tests. */
json_t *cli_outcome_json(const cli_outcome *outcome)
{
  const gradyn_searched searched = searched_of(outcome);
  json_t *root = cli_json_session(outcome->session, outcome->status);
  gradyn_account_result(&root, &searched);
  if (outcome->inference.kind)
    cli_json_put(root, "fit",
                 cli_inference_json(outcome->session, outcome->result.rho, &outcome->inference));
  cli_json_put(root, "folder", cli_json_text(outcome->folder));
  return root;
}

/* Returns a mark for a parameter that is fixed or at a bound. */
static const char *mark_parameter(const cli_session *session, size_t i, double value)
{
  const gradyn_parameter_info *param = &session->param[i];
  double width = param->upper - param->lower;
  /* relative to the distance of the bounds, which may be infinite */
  double close = 1e-9 * (isfinite(width) ? width : fmax(1, fabs(value)));
  if (!session->vary[i])
    return "fixed";
  if (value - param->lower <= close)
    return "at lower bound";
  return param->upper - value <= close ? "at upper bound" : "";
}

/* Prints the exact maxima over time of functionals that are smooth maxima. */
static void print_extremes(const cli_outcome *outcome)
{
  const cli_session *session = outcome->session;
  const gradyn_extreme *extreme = outcome->result.extreme;
  for (size_t i = 0; extreme && i < session->functionals; i++) {
    if (!isfinite(extreme[i].value))
      continue;
    (void)printf("%s reaches %.6g at t = %.6g s", session->functional[i].name, extreme[i].value,
                 extreme[i].t);
    /* there is another time with the same value */
    if (isfinite(extreme[i].t_second))
      (void)printf(" and at %.6g s", extreme[i].t_second);
    (void)putchar('\n');
  }
}

/* Prints the sampled points of path constraints that are active. */
static void print_rows(const cli_outcome *outcome)
{
  const gradyn_search_result *result = &outcome->result;
  cli_table table = {.align = "lrrrr"};
  bool begun = false;
  for (size_t i = 0; i < result->path_point_count; i++) {
    const gradyn_path_point *row = &result->path_points[i];
    if (!(row->multiplier > 0))
      continue;
    if (!begun)
      cli_table_add(&table, "enforced|t [s]|excess|multiplier|round");
    begun = true;
    cli_table_add(&table, "%s|%.10g|%.3g|%.6g|%d",
                  outcome->session->functional[row->functional].name, row->t, row->value,
                  row->multiplier, row->round);
  }
  if (!begun)
    return;
  (void)putchar('\n');
  cli_table_print(&table, "", stdout);
}

/* Returns a word for the state of a constraint: met, active or violated. */
static const char *mark_functional(const gradyn_functional_info *functional, double value)
{
  double excess = value -
                  functional->bound; /* excess over the bound, in the unit of the functional */
  if (isnan(value))
    return "not evaluated";
  switch (functional->use) {
  /* excess is compared with the tolerance of the constraint, as in the search */
  case GRADYN_EQUAL:
    excess = fabs(excess);
    return excess <= functional->tolerance ? "met" : "VIOLATED";
  case GRADYN_AT_LEAST:
    excess = -excess;
    break;
  case GRADYN_AT_MOST:
  case GRADYN_PATH_CONSTRAINT:
    break;
  case GRADYN_MONITORED:
  case GRADYN_OBJECTIVE:
  case GRADYN_LARGEST:
  case GRADYN_RESIDUAL:
  case GRADYN_LOG_SIGMA:
  default:
    return "";
  }
  if (excess > functional->tolerance)
    return "VIOLATED";
  return excess >= -functional->tolerance ? "active" : "met";
}

/* Prints the parameters before and after the search. */
static void print_parameters(const cli_outcome *outcome)
{
  const cli_session *session = outcome->session;
  cli_table table = {.align = "lrrll"}; /* columns: name, initial and final value, unit, mark */
  cli_table_add(&table, "parameter|initial|final|unit|");
  for (size_t i = 0; i < session->parameters; i++) {
    double value = outcome->result.rho[i];
    cli_table_add(&table, "%s|%.10g|%.10g|%s|%s", session->param[i].name, session->rho[i], value,
                  session->param[i].unit, mark_parameter(session, i, value));
  }
  cli_table_print(&table, "", stdout);
}

/* Prints the functionals before and after the search, with their use. */
static void print_functionals(const cli_outcome *outcome)
{
  const cli_session *session = outcome->session;
  cli_table table = {.align = "lrrlll"};
  char use[96];
  cli_table_add(&table, "functional|initial|final|unit|use|");
  for (size_t i = 0; i < session->functionals; i++) {
    const gradyn_functional_info *functional = &session->functional[i];
    if (functional->use ==
        GRADYN_RESIDUAL) /* residuals are left out, because result.json has them */
      continue;
    cli_table_add(&table, "%s", functional->name);
    if (outcome->psi0)
      cli_table_add(&table, "%.10g", outcome->psi0[i]);
    else
      cli_table_add(&table, "-");
    if (isnan(outcome->result.psi[i]))
      cli_table_add(&table, "-");
    else
      cli_table_add(&table, "%.10g", outcome->result.psi[i]);
    cli_table_add(&table, "%s|%s|%s", functional->unit, cli_show_use(functional, use, sizeof use),
                  mark_functional(functional, outcome->result.psi[i]));
  }
  (void)putchar('\n'); /* empty line after the table of parameters */
  cli_table_print(&table, "", stdout);
}

/* Prints a line of the summary: a subject and a text. */
static void print_line(const char *subject, int subject_length, const char *text, int length)
{
  cli_say(stdout, "%-17.*s %.*s\n", subject_length, subject, length, text);
}

/* Prints the findings about the termination, then the warnings. */
static void print_findings(const gradyn_search_result *result)
{
  gradyn_termination_line f = {.next = result->reason};
  while (gradyn_termination_next(&f))
    print_line(f.subject, f.subject_length, f.text, f.length);
  for (size_t i = 0; i < result->warning_count; i++)
    cli_say(stdout, "warning W%02d       %s: %s\n", (int)result->warnings[i].code,
            gradyn_warning_describe(result->warnings[i].code).name, result->warnings[i].text);
}

/* Prints how the optimum changes in more accurate simulations. */
static void print_recheck(const cli_outcome *outcome)
{
  const gradyn_discretisation_check *recheck = &outcome->result.discretisation;
  const gradyn_searched searched = searched_of(outcome);
  if (recheck->step > 0)
    (void)printf("discretisation    with step %.3g s", recheck->step);
  else
    (void)printf("discretisation    with rtol %.1e", recheck->rtol);
  cli_say(stdout, " the objective is %.10g; the largest change is %.2g tolerances (%s)\n",
          recheck->objective, recheck->change, gradyn_searched_moved_most(&searched));
}

/* Prints the command line that continues a search that was stopped or reached a limit. */
static void print_next(const cli_outcome *outcome)
{
  const gradyn_search *search = outcome->search;
  const gradyn_termination ended = outcome->result.termination;
  if (ended == GRADYN_TERMINATION_EVALUATIONS)
    cli_say(stdout, "next              gradyn resume %s --max-evaluations %ld\n", outcome->folder,
            2 * search->max_evaluations);
  else if (ended == GRADYN_TERMINATION_TIME)
    cli_say(stdout, "next              gradyn resume %s --max-seconds %g\n", outcome->folder,
            2 * search->max_seconds);
  else if (ended == GRADYN_TERMINATION_STOPPED)
    cli_say(stdout, "next              gradyn resume %s\n", outcome->folder);
}

/* Prints tables, termination, cost, and the folder of the results. */
void cli_outcome_print(const cli_outcome *outcome)
{
  const gradyn_search_result *result = &outcome->result;
  if (cli_outcome_has_point(outcome)) {
    print_parameters(outcome);
    print_functionals(outcome);
    print_extremes(outcome);
    print_rows(outcome);
    if (outcome->inference.kind)
      cli_inference_print(outcome->session, result->rho, &outcome->inference);
    (void)printf("\nobjective %.10g -> %.10g\n", result->initial_objective, result->objective);
  }
  /* reason of the termination, comparison with finer steps, then cost */
  print_findings(result);
  if (result->discretisation.done && result->discretisation.status == GRADYN_OK)
    print_recheck(outcome);
  (void)printf("%ld evaluations", result->evaluations);
  if (result->probes > 0)
    (void)printf(" (%ld probe the end)", result->probes);
  if (result->rejected > 0)
    (void)printf(" (%ld rejected)", result->rejected);
  cli_say(stdout, ", %.3g s\nresults in %s\n", result->seconds, outcome->folder);
  print_next(outcome);
  if (outcome->report)
    cli_say(stdout, "report: %s\n", outcome->report);
}
