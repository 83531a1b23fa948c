/* Results of a search: its options, and how it ended. */
#include "optim/study/account.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/owned.h"
#include "core/files/json.h"
#include "core/files/text.h"
#include "optim/search/search.h"
#include "optim/study/choices.h"
#include "optim/study/journal.h"
#include <gradyn/inspect.h>

/* Adds the name of the algorithm (null: the default), and of the one that continues, if there is one. */
static void put_algorithm(json_t **root, const gradyn_search *search)
{
  gradyn_json_put(root, "algorithm", gradyn_json_text(search->algorithm));
  if (search->then)
    gradyn_json_put(root, "then", gradyn_json_text(search->then));
}

/* Adds a checksum of the warm start, because its text is as long as a whole result. */
static void put_warm_start(json_t **root, const char *text)
{
  char digits[17];
  (void)snprintf(digits, sizeof digits, "%016" PRIx64, gradyn_journal_sum(0, text, strlen(text)));
  gradyn_json_put(root, "warm_start", gradyn_json_text(digits));
}

void gradyn_account_search(json_t **root, const gradyn_search *search)
{
  put_algorithm(root, search);
  gradyn_json_put(root, "max_evaluations", json_integer(search->max_evaluations));
  gradyn_json_put(root, "max_seconds", gradyn_json_number(search->max_seconds));
  gradyn_json_put(root, "ftol", gradyn_json_number(search->ftol));
  gradyn_json_put(root, "xtol", gradyn_json_number(search->xtol));
  gradyn_json_put(root, "optimality", gradyn_json_number(search->optimality));
  gradyn_json_put(root, "scaling", json_boolean(!search->no_scaling));
  if (search->segments != 0)
    gradyn_json_put(root, "segments", json_integer(search->segments));
  if (search->segment_times)
    gradyn_json_put(root, "segment_times", gradyn_json_text(search->segment_times));
  if (search->refine_controls != 0)
    gradyn_json_put(root, "refine_controls", json_integer(search->refine_controls));
  if (search->path_rounds != 0)
    gradyn_json_put(root, "path_rounds", json_integer(search->path_rounds));
  if (search->hessian)
    gradyn_json_put(root, "hessian", json_true());
  if (search->objective)
    gradyn_json_put(root, "objective", gradyn_json_text(search->objective));
  if (search->warm_start)
    put_warm_start(root, search->warm_start);
  if (search->objective_scale > 0)
    gradyn_json_put(root, "objective_scale", gradyn_json_number(search->objective_scale));
}

const char *gradyn_search_fault(const gradyn_search *search)
{
  if (search->struct_size == sizeof *search)
    return NULL;
  if (search->struct_size == 0)
    return "gradyn_search: struct_size is 0. Fill it by gradyn_search_default(), then set members.";
  return "gradyn_search: struct_size is that of another gradyn. Compile the program again.";
}

bool gradyn_search_in_segments(const gradyn_search *search)
{
  return search->segments != 0 || search->segment_times != NULL;
}

bool gradyn_method_runs_segments(const char *method)
{
  static const char *const names[] = {"auto", "explicit", "radau"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], method) == 0)
      return true;
  return false;
}

bool gradyn_searched_has_point(const gradyn_search_result *result)
{
  return result->rho && result->psi && isfinite(result->objective);
}

/* Adds a member to item i of an array. If that fails, the array becomes NULL. */
static void put_into(json_t **array, size_t i, const char *key, json_t *value)
{
  json_t *item = json_array_get(*array, i);
  if (json_object_set_new(item, key, value) != 0) {
    json_decref(*array);
    *array = NULL;
  }
}

/* Adds parameters and functionals, with their values at the start and at the end. */
static void put_point(json_t **root, const gradyn_searched *s)
{
  const gradyn_search_result *result = s->result;
  const bool found = gradyn_searched_has_point(result);
  const size_t count = gradyn_functional_count(s->evaluator);
  /* without a result, the start is written */
  json_t *parameters = gradyn_account_parameters(s->evaluator, found ? result->rho : s->rho0,
                                                 s->vary);
  json_t *functionals = gradyn_account_functionals(s->evaluator, found ? result->psi : NULL,
                                                   found ? result->gradient : NULL);

  /* adds initial values to the final ones */
  for (size_t i = 0; i < gradyn_parameter_count(s->evaluator); i++) {
    put_into(&parameters, i, "initial", gradyn_json_number(s->rho0[i]));
    if (result->parameter_scale)
      put_into(&parameters, i, "scale", gradyn_json_number(result->parameter_scale[i]));
  }
  for (size_t i = 0; s->psi0 && i < count; i++)
    put_into(&functionals, i, "initial", gradyn_json_number(s->psi0[i]));
  /* multipliers of path constraints are with their samples */
  for (size_t i = 0; result->multiplier && found && i < count; i++) {
    const gradyn_functional_use use = gradyn_functional_at(s->evaluator, i).use;
    if (gradyn_use_constrains(use) && use != GRADYN_PATH_CONSTRAINT)
      put_into(&functionals, i, "multiplier", gradyn_json_number(result->multiplier[i]));
  }
  /* exact values of smooth maxima */
  for (size_t i = 0; result->extreme && i < count; i++)
    if (isfinite(result->extreme[i].value)) {
      put_into(&functionals, i, "largest", gradyn_json_number(result->extreme[i].value));
      put_into(&functionals, i, "t_largest", gradyn_json_number(result->extreme[i].t));
    }
  gradyn_json_put(root, "parameters", parameters);
  gradyn_json_put(root, "functionals", functionals);
}

