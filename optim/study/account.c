/* Results of a computation.
 *
 * Every object begins with version, command, problem and status. Numbers that are not finite become null.
 * Bytes that are not UTF-8 are removed from texts. */
#include "optim/study/account.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/files/json.h"
#include "core/files/text.h"
#include "core/problems/cases.h"
#include "core/files/upgrade.h"
#include "optim/study/options.h"

json_t *gradyn_account_begin(const char *command, const char *problem, gradyn_status status)
{
  /* version and command first, so that a reader can select the format */
  json_t *root = json_object();
  gradyn_json_put(&root, "gradyn", json_string(gradyn_version()));
  gradyn_json_put(&root, "format", json_integer(GRADYN_FILE_FORMAT));
  gradyn_json_put(&root, "command", gradyn_json_text(command));
  if (problem)
    gradyn_json_put(&root, "problem", gradyn_json_text(problem));
  gradyn_json_put(&root, "status", json_string(gradyn_status_describe((int)status).name));
  return root;
}

json_t *gradyn_account_settings(const gradyn_evaluator *evaluator)
{
  const gradyn_problem *problem = evaluator->problem;
  json_t *settings = json_object();
  /* defaults, then the values that replace them */
  for (size_t i = 0; i < problem->setting_count; i++)
    gradyn_json_put(&settings, problem->settings[i].name, json_integer(problem->settings[i].init));
  for (size_t i = 0; i < evaluator->setting_count; i++)
    gradyn_json_put(&settings, evaluator->settings[i].name,
                    json_integer(evaluator->settings[i].value));
  return settings;
}

/* Returns the values of a load case by their columns. Values that are not given are left out. */
static json_t *case_values(const gradyn_cases *cases, size_t row)
{
  json_t *item = json_object();
  for (size_t i = 0; i < cases->column_count; i++) {
    const double value = gradyn_cases_value(cases, row, i);
    if (!isnan(value))
      gradyn_json_put(&item, cases->columns[i], gradyn_json_number(value));
  }
  return item;
}

json_t *gradyn_account_cases(const gradyn_evaluator *evaluator)
{
  json_t *array = json_array();
  const size_t count = gradyn_evaluator_model_info(evaluator).cases;
  for (size_t k = 0; k < count; k++) {
    const gradyn_case_info info = gradyn_case_at(evaluator, k);
    json_t *item = json_object();
    gradyn_json_put(&item, "name", gradyn_json_text(info.name));
    gradyn_json_put(&item, "weight", gradyn_json_number(info.weight));
    gradyn_json_put(&item, "values", case_values(evaluator->problem->cases, k));
    gradyn_json_append(&array, item);
  }
  return array;
}

json_t *gradyn_account_end_time(gradyn_evaluator *evaluator, const double *rho)
{
  double t_end = NAN;
  const gradyn_status status = gradyn_evaluator_preview(evaluator, rho, &t_end, NULL, NULL);
  return status == GRADYN_NO_MEMORY ? NULL : gradyn_json_number(status == GRADYN_OK ? t_end : NAN);
}

void gradyn_account_evaluation(json_t **root, const gradyn_evaluator *evaluator,
                               const gradyn_options *evaluation, double t_end)
{
  gradyn_options_report(root, evaluation);
  gradyn_json_put(root, "t_end", gradyn_json_number(t_end));
  gradyn_json_put(root, "settings", gradyn_account_settings(evaluator));
  if (gradyn_evaluator_model_info(evaluator).cases > 0)
    gradyn_json_put(root, "cases", gradyn_account_cases(evaluator));
}

json_t *gradyn_account_parameters(const gradyn_evaluator *evaluator, const double *rho,
                                  const bool *vary)
{
  json_t *array = json_array();
  for (size_t i = 0; i < gradyn_parameter_count(evaluator); i++) {
    const gradyn_parameter_info param = gradyn_parameter_at(evaluator, i);
    json_t *item = json_object();
    gradyn_json_put(&item, "name", gradyn_json_text(param.name));
    gradyn_json_put(&item, "unit", gradyn_json_text(param.unit));
    gradyn_json_put(&item, "value", gradyn_json_number(rho[i]));
    gradyn_json_put(&item, "lower", gradyn_json_number(param.lower));
    gradyn_json_put(&item, "upper", gradyn_json_number(param.upper));
    gradyn_json_put(&item, "role", json_string(gradyn_role_name(param.role)));
    gradyn_json_put(&item, "fixed", json_boolean(vary ? !vary[i] : param.fixed));
    if (param.logarithmic)
      gradyn_json_put(&item, "logarithmic", json_true());
    if (param.prior_deviation > 0) {
      gradyn_json_put(&item, "prior", gradyn_json_number(param.prior));
      gradyn_json_put(&item, "prior_deviation", gradyn_json_number(param.prior_deviation));
    }
    gradyn_json_append(&array, item);
  }
  return array;
}

