/* gradyn gradient: functionals and their derivatives by parameters, or with --all-data by all numbers of
 * the model.
 *
 * If the run passes a singular position, a change of some numbers makes this position impossible. By these
 * numbers there is no derivative; they are marked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/analysis.h>

#include "optim/study/effects.h"
#include "cli/commands/controls.h"
#include "cli/commands/search.h"
#include "cli/text/hessian.h"
#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/base/report.h"
#include "cli/text/reporter.h"
#include "cli/options/session.h"
#include "cli/text/show.h"
#include "cli/base/table.h"

/* Returns the effects in descending order, to be released with free(). */
static gradyn_effect *sort_effects(const cli_session *session, const double *row)
{
  gradyn_effect *effects = gradyn_effects_sort(session->evaluator, row, false);
  if (!effects)
    cli_no_memory();
  return effects;
}

/* Adds to each functional its derivatives by all data. The datum with the largest effect comes first. */
static void put_data(const cli_session *session, json_t *functionals, const double *gradient)
{
  size_t count = gradyn_evaluator_model_info(session->evaluator).data;
  /* each functional has its own order of data */
  for (size_t i = 0; i < session->functionals; i++) {
    gradyn_effect *effects = sort_effects(session, gradient + i * count);
    /* in descending order of effect */
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++) {
      json_t *item = json_object();
      cli_json_put(item, "name", cli_json_text(effects[k].datum.name));
      cli_json_put(item, "unit", cli_json_text(effects[k].datum.unit));
      cli_json_put(item, "value", gradyn_json_number(effects[k].datum.value));
      cli_json_put(item, "gradient", gradyn_json_number(effects[k].slope));
      cli_json_put(item, "scaled_gradient", gradyn_json_number(effects[k].scaled));
      cli_json_append(array, item);
    }
    cli_json_put(json_array_get(functionals, i), "data", array);
    free(effects);
  }
}

/* Functionals and their derivatives by the columns, which are parameters or data. */
typedef struct derivatives {
  bool all; /* columns are data instead of parameters */
  size_t columns;
  double *psi;      /* [functionals] */
  double *gradient; /* [functionals][columns] */
  bool *singular;   /* [columns], there is no derivative, because constraints become dependent */
  cli_hessian hessian;
} derivatives;

/* Whether the table needs a column of marks. */
static bool any_singular(const derivatives *d)
{
  for (size_t k = 0; k < d->columns; k++)
    if (d->singular[k])
      return true;
  return false;
}

/* Whether the datum with this name has no derivative. */
static bool is_singular(const cli_session *session, const derivatives *d, const char *name)
{
  /* found by name, because the table is sorted */
  for (size_t k = 0; k < d->columns; k++)
    if (d->singular[k] && strcmp(gradyn_datum_at(session->evaluator, k).name, name) == 0)
      return true;
  return false;
}

/* Returns the object of --json and of result.json. */
static json_t *describe(const cli_session *session, const derivatives *d)
{
  const double *psi = d->psi, *gradient = d->gradient;
  bool all = d->all;
  json_t *root = cli_json_session(session, GRADYN_OK);
  /* one object for each functional */
  json_t *functionals = cli_json_functionals(session, psi, all ? NULL : gradient);
  if (all)
    put_data(session, functionals, gradient);
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "functionals", functionals);
  /* names of the parameters or data by which there is no derivative */
  json_t *singular = json_array();
  for (size_t k = 0; k < d->columns; k++)
    if (d->singular[k])
      cli_json_append(singular, cli_json_text(all ? gradyn_datum_at(session->evaluator, k).name
                                                  : session->param[k].name));
  cli_json_put(root, "singular", singular);
  if (d->hessian.count > 0)
    cli_json_put(root, "hessian", cli_hessian_json(&d->hessian));
  cli_json_statistics(session, root);
  return root;
}