/* Returns the bound of a path constraint: the datum name.upper of name.over, or name.lower of name.under.
 * null: there is no such datum. */
static json_t *bound_of(const gradyn_evaluator *evaluator, const char *side)
{
  const char *dot = strrchr(side, '.');
  if (dot == NULL)
    return json_null();
  const char *end = strcmp(dot, ".over") == 0 ? ".upper" : ".lower";
  const size_t length = (size_t)(dot - side);
  const size_t count = gradyn_evaluator_model_info(evaluator).data;
  for (size_t i = 0; i < count; i++) {
    const gradyn_datum_info datum = gradyn_datum_at(evaluator, i);
    if (strncmp(datum.name, side, length) == 0 && strcmp(datum.name + length, end) == 0)
      return gradyn_json_number(datum.value);
  }
  return json_null();
}

/* Returns the bounds of path constraints, with their values. */
static json_t *sides_of(const gradyn_evaluator *evaluator)
{
  json_t *sides = json_array();
  for (size_t i = 0; i < gradyn_functional_count(evaluator); i++) {
    const gradyn_functional_info info = gradyn_functional_at(evaluator, i);
    if (info.use != GRADYN_PATH_CONSTRAINT)
      continue;
    json_t *side = json_object();
    gradyn_json_put(&side, "functional", gradyn_json_text(info.name));
    gradyn_json_put(&side, "unit", gradyn_json_text(info.unit));
    gradyn_json_put(&side, "bound", bound_of(evaluator, info.name));
    gradyn_json_append(&sides, side);
  }
  return sides;
}

/* Adds the time points at which path constraints were enforced, with the rounds that added them. */
static void put_limits(json_t **root, const gradyn_searched *s)
{
  const gradyn_search_result *result = s->result;
  if (result->rounds == 0)
    return;
  json_t *limits = json_object(), *rows = json_array();
  gradyn_json_put(&limits, "rounds", json_integer(result->rounds));
  for (size_t i = 0; i < result->path_point_count; i++) {
    const gradyn_path_point *row = &result->path_points[i];
    const gradyn_functional_info side = gradyn_functional_at(s->evaluator, row->functional);
    json_t *item = json_object();
    gradyn_json_put(&item, "functional", gradyn_json_text(side.name));
    gradyn_json_put(&item, "t", gradyn_json_number(row->t));
    gradyn_json_put(&item, "value", gradyn_json_number(row->value));
    gradyn_json_put(&item, "multiplier", gradyn_json_number(row->multiplier));
    gradyn_json_put(&item, "round", json_integer(row->round));
    if (row->to > 0) {
      gradyn_json_put(&item, "from", gradyn_json_number(row->from));
      gradyn_json_put(&item, "to", gradyn_json_number(row->to));
    }
    gradyn_json_append(&rows, item);
  }
  gradyn_json_put(&limits, "bounds", sides_of(s->evaluator));
  gradyn_json_put(&limits, "points", rows);
  gradyn_json_put(root, "path_constraints", limits);
}

/* Adds the end time of the resulting motion, in place of the end time at the start. */
static void put_end_time(json_t **root, const gradyn_searched *s)
{
  if (!gradyn_searched_has_point(s->result))
    return;
  /* build() is not called again, because the recorded motion is still needed */
  gradyn_json_put(root, "t_end",
                  s->recorded ? gradyn_json_number(gradyn_evaluator_model_info(s->evaluator).t_end)
                              : gradyn_account_end_time(s->evaluator, s->result->rho));
}

const char *gradyn_searched_moved_most(const gradyn_searched *s)
{
  const size_t i = s->result->discretisation.functional;
  return i < gradyn_functional_count(s->evaluator) ? gradyn_functional_at(s->evaluator, i).name
                                                   : "objective";
}

