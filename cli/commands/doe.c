/* gradyn doe: optimal times and weights of measurements (design of experiments). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gradyn/inference.h>

#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/base/table.h"
#include "cli/options/session.h"
#include "cli/text/json.h"
#include "cli/text/reporter.h"
#include "core/files/csv.h"

/* Data for the output files and the printed report. */
typedef struct experiment {
  const cli_session *session;
  gradyn_experiment_spec spec;
  gradyn_experiment result;
} experiment;

static const char *const letters[] = {[GRADYN_EXPERIMENT_D] = "D", [GRADYN_EXPERIMENT_A] = "A"};

/* --- output ----------------------------------------------------------------------------------- */

static void print_supports(const experiment *e)
{
  cli_table table = {.align = "lrrr"};
  cli_table_add(&table, "fit|t in s|weight|measurements");
  for (size_t k = 0; k < e->result.supports; k++) {
    const gradyn_experiment_support *s = &e->result.support[k];
    cli_table_add(&table, "%s|%.8g|%.6f|%zu", e->session->functional[s->fit].name, s->time,
                  s->weight, s->number);
  }
  cli_table_print(&table, "", stdout);
}

static void print_deviations(const experiment *e)
{
  const gradyn_experiment *r = &e->result;
  cli_table table = {.align = "lrrl"};
  cli_table_add(&table, "parameter|deviation|from the data|unit");
  for (size_t i = 0; i < r->parameters; i++)
    if (!isnan(r->scale[i]))
      cli_table_add(&table, "%s|%.6g|%.6g|%s", e->session->param[i].name, r->deviation[i],
                    r->data_deviation[i], e->session->param[i].unit);
  (void)puts("");
  cli_table_print(&table, "", stdout);
}

static void print_undetermined(const experiment *e)
{
  for (size_t k = 0; k < e->result.directions; k++) {
    const char *before = "\nno candidate determines: ";
    for (size_t i = 0; i < e->result.parameters; i++)
      if (e->result.direction[k].change[i] != 0) {
        cli_say(stdout, "%s%s", before, e->session->param[i].name);
        before = ", ";
      }
  }
  if (e->result.directions > 0)
    (void)puts("");
}

static void print(const experiment *e)
{
  const gradyn_experiment *r = &e->result;
  print_supports(e);
  print_deviations(e);
  print_undetermined(e);
  cli_say(stdout, "\n%s-optimal: %zu measurements, %zu candidates, equivalence gap %.2g\n",
          letters[e->spec.criterion], r->measurements, r->candidates, r->gap);
  cli_say(stdout, "efficiency with whole numbers of measurements %.4f", r->rounded_efficiency);
  if (!isnan(r->data_efficiency))
    cli_say(stdout, ", of the present %zu data %.4f", r->data, r->data_efficiency);
  cli_say(
      stdout, "%s\n",
      r->weighted
          ? ""
          : "\nstandard deviations of the parameters are for data with the standard deviation 1");
}

/* --- files ------------------------------------------------------------------------------------ */

/* Writes experiment.csv with a row for each support, a time at which to measure. */
static void write_csv(FILE *file, void *about)
{
  const experiment *e = about;
  (void)fputs("fit,t [s],weight,measurements\n", file);
  for (size_t k = 0; k < e->result.supports; k++) {
    const gradyn_experiment_support *s = &e->result.support[k];
    gradyn_csv_text(file, e->session->functional[s->fit].name);
    gradyn_csv_numbers(file, (const double[]){s->time, s->weight, (double)s->number}, 3);
    (void)fputc('\n', file);
  }
}

static json_t *supports_json(const experiment *e)
{
  json_t *array = json_array();
  for (size_t k = 0; k < e->result.supports; k++) {
    const gradyn_experiment_support *s = &e->result.support[k];
    json_t *item = json_object();
    cli_json_put(item, "fit", cli_json_text(e->session->functional[s->fit].name));
    cli_json_put(item, "t", gradyn_json_number(s->time));
    cli_json_put(item, "weight", gradyn_json_number(s->weight));
    cli_json_put(item, "measurements", json_integer((json_int_t)s->number));
    cli_json_append(array, item);
  }
  return array;
}

