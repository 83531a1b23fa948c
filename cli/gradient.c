/* gradyn gradient: functionals and their sensitivities to parameters or to all data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/effects.h"
#include "cli/json.h"
#include "cli/memory.h"
#include "cli/plain.h"
#include "cli/report.h"
#include "cli/reporter.h"
#include "cli/session.h"
#include "cli/show.h"
#include "cli/table.h"

static void put_data(const cli_session *session, json_t *functionals, const double *gradient)
{
  size_t count = gradyn_data_count(session->evaluator);
  for (size_t i = 0; i < session->functionals; i++) {
    cli_effect *effects = cli_effects_sort(session->evaluator, gradient + i * count, false);
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

static json_t *describe(const cli_session *session, const double *psi, const double *gradient)
{
  bool all = session->options->all_data;
  json_t *root = cli_json_session(session, GRADYN_OK);
  json_t *functionals = cli_json_functionals(session, psi, all ? NULL : gradient);
  if (all)
    put_data(session, functionals, gradient);
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "functionals", functionals);
  cli_json_statistics(session, root);
  return root;
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
    cli_effect *effects = cli_effects_sort(session->evaluator, gradient + j * count, false);
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

/* People see the derivatives before the report takes a further evaluation or two. */
static int show(const cli_session *session, cli_study *study, const double *psi,
                const double *gradient)
{
  gradyn_status status = GRADYN_OK;
  char *report = NULL;
  json_t *root = describe(session, psi, gradient);
  if (!session->options->json)
    print_text(session, psi, gradient);
  if (session->options->out)
    status = cli_reporter_once(session, study, json_incref(root), NULL, true, &report);
  if (session->options->json) {
    if (status != GRADYN_OK)
      cli_json_blame(root, status, study->message);
    cli_json_print(json_incref(root));
  } else if (report) {
    cli_say(stdout, "report: %s\n", report);
  }
  free(report);
  json_decref(root);
  return status == GRADYN_OK ? CLI_DONE : cli_report(false, NULL, NULL, status, study->message);
}

static int differentiate(const cli_session *session, cli_study *study)
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
  else
    result = show(session, study, psi, gradient);
  if (status == GRADYN_OK)
    cli_session_warn(session->evaluator);
  free(psi);
  free(gradient);
  return result;
}

int cli_gradient(const cli_options *options)
{
  cli_session session;
  cli_study study = {.folder = NULL};
  int result = cli_session_open(&session, options);
  if (result == CLI_DONE)
    result = cli_study_open_given(&study, &session);
  if (result == CLI_DONE)
    result = differentiate(&session, &study);
  cli_study_close(&study);
  cli_session_close(&session);
  return result;
}