/* Returns the name of the use of a functional. */
static const char *use_name(gradyn_functional_use use)
{
  static const char *const name[] = {[GRADYN_MONITORED] = "monitored",
                                     [GRADYN_OBJECTIVE] = "objective",
                                     [GRADYN_LARGEST] = "largest",
                                     [GRADYN_EQUAL] = "equal",
                                     [GRADYN_AT_MOST] = "at-most",
                                     [GRADYN_AT_LEAST] = "at-least",
                                     [GRADYN_PATH_CONSTRAINT] = "path-constraint",
                                     [GRADYN_RESIDUAL] = "residual",
                                     [GRADYN_LOG_SIGMA] = "log-sigma"};
  return (size_t)use < sizeof name / sizeof name[0] ? name[use] : "unknown";
}

json_t *gradyn_account_functionals(const gradyn_evaluator *evaluator, const double *psi,
                                   const double *gradient)
{
  const size_t parameters = gradyn_parameter_count(evaluator);
  json_t *array = json_array();
  for (size_t i = 0; i < gradyn_functional_count(evaluator); i++) {
    const gradyn_functional_info functional = gradyn_functional_at(evaluator, i);
    json_t *item = json_object();
    gradyn_json_put(&item, "name", gradyn_json_text(functional.name));
    gradyn_json_put(&item, "unit", gradyn_json_text(functional.unit));
    gradyn_json_put(&item, "use", json_string(use_name(functional.use)));
    /* members that exist for this use only */
    if (functional.use == GRADYN_OBJECTIVE || functional.use == GRADYN_LARGEST)
      gradyn_json_put(&item, "weight", gradyn_json_number(functional.weight));
    if (functional.use >= GRADYN_EQUAL) { /* all uses from here on are constraints */
      gradyn_json_put(&item, "bound", gradyn_json_number(functional.bound));
      gradyn_json_put(&item, "tolerance", gradyn_json_number(functional.tolerance));
    }
    if (psi)
      gradyn_json_put(&item, "value", gradyn_json_number(psi[i]));
    if (gradient)
      gradyn_json_put(&item, "gradient",
                      gradyn_json_numbers(gradient + i * parameters, parameters));
    gradyn_json_append(&array, item);
  }
  return array;
}

json_t *gradyn_account_warning(const gradyn_warning *w)
{
  json_t *item = json_object();
  gradyn_json_put(&item, "code", json_sprintf("W%02d", (int)w->code));
  gradyn_json_put(&item, "name", json_string(gradyn_warning_describe(w->code).name));
  gradyn_json_put(&item, "subject", gradyn_json_text(w->subject));
  gradyn_json_put(&item, "t", gradyn_json_number(w->t));
  gradyn_json_put(&item, "value", gradyn_json_number(w->value));
  gradyn_json_put(&item, "limit", gradyn_json_number(w->limit));
  gradyn_json_put(&item, "unit", gradyn_json_text(w->unit));
  gradyn_json_put(&item, "suggestion", gradyn_json_number(w->suggestion));
  gradyn_json_put(&item, "count", json_integer(w->count));
  gradyn_json_put(&item, "text", gradyn_json_text(w->text));
  return item;
}

json_t *gradyn_account_warnings(const gradyn_warnings *warnings)
{
  json_t *array = json_array();
  for (size_t i = 0; i < warnings->count; i++) {
    const gradyn_warning w = gradyn_warnings_at(warnings, i);
    gradyn_json_append(&array, gradyn_account_warning(&w));
  }
  return array;
}

