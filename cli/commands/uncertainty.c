/* gradyn uncertainty: mean and variance of functionals, and Sobol indices, from uncertain numbers.
 *
 * The library computes them (gradyn_uncertainty_compute()). This file has the folder and the output. The
 * folder has settings.json, uncertainty.csv, result.json, journals of the evaluations, and points.csv with
 * the unscented points as load cases. To resume, the same command line runs again in the same folder. */
#include <math.h>
#include <string.h>

#include "core/files/csv.h"
#include "cli/base/memory.h"
#include "cli/base/table.h"
#include "cli/commands/campaign.h"
#include "cli/commands/resume.h"
#include "cli/text/json.h"

typedef struct uncertainty {
  cli_campaign campaign;
  gradyn_uncertainty_spec spec;
  gradyn_uncertainty result;
} uncertainty;

static const char *const kinds[] = {
    [GRADYN_MOMENTS_FIRST] = "first order",
    [GRADYN_MOMENTS_SECOND] = "second order",
    [GRADYN_MOMENTS_UNSCENTED] = "unscented",
    [GRADYN_MOMENTS_SAMPLED] = "draws",
};

/* --- options ---------------------------------------------------------------------------------- */

/* Refuses options that the library would refuse only after the folder has been created. */
static int check(const cli_session *session)
{
  const cli_many *given = &session->options->many;
  gradyn_uncertainty first;
  if (given->indices && given->points == 0)
    return cli_session_fail(session, GRADYN_INVALID,
                            "--indices: there are no draws; give their number by --points N");
  if (given->points > 0 && given->points < 16)
    return cli_session_fail(session, GRADYN_INVALID,
                            "--points %ld: at least 16 draws are needed for their errors",
                            given->points);
  const gradyn_status status = gradyn_uncertainty_compute(
      session->evaluator, &(gradyn_uncertainty_spec){.second = false}, session->rho, &first);
  const int result = status == GRADYN_OK ? CLI_DONE
                                         : cli_session_fail(session, status, "%s", first.message);
  gradyn_uncertainty_clear(&first);
  return result;
}

static int choose(cli_campaign *c)
{
  uncertainty *u = (uncertainty *)c;
  const cli_options *given = c->session.options;
  c->message = u->result.message;
  u->spec = (gradyn_uncertainty_spec){.second = true,
                                      .unscented = true,
                                      .points = (size_t)given->many.points,
                                      .random = given->many.random,
                                      .indices = given->many.indices,
                                      .workers = &c->workers.workers};
  int result = cli_workers_choose(&c->session, "points", &c->workers);
  if (result == CLI_DONE)
    result = check(&c->session);
  if (result == CLI_DONE)
    result = cli_workers_seed(&c->session, &u->spec.seed);
  if (result == CLI_DONE)
    result = cli_resume_durability(&c->session, &u->spec.durability);
  return result;
}

