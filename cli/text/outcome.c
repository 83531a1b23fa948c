/* What a search came to: parameters and functionals before and after, why it ended. */
#include "cli/text/outcome.h"

#include <math.h>

#include "cli/text/json.h"
#include "cli/text/plain.h"
#include "cli/text/show.h"
#include "cli/text/table.h"

/* Everything that a search depends on, written before it begins. */
json_t *cli_outcome_settings(const cli_session *session, const gradyn_search *search)
{
  /* all that decides the course of the search, for resuming and reports */
  json_t *root = cli_json_session(session, GRADYN_OK);
  (void)json_object_del(root, "status"); /* nothing has been computed */
  cli_json_put(root, "algorithm", json_string(search->algorithm));
  cli_json_put(root, "max_evaluations", json_integer(search->max_evaluations));
  cli_json_put(root, "max_seconds", gradyn_json_number(search->max_seconds));
  cli_json_put(root, "ftol", gradyn_json_number(search->ftol));
  cli_json_put(root, "xtol", gradyn_json_number(search->xtol));
  cli_json_put(root, "optimality", gradyn_json_number(search->optimality));
  cli_json_put(root, "scaling", json_boolean(!search->no_scaling));
  if (search->objective)
    cli_json_put(root, "objective", cli_json_text(search->objective));
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "functionals", cli_json_functionals(session, NULL, NULL));
  cli_json_command_line(session, root);
  return root;
}

bool cli_outcome_has_point(const cli_outcome *outcome)
{
  const gradyn_search_result *result = &outcome->result;
  return result->rho && result->psi && isfinite(result->objective);
}

/* Parameters and functionals, both as they were and as they are. */
static void put_point(const cli_outcome *outcome, json_t *root)
{
  const cli_session *session = outcome->session;
  const gradyn_search_result *result = &outcome->result;
  bool found = cli_outcome_has_point(outcome);
  /* without a result the object shows where the search began */
  json_t *parameters = cli_json_parameters(session, found ? result->rho : session->rho);
  json_t *functionals = cli_json_functionals(session, found ? result->psi : NULL,
                                             found ? result->gradient : NULL);

  /* initial values beside final ones, member by member */
  for (size_t i = 0; i < session->parameters; i++) {
    json_t *item = json_array_get(parameters, i);
    cli_json_put(item, "initial", gradyn_json_number(session->rho[i]));
    if (result->parameter_scale)
      cli_json_put(item, "scale", gradyn_json_number(result->parameter_scale[i]));
  }
  for (size_t i = 0; outcome->psi0 && i < session->functionals; i++)
    cli_json_put(json_array_get(functionals, i), "initial", gradyn_json_number(outcome->psi0[i]));
  /* what smooth maxima are in truth */
  for (size_t i = 0; result->extreme && i < session->functionals; i++)
    if (isfinite(result->extreme[i].value)) {
      json_t *item = json_array_get(functionals, i);
      cli_json_put(item, "largest", gradyn_json_number(result->extreme[i].value));
      cli_json_put(item, "t_largest", gradyn_json_number(result->extreme[i].t));
    }
  cli_json_put(root, "parameters", parameters);
  cli_json_put(root, "functionals", functionals);
}

/* When the motion of the result ends, in the place of the one that the search began with. */
static void put_end_time(const cli_outcome *outcome, json_t *root)
{
  gradyn_evaluator *evaluator = outcome->session->evaluator;
  double t_end = NAN;
  if (!cli_outcome_has_point(outcome))
    return;
  /* a motion that has been recorded is still to be looked at: no other build() now */
  if (outcome->recorded)
    t_end = gradyn_model_describe(evaluator).t_end;
  else
    (void)gradyn_end_time_at(evaluator, outcome->result.rho, &t_end);
  cli_json_put(root, "t_end", gradyn_json_number(t_end));
}

/* Whose movement was the largest when the best point was simulated more exactly. */
static const char *moved_most(const cli_outcome *outcome)
{
  const cli_session *session = outcome->session;
  const size_t i = outcome->result.recheck.functional;
  return i < session->functionals ? session->functional[i].name : "objective";
}