/* Prints a table with a row for each parameter and a column for each functional. */
static void print_gradient(const cli_session *session, const derivatives *d)
{
  const double *gradient = d->gradient;
  size_t p = session->parameters, f = session->functionals;
  bool marked = any_singular(d);
  /* characters: three columns, one for each functional, one for marks, and the terminator */
  char *align = cli_take(f + 5, 1);
  (void)snprintf(align, 4, "lrl");
  memset(align + 3, 'r', f);
  align[3 + f] = marked ? 'l' : '\0';
  cli_table table = {.align = align};

  cli_table_add(&table, "parameter|value|unit");
  for (size_t j = 0; j < f; j++)
    cli_table_add(&table, "d %s", session->functional[j].name);
  if (marked) /* the column of marks has an empty heading */
    cli_table_add(&table, "%s", "");
  for (size_t i = 0; i < p; i++) {
    cli_table_add(&table, "%s|%.10g|%s", session->param[i].name, session->rho[i],
                  session->param[i].unit);
    for (size_t j = 0; j < f; j++)
      cli_table_add(&table, "%.12g", gradient[j * p + i]);
    if (marked)
      cli_table_add(&table, "%s", d->singular[i] ? "singular" : "");
  }
  cli_table_print(&table, "", stdout);
  free(align);
  if (p == 0) {
    (void)puts("no parameters; --all-data shows the derivatives by the numbers of the model");
    return;
  }
  (void)puts("(derivatives in the functional's unit per unit of the parameter)");
  /* states that gradients are approximations */
  const char *kind = session->evaluation.sensitivity;
  char how[96];
  if (strcmp(kind, "adjoint") != 0 && strcmp(kind, "direct") != 0)
    (void)printf("(approximations: %s gradients)\n",
                 cli_show_sensitivity(&session->evaluation, how, sizeof how));
}

/* Prints a table for each functional. */
static void print_data(const cli_session *session, const derivatives *d)
{
  const double *gradient = d->gradient;
  bool marked = any_singular(d);
  size_t count = gradyn_evaluator_model_info(session->evaluator).data;
  for (size_t j = 0; j < session->functionals; j++) {
    /* in descending order of effect */
    const gradyn_functional_info *functional = &session->functional[j];
    gradyn_effect *effects = sort_effects(session, gradient + j * count);
    cli_table table = {.align = marked ? "lrlrrl" : "lrlrr"};
    cli_say(stdout, "%s%s: sensitivity to every number d of the model\n", j ? "\n" : "",
            functional->name);
    cli_table_add(&table, "datum|value d|unit|d %s / dd|times d [%s]", functional->name,
                  *functional->unit ? functional->unit : "1");
    if (marked)
      cli_table_add(&table, "%s", "");
    for (size_t k = 0; k < count; k++) {
      cli_table_add(&table, "%s|%.10g|%s|%.12g|%.6g", effects[k].datum.name, effects[k].datum.value,
                    effects[k].datum.unit, effects[k].slope, effects[k].scaled);
      if (marked)
        cli_table_add(&table, "%s",
                      is_singular(session, d, effects[k].datum.name) ? "singular" : "");
    }
    cli_table_print(&table, "", stdout);
    free(effects);
  }
}

/* Prints functionals, derivatives and notes. */
static void print_text(const cli_session *session, const derivatives *d)
{
  cli_show_functionals(session, d->psi, stdout);
  (void)putchar('\n');
  if (d->all)
    print_data(session, d);
  else
    print_gradient(session, d);
  /* the number in the table is not reliable if there is no derivative */
  if (any_singular(d))
    (void)puts(
        "singular: no derivative. The run passes a position with redundant constraints, which a\n"
        "change of this number alone makes impossible: functionals jump.");
  if (d->hessian.count > 0) {
    (void)putchar('\n');
    cli_hessian_print(session, &d->hessian, stdout);
  }
  if (!session->options->print.quiet)
    cli_show_statistics(session, stderr);
}

/* Prints the derivatives, and writes the result and the report. Prints before the report, because the
 * report needs further evaluations. */
static int show(const cli_session *session, gradyn_folder *study, const derivatives *d)
{
  json_t *root = describe(session, d);
  if (!session->options->print.json)
    print_text(session, d);
  return cli_reporter_conclude(session, study, root, NULL, true);
}