/* Describes the recheck of the best point with a shorter step or a tighter tolerance. */
static json_t *describe_recheck(const gradyn_searched *s)
{
  const gradyn_discretisation_check *recheck = &s->result->discretisation;
  json_t *root = json_object();
  /* a shorter step or a tighter tolerance, depending on the method */
  const char *which = recheck->step > 0 ? "step" : "rtol";
  const double used = recheck->step > 0 ? recheck->step : recheck->rtol;
  const double use = recheck->step > 0 ? recheck->step_to_use : recheck->rtol_to_use;
  gradyn_json_put(&root, "status", json_string(gradyn_status_describe((int)recheck->status).name));
  gradyn_json_put(&root, which, gradyn_json_number(used));
  /* a failed recheck has no numbers */
  if (recheck->status != GRADYN_OK)
    return root;
  gradyn_json_put(&root, "objective", gradyn_json_number(recheck->objective));
  gradyn_json_put(&root, "functionals",
                  gradyn_json_numbers(recheck->psi, gradyn_functional_count(s->evaluator)));
  gradyn_json_put(&root, "change", gradyn_json_number(recheck->change));
  gradyn_json_put(&root, "changed_most", gradyn_json_text(gradyn_searched_moved_most(s)));
  gradyn_json_put(&root, recheck->step > 0 ? "step_to_use" : "rtol_to_use",
                  gradyn_json_number(use));
  return root;
}

/* Describes the point with rounded integer signals. */
static json_t *describe_rounded(const gradyn_searched *s)
{
  const gradyn_rounded *rounded = &s->result->rounded;
  json_t *root = json_object();
  gradyn_json_put(&root, "status", json_string(gradyn_status_describe((int)rounded->status).name));
  if (rounded->rho == NULL)
    return root;
  gradyn_json_put(&root, "objective", gradyn_json_number(rounded->objective));
  gradyn_json_put(&root, "violation", gradyn_json_number(rounded->violation));
  gradyn_json_put(&root, "deviation", gradyn_json_number(rounded->deviation));
  gradyn_json_put(&root, "bound", gradyn_json_number(rounded->bound));
  gradyn_json_put(&root, "signal",
                  gradyn_json_text(gradyn_signal_at(s->evaluator, rounded->signal).name));
  gradyn_json_put(&root, "parameters",
                  gradyn_account_parameters(s->evaluator, rounded->rho, s->vary));
  gradyn_json_put(&root, "functionals",
                  gradyn_account_functionals(s->evaluator, rounded->psi, NULL));
  return root;
}

/* Returns the findings about the termination, each with its subject and text. */
static json_t *findings_of(const char *reason)
{
  json_t *findings = json_array();
  gradyn_termination_line f = {.next = reason};
  while (gradyn_termination_next(&f)) {
    FREED char *subject = gradyn_format("%.*s", f.subject_length, f.subject);
    FREED char *text = gradyn_format("%.*s", f.length, f.text);
    json_t *item = json_object();
    gradyn_json_put(&item, "subject", subject ? gradyn_json_text(subject) : NULL);
    gradyn_json_put(&item, "text", text ? gradyn_json_text(text) : NULL);
    gradyn_json_append(&findings, item);
  }
  return findings;
}

void gradyn_account_result(json_t **root, const gradyn_searched *s)
{
  const gradyn_search_result *result = s->result;
  char reason[sizeof result->reason];
  memcpy(reason, result->reason, sizeof reason);
  gradyn_termination_join(reason);
  /* reason of a failure, in addition to the status */
  if (s->status != GRADYN_OK)
    gradyn_json_put(root, "message", gradyn_json_text(reason));
  put_algorithm(root, s->search);
  /* termination, then result and cost */
  gradyn_json_put(root, "termination", json_string(gradyn_termination_name(result->termination)));
  gradyn_json_put(root, "reason", gradyn_json_text(reason));
  gradyn_json_put(root, "findings", findings_of(result->reason));
  gradyn_json_put(root, "objective", gradyn_json_number(result->objective));
  if (s->search->objective)
    gradyn_json_put(root, "objective_name", gradyn_json_text(s->search->objective));
  gradyn_json_put(root, "initial_objective", gradyn_json_number(result->initial_objective));
  gradyn_json_put(root, "violation", gradyn_json_number(result->violation));
  gradyn_json_put(root, "projected_gradient", gradyn_json_number(result->projected_gradient));
  gradyn_json_put(root, "objective_scale", gradyn_json_number(result->objective_scale));
  gradyn_json_put(root, "evaluations", json_integer(result->evaluations));
  gradyn_json_put(root, "probes", json_integer(result->probes));
  gradyn_json_put(root, "rejected", json_integer(result->rejected));
  gradyn_json_put(root, "seconds", gradyn_json_number(result->seconds));
  put_point(root, s);
  put_limits(root, s);
  put_end_time(root, s);
  if (result->warm.text)
    gradyn_json_put(root, "warm_start", json_loads(result->warm.text, 0, NULL));
  if (result->discretisation.done)
    gradyn_json_put(root, "discretisation", describe_recheck(s));
  if (result->rounded.rho || result->rounded.status != GRADYN_OK)
    gradyn_json_put(root, "rounded", describe_rounded(s));
  gradyn_json_put(root, "chosen", gradyn_choices(s->evaluator, s->search));
  gradyn_account_statistics(root, s->evaluator);
  /* warnings of the search replace the warnings of the motion that was written last */
  json_t *warnings = json_array();
  for (size_t i = 0; i < result->warning_count; i++)
    gradyn_json_append(&warnings, gradyn_account_warning(&result->warnings[i]));
  gradyn_json_put(root, "warnings", warnings);
}