/* The best point once more with a shorter step, or a tighter tolerance. */
static json_t *recheck_json(const cli_outcome *outcome)
{
  const gradyn_recheck *recheck = &outcome->result.recheck;
  json_t *root = json_object();
  /* either by step or by tolerance, as the method is */
  const char *which = recheck->step > 0 ? "step" : "rtol";
  const double used = recheck->step > 0 ? recheck->step : recheck->rtol;
  const double use = recheck->step > 0 ? recheck->step_to_use : recheck->rtol_to_use;
  cli_json_put(root, "status", json_string(gradyn_status_name((int)recheck->status)));
  cli_json_put(root, which, gradyn_json_number(used));
  /* a repetition that failed has no numbers */
  if (recheck->status != GRADYN_OK)
    return root;
  cli_json_put(root, "objective", gradyn_json_number(recheck->objective));
  cli_json_put(root, "functionals", cli_json_numbers(recheck->psi, outcome->session->functionals));
  cli_json_put(root, "moved", gradyn_json_number(recheck->moved));
  cli_json_put(root, "moved_most", cli_json_text(moved_most(outcome)));
  cli_json_put(root, recheck->step > 0 ? "step_to_use" : "rtol_to_use", gradyn_json_number(use));
  return root;
}

/* The result of a search with all its judgements. */
json_t *cli_outcome_json(const cli_outcome *outcome)
{
  const gradyn_search_result *result = &outcome->result;
  json_t *root = cli_json_session(outcome->session, outcome->status);
  /* why, in a sentence, beside the status */
  if (outcome->status != GRADYN_OK)
    cli_json_put(root, "message", cli_json_text(result->reason));
  cli_json_put(root, "algorithm", json_string(outcome->search->algorithm));
  /* how it ended, then what was found and what it cost */
  cli_json_put(root, "ending", json_string(gradyn_ending_name(result->ending)));
  cli_json_put(root, "reason", cli_json_text(result->reason));
  cli_json_put(root, "objective", gradyn_json_number(result->objective));
  cli_json_put(root, "initial_objective", gradyn_json_number(result->initial_objective));
  cli_json_put(root, "violation", gradyn_json_number(result->violation));
  cli_json_put(root, "projected_gradient", gradyn_json_number(result->projected_gradient));
  cli_json_put(root, "objective_scale", gradyn_json_number(result->objective_scale));
  cli_json_put(root, "evaluations", json_integer(result->evaluations));
  cli_json_put(root, "probes", json_integer(result->probes));
  cli_json_put(root, "rejected", json_integer(result->rejected));
  cli_json_put(root, "seconds", gradyn_json_number(result->seconds));
  put_point(outcome, root);
  put_end_time(outcome, root);
  if (result->recheck.done)
    cli_json_put(root, "recheck", recheck_json(outcome));
  cli_json_statistics(outcome->session, root);
  cli_json_put(root, "folder", cli_json_text(outcome->folder));
  return root;
}

/* Bounds that the search has run into. */
static const char *mark_parameter(const cli_session *session, size_t i, double value)
{
  const gradyn_parameter_info *param = &session->param[i];
  double width = param->upper - param->lower;
  /* of the bounds' distance, which may be infinite */
  double close = 1e-9 * (isfinite(width) ? width : fmax(1, fabs(value)));
  if (!session->vary[i])
    return "fixed";
  if (value - param->lower <= close)
    return "at lower bound";
  return param->upper - value <= close ? "at upper bound" : "";
}

/* Maxima over time as they are in truth, where smooth ones stand for them. */
static void print_extremes(const cli_outcome *outcome)
{
  const cli_session *session = outcome->session;
  const gradyn_extreme *extreme = outcome->result.extreme;
  for (size_t i = 0; extreme && i < session->functionals; i++) {
    if (!isfinite(extreme[i].value))
      continue;
    (void)printf("%s reaches %.6g at t = %.6g s", session->functional[i].name, extreme[i].value,
                 extreme[i].t);
    /* another time at which it is as large */
    if (isfinite(extreme[i].again))
      (void)printf(" and at %.6g s", extreme[i].again);
    (void)putchar('\n');
  }
}