static json_t *deviations_json(const experiment *e)
{
  const gradyn_experiment *r = &e->result;
  json_t *array = json_array();
  for (size_t i = 0; i < r->parameters; i++) {
    if (isnan(r->scale[i]))
      continue;
    json_t *item = json_object();
    cli_json_put(item, "name", cli_json_text(e->session->param[i].name));
    cli_json_put(item, "unit", cli_json_text(e->session->param[i].unit));
    cli_json_put(item, "deviation", gradyn_json_number(r->deviation[i]));
    cli_json_put(item, "data_deviation", gradyn_json_number(r->data_deviation[i]));
    cli_json_put(item, "scale", gradyn_json_number(r->scale[i]));
    cli_json_append(array, item);
  }
  return array;
}

static json_t *undetermined_json(const experiment *e)
{
  json_t *array = json_array();
  for (size_t k = 0; k < e->result.directions; k++) {
    json_t *change = json_object();
    for (size_t i = 0; i < e->result.parameters; i++)
      if (e->result.direction[k].change[i] != 0)
        cli_json_put(change, e->session->param[i].name,
                     gradyn_json_number(e->result.direction[k].change[i]));
    cli_json_append(array, change);
  }
  return array;
}

/* Returns the object of --json and of result.json. */
static json_t *describe(const experiment *e)
{
  const gradyn_experiment *r = &e->result;
  json_t *root = cli_json_session(e->session, GRADYN_OK);
  cli_json_put(root, "parameters", cli_json_parameters(e->session, e->session->rho));
  cli_json_put(root, "optimal", json_string(letters[e->spec.criterion]));
  cli_json_put(root, "criterion", gradyn_json_number(r->criterion));
  cli_json_put(root, "gap", gradyn_json_number(r->gap));
  cli_json_put(root, "candidates", json_integer((json_int_t)r->candidates));
  cli_json_put(root, "data", json_integer((json_int_t)r->data));
  cli_json_put(root, "measurements", json_integer((json_int_t)r->measurements));
  cli_json_put(root, "supports", supports_json(e));
  cli_json_put(root, "deviations", deviations_json(e));
  cli_json_put(root, "weighted", json_boolean(r->weighted));
  cli_json_put(root, "data_efficiency", gradyn_json_number(r->data_efficiency));
  cli_json_put(root, "rounded_efficiency", gradyn_json_number(r->rounded_efficiency));
  cli_json_put(root, "undetermined", undetermined_json(e));
  if (e->session->options->out)
    cli_json_put(root, "folder", cli_json_text(e->session->options->out));
  return root;
}

/* --- command ---------------------------------------------------------------------------------- */

/* Reads the criterion of --criterion: D or A. */
static int choose(experiment *e)
{
  const cli_many *given = &e->session->options->many;
  size_t k = 0;
  while (given->criterion && k < 2 && strcmp(given->criterion, letters[k]) != 0)
    k++;
  e->spec = (gradyn_experiment_spec){.criterion = (gradyn_experiment_criterion)k,
                                     .candidates = (size_t)given->candidates,
                                     .measurements = (size_t)given->measurements,
                                     .fixed_times = given->fixed_times};
  return k < 2 ? CLI_DONE
               : cli_session_fail(e->session, GRADYN_INVALID, "--criterion %s: must be D or A",
                                  given->criterion);
}

static int find(cli_session *session, gradyn_folder *study)
{
  experiment e = {.session = session};
  gradyn_search search;
  gradyn_search_default(session->evaluator, &search);
  search.vary = session->vary;
  int result = choose(&e);
  if (result == CLI_DONE) {
    const gradyn_status status = gradyn_experiment_compute(session->evaluator, &search, &e.spec,
                                                           session->rho, &e.result);
    result = status == GRADYN_OK ? CLI_DONE : cli_session_refuse(session, status);
  }
  /* writes the file first, because the object names its folder */
  if (result == CLI_DONE && session->options->out)
    result = cli_session_keep(session, "experiment.csv", write_csv, &e);
  if (result == CLI_DONE && !session->options->print.json)
    print(&e);
  if (result == CLI_DONE)
    result = cli_reporter_conclude(session, study, describe(&e), NULL, false);
  if (result == CLI_DONE)
    cli_session_warn(session->evaluator);
  gradyn_experiment_clear(&e.result);
  return result;
}

/* gradyn doe: which measurements determine the parameters best. */
int cli_doe_command(const cli_options *options)
{
  return cli_study_with(options, find);
}
