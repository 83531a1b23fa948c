/* Tables and JSON of the covariances and standard deviations of fitted parameters. */
#include "cli/text/inference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/base/table.h"
#include "cli/text/json.h"

static const char *const kinds[] = {
    [GRADYN_ESTIMATE_DETERMINED] = "determined",
    [GRADYN_ESTIMATE_FIXED] = "fixed",
    [GRADYN_ESTIMATE_AT_LOWER] = "at lower bound",
    [GRADYN_ESTIMATE_AT_UPPER] = "at upper bound",
    [GRADYN_ESTIMATE_UNDETERMINED] = "not determined",
};

int cli_inference_suits(const cli_session *session, const gradyn_search *search)
{
  if (!(session->options->command->bit & CLI_FIT) || gradyn_search_fits(session->evaluator, search))
    return CLI_DONE;
  return cli_session_fail(session, GRADYN_UNSUPPORTED,
                          "problem %s: the objective is no fit to data; 'gradyn run' minimises any "
                          "objective",
                          session->name);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *parameters_json(const cli_session *session, const double rho[],
                               const gradyn_inference *s)
{
  json_t *array = json_array();
  for (size_t i = 0; i < s->parameters; i++) {
    json_t *item = json_object();
    if (s->kind[i] != GRADYN_ESTIMATE_FIXED) {
      cli_json_put(item, "name", cli_json_text(session->param[i].name));
      cli_json_put(item, "unit", cli_json_text(session->param[i].unit));
      cli_json_put(item, "kind", json_string(kinds[s->kind[i]]));
      cli_json_put(item, "value", gradyn_json_number(rho[i]));
      cli_json_put(item, "deviation", gradyn_json_number(s->deviation[i]));
      cli_json_put(item, "lower", gradyn_json_number(s->lower[i]));
      cli_json_put(item, "upper", gradyn_json_number(s->upper[i]));
      cli_json_append(array, item);
    } else {
      json_decref(item);
    }
  }
  return array;
}

/* Returns a matrix with the rows and columns of the parameters that are not fixed. */
static json_t *matrix_json(const gradyn_inference *s, const double matrix[])
{
  json_t *rows = json_array();
  for (size_t i = 0; i < s->parameters; i++) {
    if (s->kind[i] == GRADYN_ESTIMATE_FIXED)
      continue;
    json_t *row = json_array();
    for (size_t j = 0; j < s->parameters; j++)
      if (s->kind[j] != GRADYN_ESTIMATE_FIXED)
        cli_json_append(row, gradyn_json_number(matrix[i * s->parameters + j]));
    cli_json_append(rows, row);
  }
  return rows;
}

static json_t *undetermined_json(const cli_session *session, const gradyn_inference *s)
{
  json_t *array = json_array();
  for (size_t k = 0; k < s->directions; k++) {
    json_t *item = json_object(), *change = json_object();
    for (size_t j = 0; j < s->parameters; j++)
      if (s->direction[k].change[j] != 0)
        cli_json_put(change, session->param[j].name, gradyn_json_number(s->direction[k].change[j]));
    cli_json_put(item, "change", change);
    cli_json_put(item, "deviation", gradyn_json_number(s->direction[k].deviation));
    cli_json_append(array, item);
  }
  return array;
}

/* Returns the data and residuals of a fit, with the standard deviations at the estimates. */
static json_t *residuals_json(const cli_session *session, const gradyn_inference *s, size_t fit)
{
  static const char *const names[] = {"t", "u", "value", "deviation"};
  json_t *root = json_object(), *array[4];
  for (size_t k = 0; k < 4; k++)
    cli_json_put(root, names[k], array[k] = json_array());
  for (size_t i = fit; i < s->functionals; i++) {
    if (session->functional[i].use != GRADYN_RESIDUAL || session->functional[i].fit != fit)
      continue;
    const gradyn_functional_info info = gradyn_functional_at(session->evaluator, i);
    const double number[] = {info.time, s->u[i], info.value, info.deviation};
    for (size_t k = 0; k < 4; k++)
      cli_json_append(array[k], gradyn_json_number(number[k]));
  }
  return root;
}

/* Returns the name and unit of the measure of a fit. Both are empty if the fit has no data. */
static gradyn_functional_info first_datum(const cli_session *session, size_t fit)
{
  size_t i = fit;
  while (i < session->functionals &&
         (session->functional[i].use != GRADYN_RESIDUAL || session->functional[i].fit != fit))
    i++;
  return gradyn_functional_at(session->evaluator, i);
}

static json_t *fits_json(const cli_session *session, const gradyn_inference *s)
{
  json_t *array = json_array();
  for (size_t k = 0; k < s->fits; k++) {
    const gradyn_residual_tests *test = &s->tests[k];
    json_t *item = json_object();
    const gradyn_functional_info datum = first_datum(session, test->fit);
    cli_json_put(item, "name", cli_json_text(session->functional[test->fit].name));
    cli_json_put(item, "measure", cli_json_text(datum.measure));
    cli_json_put(item, "unit", cli_json_text(datum.measure_unit));
    if (datum.scale != 1 || datum.offset != 0 || datum.delay != 0) {
      cli_json_put(item, "scale", gradyn_json_number(datum.scale));
      cli_json_put(item, "offset", gradyn_json_number(datum.offset));
      cli_json_put(item, "delay", gradyn_json_number(datum.delay));
    }
    cli_json_put(item, "data", json_integer((json_int_t)test->count));
    cli_json_put(item, "square_sum", gradyn_json_number(test->square_sum));
    cli_json_put(item, "mean", gradyn_json_number(test->mean));
    cli_json_put(item, "correlation", gradyn_json_number(test->correlation));
    cli_json_put(item, "runs_probability", gradyn_json_number(test->runs_probability));
    cli_json_put(item, "normal_probability", gradyn_json_number(test->normal_probability));
    cli_json_put(item, "largest", cli_json_text(session->functional[test->largest].name));
    cli_json_put(item, "residuals", residuals_json(session, s, test->fit));
    cli_json_append(array, item);
  }
  return array;
}

json_t *cli_inference_json(const cli_session *session, const double rho[],
                           const gradyn_inference *s)
{
  json_t *root = json_object(), *functionals = json_object();
  cli_json_put(root, "data", json_integer((json_int_t)s->data));
  cli_json_put(root, "estimated", json_integer((json_int_t)s->estimated));
  cli_json_put(root, "objective", gradyn_json_number(s->objective));
  cli_json_put(root, "variance", gradyn_json_number(s->variance));
  cli_json_put(root, "degrees", gradyn_json_number(s->degrees));
  cli_json_put(root, "robust", json_boolean(s->robust));
  cli_json_put(root, "square_probability", gradyn_json_number(s->square_probability));
  cli_json_put(root, "parameters", parameters_json(session, rho, s));
  cli_json_put(root, "covariance", matrix_json(s, s->covariance));
  cli_json_put(root, "correlation", matrix_json(s, s->correlation));
  cli_json_put(root, "undetermined", undetermined_json(session, s));
  for (size_t i = 0; i < s->functionals; i++)
    if (session->functional[i].use != GRADYN_RESIDUAL)
      cli_json_put(functionals, session->functional[i].name,
                   gradyn_json_number(s->functional_deviation[i]));
  cli_json_put(root, "functional_deviations", functionals);
  cli_json_put(root, "fits", fits_json(session, s));
  return root;
}

/* --- bands ------------------------------------------------------------------------------------ */

/* Whether the covariance is known in all directions. Parameters at bounds are fixed there. */
static bool is_known(const gradyn_inference *s)
{
  for (size_t i = 0; i < s->parameters; i++)
    if (s->kind[i] == GRADYN_ESTIMATE_UNDETERMINED && isnan(s->deviation[i]))
      return false;
  return true;
}

/* Computes the bands along the run whose trajectory is written. With load cases, this is the first one. */
static gradyn_status find_bands(const cli_session *session, const gradyn_inference *s,
                                const double rho[], double psi[], gradyn_trajectory *trajectory,
                                gradyn_covariance *bands)
{
  const gradyn_case_info first = gradyn_case_at(session->evaluator, 0);
  gradyn_evaluator *ev = first.evaluator ? first.evaluator : session->evaluator;
  const size_t parameters = gradyn_parameter_count(ev);
  double *own = cli_take(parameters + 1, sizeof *own);
  const char **name = cli_take(parameters + 1, sizeof *name);
  size_t *index = cli_take(parameters + 1, sizeof *index), count = 0;
  for (size_t j = 0; j < parameters; j++) {
    const size_t i = first.parameter ? first.parameter[j] : j;
    own[j] = rho[i];
    if (!isfinite(s->deviation[i]))
      continue;
    name[count] = gradyn_parameter_at(ev, j).name;
    index[count++] = i;
  }
  double *matrix = cli_take(count * count + 1, sizeof *matrix);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      matrix[i * count + j] = s->covariance[index[i] * s->parameters + index[j]];
  const gradyn_covariance_spec spec = {
      .name = name, .count = count, .matrix = matrix, .samples = (size_t)session->options->samples};
  gradyn_status status = gradyn_covariance_compute(ev, own, &spec, first.evaluator ? NULL : psi,
                                                   trajectory, bands);
  if (status == GRADYN_OK && first.evaluator)
    status = gradyn_evaluator_simulate(session->evaluator, rho, psi, NULL);
  free(matrix);
  free(index);
  free((void *)name);
  free(own);
  return status;
}

gradyn_status cli_inference_simulate(const cli_session *session, const gradyn_inference *s,
                                     const double rho[], double psi[],
                                     gradyn_trajectory *trajectory, gradyn_covariance *bands)
{
  *bands = (gradyn_covariance){0};
  if (s->kind && is_known(s) && find_bands(session, s, rho, psi, trajectory, bands) == GRADYN_OK)
    return GRADYN_OK;
  gradyn_covariance_clear(bands);
  return gradyn_evaluator_simulate(session->evaluator, rho, psi, trajectory);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Adds a number to a row; "-" if the number is not defined. */
static void add_number(cli_table *table, double value)
{
  if (isfinite(value))
    cli_table_add(table, "%.6g", value);
  else
    cli_table_add(table, "-");
}

static void print_parameters(const cli_session *session, const double rho[],
                             const gradyn_inference *s)
{
  cli_table table = {.align = "lrrrrll"};
  cli_table_add(&table, "parameter|value|deviation|95 %% from|to|unit|");
  for (size_t i = 0; i < s->parameters; i++) {
    if (s->kind[i] == GRADYN_ESTIMATE_FIXED)
      continue;
    cli_table_add(&table, "%s|%.10g", session->param[i].name, rho[i]);
    add_number(&table, s->deviation[i]);
    add_number(&table, s->lower[i]);
    add_number(&table, s->upper[i]);
    cli_table_add(&table, "%s|%s", session->param[i].unit,
                  s->kind[i] == GRADYN_ESTIMATE_DETERMINED ? "" : kinds[s->kind[i]]);
  }
  (void)putchar('\n');
  cli_table_print(&table, "", stdout);
}

static void print_fits(const cli_session *session, const gradyn_inference *s)
{
  cli_table table = {.align = "lrrrrrl"};
  cli_table_add(&table, "fit|data|squares|correlation|P(runs)|P(normal)|largest");
  for (size_t k = 0; k < s->fits; k++) {
    const gradyn_residual_tests *test = &s->tests[k];
    cli_table_add(&table, "%s|%zu", session->functional[test->fit].name, test->count);
    add_number(&table, test->square_sum);
    add_number(&table, test->correlation);
    add_number(&table, test->runs_probability);
    add_number(&table, test->normal_probability);
    cli_table_add(&table, "%s", test->count > 0 ? session->functional[test->largest].name : "");
  }
  (void)putchar('\n');
  cli_table_print(&table, "", stdout);
}

/* Prints a line for undetermined direction k: its parameters, which change in these proportions. */
static void print_direction(const cli_session *session, const gradyn_inference *s, size_t k)
{
  const double *change = s->direction[k].change;
  double largest = 0;
  for (size_t j = 0; j < s->parameters; j++)
    largest = fmax(largest, fabs(change[j]));
  char text[480] = "";
  for (size_t j = 0; j < s->parameters; j++) {
    const size_t used = strlen(text);
    if (change[j] != 0 && fabs(change[j]) < largest)
      (void)snprintf(text + used, sizeof text - used, ", %s by %.3g", session->param[j].name,
                     change[j] / largest);
    else if (change[j] != 0)
      (void)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "",
                     session->param[j].name);
  }
  cli_say(stdout, "not determined    %s: %s\n", text,
          isinf(s->direction[k].deviation)   ? "the fit does not change along this direction"
          : isnan(s->direction[k].deviation) ? "no value within the bounds changes the fit by much"
                                             : "the interval is longer than the bounds");
}

void cli_inference_print(const cli_session *session, const double rho[], const gradyn_inference *s)
{
  print_parameters(session, rho, s);
  print_fits(session, s);
  (void)putchar('\n');
  for (size_t k = 0; k < s->directions; k++)
    print_direction(session, s, k);
  (void)printf("data              %zu, with %zu estimated; ", s->data, s->estimated);
  if (isfinite(s->degrees))
    (void)printf("variance of residuals %.6g\n", s->variance);
  else if (isfinite(s->square_probability))
    (void)printf("such a sum of squares or more has the probability %.3g\n", s->square_probability);
  else
    (void)printf("%s\n", s->robust ? "covariance by the sandwich" : "deviations are estimated");
}