static json_t *settings(const cli_campaign *c)
{
  const uncertainty *u = (const uncertainty *)c;
  json_t *root = cli_json_session(&c->session, GRADYN_OK);
  cli_json_put(root, "points", json_integer((json_int_t)u->spec.points));
  cli_json_put(root, "random", json_boolean(u->spec.random));
  cli_json_put(root, "indices", json_boolean(u->spec.indices));
  cli_json_put(root, "seed", json_integer((json_int_t)u->spec.seed));
  cli_json_put(root, "parameters", cli_json_parameters(&c->session, c->session.rho));
  cli_json_command_line(&c->session, root);
  return root;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Returns whether the result has a kind of moments. */
static bool has(const gradyn_uncertainty *result, int kind)
{
  bool any = false;
  for (size_t k = 0; k < result->functionals; k++)
    any = any || !isnan(result->moments[kind][k].mean);
  return any;
}

/* Writes points.csv, a table of load cases for --cases. */
static gradyn_status write_cases(cli_campaign *c, const gradyn_cases *cases)
{
  gradyn_file file;
  GRADYN_TRY(gradyn_folder_begin(&c->study, &file, "points.csv"));
  (void)fputs("case", file.stream);
  for (size_t i = 0; i < cases->column_count; i++) {
    (void)fputc(',', file.stream);
    gradyn_csv_text(file.stream, cases->columns[i]);
  }
  for (size_t row = 0; row < cases->count; row++) {
    (void)fprintf(file.stream, "\n%s", cases->names[row]);
    gradyn_csv_numbers(file.stream, cases->values + row * cases->column_count, cases->column_count);
  }
  (void)fputc('\n', file.stream);
  return gradyn_folder_end(&c->study, &file, GRADYN_OK);
}

/* Writes uncertainty.csv with a row for each functional and each kind of moments. */
static gradyn_status write_csv(cli_campaign *c)
{
  const gradyn_uncertainty *result = &((const uncertainty *)c)->result;
  gradyn_file file;
  if (result->cases)
    GRADYN_TRY(write_cases(c, result->cases));
  GRADYN_TRY(gradyn_folder_begin(&c->study, &file, "uncertainty.csv"));
  (void)fputs("functional,unit,from,mean,variance,mean_error,variance_error", file.stream);
  for (size_t i = 0; i < result->count; i++) {
    char *name = cli_text("change by %s", result->number[i].name);
    (void)fputc(',', file.stream);
    gradyn_csv_text(file.stream, name);
    free(name);
  }
  (void)fputc('\n', file.stream);
  for (size_t k = 0; k < result->functionals; k++)
    for (int kind = 0; kind < GRADYN_MOMENTS_KINDS; kind++) {
      const gradyn_moments *m = &result->moments[kind][k];
      if (!has(result, kind))
        continue;
      gradyn_csv_text(file.stream, c->session.functional[k].name);
      (void)fputc(',', file.stream);
      gradyn_csv_text(file.stream, c->session.functional[k].unit);
      (void)fprintf(file.stream, ",%s", kinds[kind]);
      gradyn_csv_numbers(
          file.stream, (const double[]){m->mean, m->variance, m->mean_error, m->variance_error}, 4);
      gradyn_csv_numbers(file.stream, result->change + k * result->count, result->count);
      (void)fputc('\n', file.stream);
    }
  return gradyn_folder_end(&c->study, &file, GRADYN_OK);
}

static json_t *moments_json(const gradyn_moments *m)
{
  json_t *item = json_object();
  cli_json_put(item, "mean", gradyn_json_number(m->mean));
  cli_json_put(item, "variance", gradyn_json_number(m->variance));
  cli_json_put(item, "mean_error", gradyn_json_number(m->mean_error));
  cli_json_put(item, "variance_error", gradyn_json_number(m->variance_error));
  return item;
}

/* Returns the effect of uncertain number i on functional k. */
static json_t *effect_json(const uncertainty *u, size_t k, size_t i)
{
  const gradyn_uncertainty *result = &u->result;
  const size_t at = k * result->count + i;
  const gradyn_sobol_index *index[] = {&result->main_index[at], &result->total_index[at]};
  static const char *const name[] = {"main", "total"};
  json_t *item = json_object();
  cli_json_put(item, "number", cli_json_text(result->number[i].name));
  cli_json_put(item, "change", gradyn_json_number(result->change[at]));
  for (int which = 0; which < 2 && u->spec.indices; which++) {
    json_t *pair = json_object();
    cli_json_put(pair, "value", gradyn_json_number(index[which]->value));
    cli_json_put(pair, "error", gradyn_json_number(index[which]->error));
    cli_json_put(item, name[which], pair);
  }
  return item;
}

static json_t *functional_json(const uncertainty *u, size_t k)
{
  static const char *const members[] = {"first", "second", "unscented", "sampled"};
  const gradyn_uncertainty *result = &u->result;
  const gradyn_functional_info *info = &u->campaign.session.functional[k];
  json_t *item = json_object(), *effects = json_array();
  cli_json_put(item, "name", cli_json_text(info->name));
  cli_json_put(item, "unit", cli_json_text(info->unit));
  cli_json_put(item, "value", gradyn_json_number(result->value[k]));
  for (int kind = 0; kind < GRADYN_MOMENTS_KINDS; kind++)
    if (has(result, kind))
      cli_json_put(item, members[kind], moments_json(&result->moments[kind][k]));
  for (size_t i = 0; i < result->count; i++)
    cli_json_append(effects, effect_json(u, k, i));
  cli_json_put(item, "effects", effects);
  return item;
}

/* Adds the members of --json and of result.json. */
static void fill(const cli_campaign *c, json_t *root)
{
  static const char *const distributions[] = {"normal", "uniform"};
  const uncertainty *u = (const uncertainty *)c;
  const gradyn_uncertainty *result = &u->result;
  json_t *numbers = json_array(), *functionals = json_array();
  for (size_t i = 0; i < result->count; i++) {
    const gradyn_uncertain_number *number = &result->number[i];
    json_t *item = json_object();
    cli_json_put(item, "name", cli_json_text(number->name));
    cli_json_put(item, "unit", cli_json_text(number->unit));
    cli_json_put(item, "distribution", json_string(distributions[number->distribution]));
    cli_json_put(item, "mean", gradyn_json_number(number->mean));
    cli_json_put(item, "deviation", gradyn_json_number(number->deviation));
    cli_json_append(numbers, item);
  }
  for (size_t k = 0; k < result->functionals; k++)
    cli_json_append(functionals, functional_json(u, k));
  cli_json_put(root, "parameters", cli_json_parameters(&c->session, c->session.rho));
  cli_json_put(root, "uncertain", numbers);
  cli_json_put(root, "uncertainty", functionals);
  cli_json_put(root, "points", json_integer((json_int_t)result->points));
  cli_json_put(root, "evaluations", json_integer((json_int_t)result->evaluations));
  cli_json_put(root, "missing", json_integer((json_int_t)result->missing));
  cli_json_put(root, "failed", json_integer((json_int_t)result->failed));
  cli_json_put(root, "failure", cli_json_text(result->failure));
  cli_json_put(root, "unsupported", cli_json_text(result->unsupported));
}

/* --- output ----------------------------------------------------------------------------------- */

static void print_moments(const uncertainty *u, FILE *file)
{
  const gradyn_uncertainty *result = &u->result;
  cli_table table = {.align = "llrrrrl"};
  cli_table_add(&table, "functional|from|mean|error|deviation|error|unit");
  for (size_t k = 0; k < result->functionals; k++)
    for (int kind = 0; kind < GRADYN_MOMENTS_KINDS; kind++) {
      const gradyn_moments *m = &result->moments[kind][k];
      const double deviation = sqrt(m->variance);
      if (!has(result, kind))
        continue;
      cli_table_add(&table, "%s|%s|%.8g", u->campaign.session.functional[k].name, kinds[kind],
                    m->mean);
      if (kind == GRADYN_MOMENTS_SAMPLED)
        cli_table_add(&table, "%.2g|%.6g|%.2g", m->mean_error, deviation,
                      m->variance_error / (2 * deviation));
      else
        cli_table_add(&table, "|%.6g|", deviation);
      cli_table_add(&table, "%s", u->campaign.session.functional[k].unit);
    }
  cli_table_print(&table, "", file);
}

/* Prints the effect of each number: the change by one deviation, the share of the variance to first order,
 * and the indices. */
static void print_effects(const uncertainty *u, FILE *file)
{
  const gradyn_uncertainty *result = &u->result;
  cli_table table = {.align = u->spec.indices ? "llrrrrrr" : "llrr"};
  cli_table_add(&table, "functional|number|change by one deviation|share");
  if (u->spec.indices)
    cli_table_add(&table, "index|error|total index|error");
  for (size_t k = 0; k < result->functionals; k++)
    for (size_t i = 0; i < result->count; i++) {
      const size_t at = k * result->count + i;
      const double change = result->change[at],
                   variance = result->moments[GRADYN_MOMENTS_FIRST][k].variance;
      cli_table_add(&table, "%s|%s|%.6g|%.4f", u->campaign.session.functional[k].name,
                    result->number[i].name, change, variance > 0 ? change * change / variance : 0);
      if (u->spec.indices)
        cli_table_add(&table, "%.4f|%.1g|%.4f|%.1g", result->main_index[at].value,
                      result->main_index[at].error, result->total_index[at].value,
                      result->total_index[at].error);
    }
  cli_table_print(&table, "", file);
}

static void print(const cli_campaign *c, FILE *file)
{
  const uncertainty *u = (const uncertainty *)c;
  const gradyn_uncertainty *result = &u->result;
  print_moments(u, file);
  (void)fputc('\n', file);
  print_effects(u, file);
  if (*result->unsupported)
    (void)fprintf(file, "no second order: %s\n", result->unsupported);
  (void)fprintf(file, "%zu evaluations of points, %zu failed, %zu missing\n", result->evaluations,
                result->failed, result->missing);
  if (result->failed > 0)
    (void)fprintf(file, "moments are computed from the other points; the first failure: %s\n",
                  result->failure);
}

static int finish(cli_campaign *c, gradyn_status status)
{
  gradyn_uncertainty *result = &((uncertainty *)c)->result;
  const bool known = status == GRADYN_OK || result->evaluations > 0;
  return cli_campaign_finish(c, status,
                             &(cli_campaign_results){!known, result->message,
                                                     sizeof result->message, fill, write_csv,
                                                     print});
}

static gradyn_status work(cli_campaign *c)
{
  uncertainty *u = (uncertainty *)c;
  u->spec.folder = c->folder;
  return gradyn_uncertainty_compute(c->session.evaluator, &u->spec, c->session.rho, &u->result);
}

int cli_uncertainty(const cli_options *options)
{
  static const cli_campaign_ops ops = {"-uncertainty", "points", choose, settings, work, finish};
  uncertainty u = {.result = {.functionals = 0}};
  const int result = cli_campaign_run(options, &ops, &u.campaign);
  gradyn_uncertainty_clear(&u.result);
  return result;
}