/* A word on a constraint: met, active or violated. */
static const char *mark_functional(const gradyn_functional_info *functional, double value)
{
  double excess = value - functional->bound; /* beyond the bound, in the functional's unit */
  switch (functional->use) {
  /* as the search judged it: in tolerances of the constraint */
  case GRADYN_EQUAL:
    excess = fabs(excess);
    return excess <= functional->tolerance ? "met" : "VIOLATED";
  case GRADYN_AT_LEAST:
    excess = -excess;
    break;
  case GRADYN_AT_MOST:
    break;
  case GRADYN_MONITORED:
  case GRADYN_OBJECTIVE:
  case GRADYN_LARGEST:
  default:
    return "";
  }
  /* a value that is no number counts as a violation */
  if (!(excess <= functional->tolerance))
    return "VIOLATED";
  return excess >= -functional->tolerance ? "active" : "met";
}

/* Before and after. */
static void print_parameters(const cli_outcome *outcome)
{
  const cli_session *session = outcome->session;
  cli_table table = {.align = "lrrll"}; /* before and after, and what a bound has stopped */
  cli_table_add(&table, "parameter");
  cli_table_add(&table, "initial");
  cli_table_add(&table, "final");
  cli_table_add(&table, "unit");
  cli_table_add(&table, "%s", "");
  /* start and end side by side, with a mark at bounds */
  for (size_t i = 0; i < session->parameters; i++) {
    double value = outcome->result.rho[i];
    cli_table_add(&table, "%s", session->param[i].name);
    cli_table_add(&table, "%.10g", session->rho[i]);
    cli_table_add(&table, "%.10g", value);
    cli_table_add(&table, "%s", session->param[i].unit);
    cli_table_add(&table, "%s", mark_parameter(session, i, value));
  }
  cli_table_print(&table, "", stdout);
}

/* Before and after, with what they are used for. */
static void print_functionals(const cli_outcome *outcome)
{
  const cli_session *session = outcome->session;
  cli_table table = {.align = "lrrlll"};
  static const char *const head[] = {"functional", "initial", "final", "unit", "use", ""};
  char use[96];
  for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
    cli_table_add(&table, "%s", head[i]);
  for (size_t i = 0; i < session->functionals; i++) {
    const gradyn_functional_info *functional = &session->functional[i];
    cli_table_add(&table, "%s", functional->name);
    if (outcome->psi0)
      cli_table_add(&table, "%.10g", outcome->psi0[i]);
    else
      cli_table_add(&table, "-");
    cli_table_add(&table, "%.10g", outcome->result.psi[i]);
    cli_table_add(&table, "%s", functional->unit);
    cli_table_add(&table, "%s", cli_show_use(functional, use, sizeof use));
    cli_table_add(&table, "%s", mark_functional(functional, outcome->result.psi[i]));
  }
  (void)putchar('\n'); /* apart from the parameters' table */
  cli_table_print(&table, "", stdout);
}

/* What the optimum would be with exact simulations, roughly. */
static void print_recheck(const cli_outcome *outcome)
{
  const gradyn_recheck *recheck = &outcome->result.recheck;
  if (recheck->step > 0)
    (void)printf("again with step %.3g s: ", recheck->step);
  else
    (void)printf("again with rtol %.1e: ", recheck->rtol);
  (void)printf("objective %.10g, largest movement %.2g tolerances (%s)\n", recheck->objective,
               recheck->moved, moved_most(outcome));
}

/* For people: tables, verdict, cost, where to find the rest. */
void cli_outcome_print(const cli_outcome *outcome)
{
  const gradyn_search_result *result = &outcome->result;
  if (cli_outcome_has_point(outcome)) {
    print_parameters(outcome);
    print_functionals(outcome);
    print_extremes(outcome);
    (void)printf("\nobjective %.10g -> %.10g\n", result->initial_objective, result->objective);
  }
  /* why it ended, whether finer steps agree, and what it cost */
  cli_say(stdout, "%s\n", result->reason);
  if (result->recheck.done && result->recheck.status == GRADYN_OK)
    print_recheck(outcome);
  (void)printf("%ld evaluations", result->evaluations);
  if (result->probes > 0)
    (void)printf(" (%ld probe the end)", result->probes);
  if (result->rejected > 0)
    (void)printf(" (%ld rejected)", result->rejected);
  cli_say(stdout, ", %.3g s\nresults in %s\n", result->seconds, outcome->folder);
  if (outcome->report)
    cli_say(stdout, "report: %s\n", outcome->report);
}