/* Writes costates.csv into the folder of --out. */
static int keep_costates(const cli_session *session, gradyn_folder *study)
{
  gradyn_costates costates;
  if (!session->options->out)
    return cli_session_fail(session, GRADYN_INVALID,
                            "--costates writes a file to the folder of --out: add --out DIR");
  gradyn_status status = gradyn_costates_compute(session->evaluator, NULL, session->rho, &costates);
  int result = status == GRADYN_OK ? CLI_DONE : cli_session_refuse(session, status);
  if (status == GRADYN_OK) {
    status = cli_controls_write_costates(study, "costates.csv", &costates);
    if (status != GRADYN_OK)
      result = cli_session_fail(session, status, "%s", study->message);
  }
  gradyn_costates_clear(&costates);
  return result;
}

/* Computes the derivatives by data or by parameters. */
static gradyn_status evaluate(const cli_session *session, derivatives *d)
{
  gradyn_evaluator *ev = session->evaluator;
  return d->all ? gradyn_evaluator_data_gradient(ev, session->rho, d->psi, d->gradient)
                : gradyn_evaluator_gradient(ev, session->rho, d->psi, d->gradient);
}

/* Finds the numbers by which there is no derivative. */
static void find_singular(const cli_session *session, derivatives *d)
{
  gradyn_status status = gradyn_evaluator_singular_data(
      session->evaluator, session->rho, d->all ? d->singular : NULL, d->all ? NULL : d->singular);
  if (status != GRADYN_OK)
    cli_session_note(session, "the run was not examined for singular positions: %s",
                     gradyn_evaluator_message(session->evaluator));
}

/* Computes second derivatives. This precedes the gradient, because the statistics that are printed are
 * those of the gradient. */
static int find_hessian(const cli_session *session, derivatives *d)
{
  const gradyn_search *given = &session->options->search;
  const char *objective = NULL;
  if (given->objective != NULL && !given->hessian)
    return cli_session_fail(session, GRADYN_INVALID,
                            "--objective %s: it has a meaning only with --hessian, because "
                            "gradients are printed for all functionals",
                            given->objective);
  if (!given->hessian)
    return CLI_DONE;
  if (d->all)
    return cli_session_fail(session, GRADYN_INVALID,
                            "--hessian and --all-data: mutually exclusive. Omit one of them");
  if (given->objective != NULL) {
    const int result = cli_search_choose_objective(session, given->objective, &objective);
    if (result != CLI_DONE)
      return result;
  }
  return cli_hessian_find(session, objective, &d->hessian);
}

/* Computes and prints the gradient, with marks where there is no derivative. */
static int differentiate(cli_session *session, gradyn_folder *study)
{ /* the columns are parameters or all data */
  derivatives d = {.all = session->options->all_data};
  d.columns = d.all ? gradyn_evaluator_model_info(session->evaluator).data : session->parameters;
  d.psi = cli_take(session->functionals, sizeof *d.psi);
  d.gradient = cli_take(session->functionals * d.columns, sizeof *d.gradient);
  d.singular = cli_take(d.columns, sizeof *d.singular);
  int result = session->options->folder.costates ? keep_costates(session, study) : CLI_DONE;
  if (result == CLI_DONE)
    result = find_hessian(session, &d);
  if (result == CLI_DONE) {
    const gradyn_status status = evaluate(session, &d);
    /* a second run finds positions with dependent constraints */
    if (status == GRADYN_OK)
      find_singular(session, &d);
    result = status == GRADYN_OK ? show(session, study, &d) : cli_session_refuse(session, status);
    if (status == GRADYN_OK)
      cli_session_warn(session->evaluator);
  }
  free(d.psi);
  free(d.gradient);
  free(d.singular);
  cli_hessian_free(&d.hessian);
  return result;
}

/* gradyn gradient: derivatives of all functionals by parameters or by every datum. */
int cli_gradient(const cli_options *options)
{
  return cli_study_with(options, differentiate);
}
