/* gradyn gradient: functionals and their sensitivities to parameters or to all data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/memory.h"
#include "cli/plain.h"
#include "cli/session.h"
#include "cli/show.h"
#include "cli/table.h"

/* A datum with its sensitivity. */
typedef struct effect {
  gradyn_datum_info datum;
  double slope;  /* dpsi/dd */
  double scaled; /* d * dpsi/dd, unit of psi */
} effect;

/* Largest effect first; among data that are zero the largest slope. */
static int compare(const void *left, const void *right)
{
  const effect *a = left, *b = right;
  double by_scaled = fabs(b->scaled) - fabs(a->scaled), by_slope = fabs(b->slope) - fabs(a->slope);
  if (by_scaled != 0)
    return by_scaled > 0 ? 1 : -1;
  if (by_slope != 0)
    return by_slope > 0 ? 1 : -1;
  return strcmp(a->datum.name, b->datum.name);
}

/* effects [data] of one functional from its row of the gradient [data], sorted. */
static effect *sort_effects(const cli_session *session, const double *row)
{
  size_t count = gradyn_data_count(session->evaluator);
  effect *effects = cli_take(count, sizeof *effects);
  for (size_t i = 0; i < count; i++) {
    effects[i].datum = gradyn_datum_at(session->evaluator, i);
    effects[i].slope = row[i];
    effects[i].scaled = effects[i].datum.value * row[i];
  }
  qsort(effects, count, sizeof *effects, compare);
  return effects;
}

static void put_data(const cli_session *session, json_t *functionals, const double *gradient)
{
  size_t count = gradyn_data_count(session->evaluator);
  for (size_t i = 0; i < session->functionals; i++) {
    effect *effects = sort_effects(session, gradient + i * count);
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++) {
      json_t *item = json_object();
      cli_json_put(item, "name", cli_json_text(effects[k].datum.name));
      cli_json_put(item, "unit", cli_json_text(effects[k].datum.unit));
      cli_json_put(item, "value", cli_json_number(effects[k].datum.value));
      cli_json_put(item, "gradient", cli_json_number(effects[k].slope));
      cli_json_put(item, "scaled_gradient", cli_json_number(effects[k].scaled));
      cli_json_append(array, item);
    }
    cli_json_put(json_array_get(functionals, i), "data", array);
    free(effects);
  }
}

static void print_json(const cli_session *session, const double *psi, const double *gradient)
{
  bool all = session->options->all_data;
  json_t *root = cli_json_session(session, GRADYN_OK);
  json_t *functionals = cli_json_functionals(session, psi, all ? NULL : gradient);
  if (all)
    put_data(session, functionals, gradient);
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "functionals", functionals);
  cli_json_statistics(session, root);
  cli_json_print(root);
}

/* One row a parameter, one column a functional. */
static void print_gradient(const cli_session *session, const double *gradient)
{
  size_t p = session->parameters, f = session->functionals;
  char *align = cli_take(f + 4, 1);
  (void)snprintf(align, 4, "lrl");
  memset(align + 3, 'r', f);
  cli_table table = {.align = align};

  cli_table_add(&table, "parameter");
  cli_table_add(&table, "value");
  cli_table_add(&table, "unit");
  for (size_t j = 0; j < f; j++)
    cli_table_add(&table, "d %s", session->functional[j].name);
  for (size_t i = 0; i < p; i++) {
    cli_table_add(&table, "%s", session->param[i].name);
    cli_table_add(&table, "%.10g", session->rho[i]);
    cli_table_add(&table, "%s", session->param[i].unit);
    for (size_t j = 0; j < f; j++)
      cli_table_add(&table, "%.12g", gradient[j * p + i]);
  }
  cli_table_print(&table, "", stdout);
  free(align);
  (void)puts("(derivatives in the functional's unit per unit of the parameter)");
  const char *kind = session->march.sensitivity;
  char how[96];
  if (strcmp(kind, "adjoint") != 0 && strcmp(kind, "direct") != 0)
    (void)printf("(approximations: %s gradients)\n",
                 cli_show_sensitivity(&session->march, how, sizeof how));
}

static void print_data(const cli_session *session, const double *gradient)
{
  size_t count = gradyn_data_count(session->evaluator);
  for (size_t j = 0; j < session->functionals; j++) {
    const gradyn_functional_info *functional = &session->functional[j];
    effect *effects = sort_effects(session, gradient + j * count);
    cli_table table = {.align = "lrlrr"};
    cli_say(stdout, "%s%s: sensitivity to every number d of the model\n", j ? "\n" : "",
            functional->name);
    cli_table_add(&table, "datum");
    cli_table_add(&table, "value d");
    cli_table_add(&table, "unit");
    cli_table_add(&table, "d %s / dd", functional->name);
    cli_table_add(&table, "times d [%s]", *functional->unit ? functional->unit : "1");
    for (size_t k = 0; k < count; k++) {
      cli_table_add(&table, "%s", effects[k].datum.name);
      cli_table_add(&table, "%.10g", effects[k].datum.value);
      cli_table_add(&table, "%s", effects[k].datum.unit);
      cli_table_add(&table, "%.12g", effects[k].slope);
      cli_table_add(&table, "%.6g", effects[k].scaled);
    }
    cli_table_print(&table, "", stdout);
    free(effects);
  }
}

static void print_text(const cli_session *session, const double *psi, const double *gradient)
{
  cli_show_functionals(session, psi, stdout);
  (void)putchar('\n');
  if (session->options->all_data)
    print_data(session, gradient);
  else
    print_gradient(session, gradient);
  if (!session->options->quiet)
    cli_show_statistics(session, stderr);
}

static int differentiate(const cli_session *session)
{
  bool all = session->options->all_data;
  size_t columns = all ? gradyn_data_count(session->evaluator) : session->parameters;
  double *psi = cli_take(session->functionals, sizeof *psi); /* [functionals] */
  double *gradient = cli_take(session->functionals * columns, sizeof *gradient);
  gradyn_status status = all ? gradyn_data_gradient(session->evaluator, session->rho, psi, gradient)
                             : gradyn_gradient(session->evaluator, session->rho, psi, gradient);
  int result = CLI_DONE;
  if (status != GRADYN_OK)
    result = cli_session_refuse(session, status);
  else if (session->options->json)
    print_json(session, psi, gradient);
  else
    print_text(session, psi, gradient);
  if (status == GRADYN_OK)
    cli_session_warn(session->evaluator);
  free(psi);
  free(gradient);
  return result;
}

int cli_gradient(const cli_options *options)
{
  cli_session session;
  int result = cli_session_open(&session, options);
  if (result == CLI_DONE)
    result = differentiate(&session);
  cli_session_close(&session);
  return result;
}