/* Returns a number; NAN if it is null or missing. */
static double number_of(const json_t *item, const char *key)
{
  const json_t *value = json_object_get(item, key);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

void gradyn_account_read_warnings(const json_t *array, gradyn_warnings *out)
{
  size_t i;
  json_t *item;
  json_array_foreach(array, i, item)
  {
    const char *code = json_string_value(json_object_get(item, "code"));
    const gradyn_warning w = {.code = (gradyn_warning_code)(code ? atoi(code + (*code == 'W')) : 0),
                              .t = number_of(item, "t"),
                              .value = number_of(item, "value"),
                              .limit = number_of(item, "limit"),
                              .suggestion = number_of(item, "suggestion"),
                              .count = json_integer_value(json_object_get(item, "count")),
                              .subject = json_string_value(json_object_get(item, "subject")),
                              .unit = json_string_value(json_object_get(item, "unit"))};
    if (gradyn_warning_find((int)w.code) != NULL)
      gradyn_warnings_add(out, &w);
  }
}

/* Returns the impulses of the constraints at event i. Constraints without an impulse are left out. */
static json_t *impulses_of(const gradyn_mech *mech, const double *impulse)
{
  json_t *array = json_array();
  for (int k = 0; k < mech->m; k++) {
    if (impulse[k] == 0)
      continue;
    json_t *item = json_object();
    gradyn_json_put(&item, "constraint", gradyn_json_text(mech->constraint_name(mech, k)));
    gradyn_json_put(&item, "impulse", gradyn_json_number(impulse[k]));
    gradyn_json_append(&array, item);
  }
  return array;
}

json_t *gradyn_account_event(const gradyn_evaluator *evaluator, size_t i)
{
  const gradyn_event_record e = gradyn_event_log_at(evaluator, i);
  const gradyn_model *model = evaluator->model;
  const gradyn_mech *mech = model->mech;
  json_t *item = json_object();
  gradyn_json_put(&item, "t", gradyn_json_number(e.t));
  gradyn_json_put(&item, "event", gradyn_json_text(e.name));
  gradyn_json_put(&item, "occurrence", json_integer(e.occurrence));
  gradyn_json_put(&item, "approach", gradyn_json_number(e.approach));
  gradyn_json_put(&item, "rebound", gradyn_json_number(e.rebound));
  gradyn_json_put(&item, "impulse", gradyn_json_number(mech ? e.impulse : (double)NAN));
  gradyn_json_put(&item, "energy_lost", gradyn_json_number(mech ? e.energy_lost : (double)NAN));
  if (mech)
    gradyn_json_put(&item, "impulses", impulses_of(mech, model->log.impulse + i * (size_t)mech->m));
  if (model->modes.count > 0)
    gradyn_json_put(&item, "mode", gradyn_json_text(model->modes.name[e.mode - 1]));
  return item;
}

json_t *gradyn_account_events(const gradyn_evaluator *evaluator)
{
  json_t *events = json_array();
  for (size_t i = 0; i < gradyn_evaluator_statistics(evaluator).events; i++)
    gradyn_json_append(&events, gradyn_account_event(evaluator, i));
  return events;
}

/* Adds the derivative that has the largest error of a gradient. */
static void put_derivative(json_t **cost, const gradyn_exactness *exactness)
{
  if (!(exactness->error > 0))
    return;
  gradyn_json_put(cost, "derivative_error", gradyn_json_number(exactness->error));
  gradyn_json_put(cost, "derivative_unit", gradyn_json_text(exactness->unit));
  gradyn_json_put(cost, "derivative_functional", gradyn_json_text(exactness->functional));
  gradyn_json_put(cost, "derivative_by", gradyn_json_text(exactness->by));
}

/* Adds cost and warnings of the last evaluation. */
void gradyn_account_statistics(json_t **root, const gradyn_evaluator *evaluator)
{
  /* times come last, because they differ from run to run */
  gradyn_statistics s = gradyn_evaluator_statistics(evaluator);
  json_t *cost = json_object(), *seconds = json_object();
  gradyn_json_put(&cost, "method", gradyn_json_text(s.method));
  if (gradyn_evaluator_options(evaluator).coordinates)
    gradyn_json_put(&cost, "coordinates",
                    gradyn_json_text(gradyn_evaluator_model_info(evaluator).chosen));
  if (s.simulations > 0) /* number of simulations for gradients by differences */
    gradyn_json_put(&cost, "simulations", json_integer(s.simulations));
  /* work of the run */
  gradyn_json_put(&cost, "steps", json_integer(s.steps));
  gradyn_json_put(&cost, "steps_backward", json_integer(s.steps_backward));
  gradyn_json_put(&cost, "newton_iterations", json_integer(s.newton_iterations));
  gradyn_json_put(&cost, "residual_calls", json_integer(s.residual_calls));
  gradyn_json_put(&cost, "factorisations", json_integer(s.factorisations));
  gradyn_json_put(&cost, "arcs", json_integer(s.arcs));
  /* drift of constraints, then error of the gradient */
  gradyn_json_put(&cost, "constraint_drift", gradyn_json_number(s.drift_position));
  gradyn_json_put(&cost, "constraint_rate_drift", gradyn_json_number(s.drift_velocity));
  gradyn_json_put(&cost, "constraint_acceleration_drift", gradyn_json_number(s.drift_acceleration));
  if (s.gradient_error > 0)
    gradyn_json_put(&cost, "gradient_error", gradyn_json_number(s.gradient_error));
  put_derivative(&cost, &evaluator->exactness);
  /* times have a separate object: all other members are reproducible */
  gradyn_json_put(root, "warnings", gradyn_account_warnings(&evaluator->warnings));
  if (gradyn_evaluator_statistics(evaluator).events >
      0) /* a run without events has no such member */
    gradyn_json_put(root, "events", gradyn_account_events(evaluator));
  gradyn_json_put(root, "statistics", cost);
  gradyn_json_put(&seconds, "simulate_s", gradyn_json_number(s.time_simulate));
  gradyn_json_put(&seconds, "gradient_s", gradyn_json_number(s.time_gradient));
  gradyn_json_put(root, "time", seconds);
}

const char *gradyn_role_name(gradyn_parameter_role role)
{
  static const char *const name[] = {[GRADYN_DESIGN] = "design",
                                     [GRADYN_CONTROL] = "control",
                                     [GRADYN_INITIAL_STATE] = "initial-state",
                                     [GRADYN_TIME] = "time"};
  return (size_t)role < sizeof name / sizeof name[0] ? name[role] : "unknown";
}
