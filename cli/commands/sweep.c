/* gradyn sweep: evaluations at many points.
 *
 * The points form a grid, on which the last range varies fastest, or fill the ranges evenly (--points).
 * Each point is an evaluation with its index in a journal, whichever process computes it. The table is
 * written at the end, from the journals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/csv.h"
#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/commands/campaign.h"
#include "cli/commands/resume.h"
#include "cli/base/table.h"

typedef struct sweep {
  cli_campaign campaign;
  gradyn_range *range; /* [spec.range_count], owned */
  gradyn_sweep_spec spec;
  gradyn_sweep_result result;
} sweep;

/* --- Options ------------------------------------------------------------------------------------ */

/* Parses a number that the character `stop` follows, and skips both. Returns false if there is no such
 * number. */
static bool take_number(const char **text, char stop, double *value)
{
  char *end = NULL;
  *value = strtod(*text, &end);
  const bool good = end != *text && *end == stop && isfinite(*value);
  *text = good && stop ? end + 1 : end; /* stop 0 is the end of the text, which is not skipped */
  return good;
}

/* Parses "NAME=A:B:N", or "NAME=A:B" if the points are not on a grid. */
static int take_range(sweep *s, const char *text)
{
  const cli_session *session = &s->campaign.session;
  const size_t length = strcspn(text, "=");
  const char *rest = text + length + (text[length] == '=');
  const bool grid = session->options->many.points == 0; /* N in A:B:N */
  double count = 1;
  size_t j = 0;
  /* the whole name is compared, so that u does not match u[3] */
  while (j < session->parameters && (strncmp(session->param[j].name, text, length) != 0 ||
                                     session->param[j].name[length] != '\0'))
    j++;
  if (j == session->parameters)
    return cli_session_fail(session, GRADYN_INVALID,
                            "--over '%s': no parameter is called '%.*s'; 'gradyn info' lists them",
                            text, (int)length, text);
  gradyn_range range = {.parameter = j, .count = 1};
  bool good = take_number(&rest, ':', &range.from);
  /* without a grid, the number of points N is optional */
  if (good && (grid || strchr(rest, ':')))
    good = take_number(&rest, ':', &range.to) && take_number(&rest, '\0', &count);
  else if (good)
    good = take_number(&rest, '\0', &range.to);
  if (!good || count < 1 || count > 1e9 || count != floor(count))
    return cli_session_fail(session, GRADYN_INVALID,
                            "--over '%s': write NAME=A:B:N, for example --over mass=1:3:11", text);
  range.count = (size_t)count;
  s->range = cli_grow(s->range, s->spec.range_count + 1, sizeof *s->range);
  s->range[s->spec.range_count++] = range;
  return CLI_DONE;
}

/* Converts the options into the specification of the sweep. */
static int choose(cli_campaign *c)
{
  sweep *s = (sweep *)c;
  const cli_session *session = &c->session;
  const cli_options *given = session->options;
  c->message = s->result.message;
  if (session->parameters == 0)
    return cli_session_fail(session, GRADYN_INVALID,
                            "problem %s: no parameters; a sweep varies at least one",
                            session->name);
  int result = CLI_DONE;
  /* ranges are in the order of the options, so that the last one varies fastest */
  for (size_t i = 0; i < given->choice_count && result == CLI_DONE; i++)
    if (given->choice[i].kind == 'o')
      result = take_range(s, given->choice[i].text);
  /* the message has an example that is valid for this problem */
  if (result == CLI_DONE && s->spec.range_count == 0)
    result = cli_session_fail(
        session, GRADYN_INVALID,
        "--over: missing; give a parameter and its range, for example --over %s=%g:%g:11",
        session->param[0].name, session->rho[0] - session->param[0].scale,
        session->rho[0] + session->param[0].scale);
  s->spec.range = s->range;
  s->spec.points = (size_t)given->many.points;
  s->spec.gradient = given->many.gradient;
  s->spec.workers = &s->campaign.workers.workers;
  if (result == CLI_DONE)
    result = cli_workers_choose(session, "points", &s->campaign.workers);
  if (result == CLI_DONE)
    result = cli_workers_seed(session, &s->spec.seed);
  if (result == CLI_DONE)
    result = cli_resume_durability(session, &s->spec.durability);
  return result;
}

/* --- Folder ------------------------------------------------------------------------------------- */

/* Returns the contents of settings.json, which resuming and the report need. */
static json_t *settings(const cli_campaign *c)
{
  const sweep *s = (const sweep *)c;
  const cli_session *session = &c->session;
  json_t *root = cli_json_session(session, GRADYN_OK), *over = json_array();
  for (size_t i = 0; i < s->spec.range_count; i++) {
    const gradyn_range *range = &s->range[i];
    json_t *item = json_object(); /* the range as on the command line */
    cli_json_put(item, "parameter", cli_json_text(session->param[range->parameter].name));
    cli_json_put(item, "from", gradyn_json_number(range->from));
    cli_json_put(item, "to", gradyn_json_number(range->to));
    cli_json_put(item, "count", json_integer((json_int_t)range->count));
    cli_json_append(over, item);
  }
  cli_json_put(root, "over", over);
  cli_json_put(root, "points", json_integer((json_int_t)s->spec.points));
  cli_json_put(root, "seed", json_integer((json_int_t)s->spec.seed));
  cli_json_put(root, "gradient", json_boolean(s->spec.gradient));
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  /* optima in the study of --from are marked among the points of the page */
  json_t *optima = json_object_get(session->from, "optima");
  if (optima)
    cli_json_put(root, "optima", json_incref(optima));
  cli_json_command_line(session, root);
  return root;
}

/* --- Results ------------------------------------------------------------------------------------ */

/* Writes the heading of sweep.csv. */
static void write_heading(const sweep *s, FILE *file)
{
  const cli_session *session = &s->campaign.session;
  /* all parameters are written, not only those with ranges, so that a row can be evaluated again */
  (void)fputs("point,status", file);
  gradyn_heading_parameters(file, session->evaluator);
  gradyn_heading_functionals(file, session->evaluator);
  /* gradients come last, because they have many columns */
  for (size_t i = 0; s->spec.gradient && i < session->functionals; i++)
    for (size_t j = 0; j < session->parameters; j++) {
      char *name = cli_text("d %s / d %s", session->functional[i].name, session->param[j].name);
      (void)fputc(',', file);
      gradyn_csv_text(file, name);
      free(name);
    }
  (void)fputc('\n', file);
}

/* Writes a line for each evaluated point, including those that failed. */
static gradyn_status write_csv(sweep *s)
{
  const gradyn_sweep_result *result = &s->result;
  /* p: number of parameters, f: of functionals */
  const size_t p = s->campaign.session.parameters, f = s->campaign.session.functionals;
  gradyn_file file;
  GRADYN_TRY(gradyn_folder_begin(&s->campaign.study, &file, "sweep.csv"));
  write_heading(s, file.stream);
  for (size_t i = 0; i < result->count; i++) {
    if (result->status[i] == GRADYN_INTERRUPTED)
      continue;
    (void)fprintf(file.stream, "%zu,%s", i, gradyn_status_describe((int)result->status[i]).name);
    gradyn_csv_numbers(file.stream, result->rho + i * p, p);
    gradyn_csv_numbers(file.stream, result->psi + i * f, f);
    if (result->gradient)
      gradyn_csv_numbers(file.stream, result->gradient + i * f * p, f * p);
    (void)fputc('\n', file.stream);
  }
  return gradyn_folder_end(&s->campaign.study, &file, GRADYN_OK);
}

/* Finds the points with the smallest and the largest value of functional k. Returns false if no point has a
 * value. */
static bool extremes(const sweep *s, size_t k, size_t *least, size_t *largest)
{
  const gradyn_sweep_result *result = &s->result;
  const size_t f = s->campaign.session.functionals;
  bool found = false;
  for (size_t i = 0; i < result->count; i++) {
    const double value = result->psi[i * f + k];
    /* failed and missing points have no value */
    if (isnan(value))
      continue;
    if (!found || value < result->psi[*least * f + k])
      *least = i;
    if (!found || value > result->psi[*largest * f + k])
      *largest = i;
    found = true;
  }
  return found;
}

/* Returns the value of functional k at point i, and the point. */
static json_t *point_json(const sweep *s, size_t k, size_t i)
{
  const size_t p = s->campaign.session.parameters, f = s->campaign.session.functionals;
  json_t *item = json_object();
  cli_json_put(item, "value", gradyn_json_number(s->result.psi[i * f + k]));
  cli_json_put(item, "parameters", cli_json_numbers(s->result.rho + i * p, p));
  return item;
}

/* Adds a line to the printed table. */
static void add_extreme(const sweep *s, cli_table *table, const char *which, size_t k, size_t i)
{
  const cli_session *session = &s->campaign.session;
  cli_table_add(table, "%s|%s|%.10g", session->functional[k].name, which,
                s->result.psi[i * session->functionals + k]);
  char at[256] = "";
  /* the point is described by the parameters that have ranges */
  for (size_t r = 0; r < s->spec.range_count; r++) {
    const size_t j = s->range[r].parameter, used = strlen(at);
    (void)snprintf(at + used, sizeof at - used, "%s%s = %.6g", r > 0 ? ", " : "",
                   session->param[j].name, s->result.rho[i * session->parameters + j]);
  }
  cli_table_add(table, "%s", at);
}

/* Returns the result as JSON, and fills the table that is printed. */
static json_t *result_json(const sweep *s, gradyn_status status, size_t failed, cli_table *table)
{
  const cli_session *session = &s->campaign.session;
  json_t *root = cli_json_session(session, status), *functionals = json_array();
  /* the table gets its cells in the order of the members */
  cli_table_add(table,
                "functional||value|at"); /* headings: functional, which extreme, value, point */
  for (size_t k = 0; k < session->functionals; k++) {
    size_t least = 0, largest = 0;
    json_t *item = json_object();
    cli_json_put(item, "name", cli_json_text(session->functional[k].name));
    if (extremes(s, k, &least, &largest)) {
      add_extreme(s, table, "least", k, least);
      add_extreme(s, table, "largest", k, largest);
      cli_json_put(item, "least", point_json(s, k, least));
      cli_json_put(item, "largest", point_json(s, k, largest));
    }
    cli_json_append(functionals, item);
  }
  cli_json_put(root, "functionals", functionals);
  cli_json_put(root, "points", json_integer((json_int_t)s->result.count));
  cli_json_put(root, "failed", json_integer((json_int_t)failed));
  cli_json_put(root, "missing", json_integer((json_int_t)s->result.missing));
  cli_json_put(root, "folder", cli_json_text(s->campaign.study.path));
  return root;
}

/* Writes the files and the page, and prints the results. */
static int finish(cli_campaign *c, gradyn_status status)
{
  sweep *s = (sweep *)c;
  const gradyn_sweep_result *result = &s->result;
  const cli_options *given = c->session.options;
  cli_table table = {.align = "llrl"};
  /* without results there is no table to write */
  if (!result->psi || status == GRADYN_INVALID ||
      (status == GRADYN_IO && result->missing == result->count))
    return cli_session_fail(&c->session, status, "%s", result->message);
  size_t failed = 0;
  /* counts points that failed; the sweep itself continues */
  for (size_t i = 0; i < result->count; i++)
    failed += result->status[i] != GRADYN_OK && result->status[i] != GRADYN_INTERRUPTED;
  gradyn_status written = write_csv(s);
  /* with --shard, points are missing until the last shard has ended */
  if (result->missing > 0 && status == GRADYN_OK)
    status = GRADYN_INTERRUPTED;
  const bool over = cli_workers_over(&c->workers, &status);
  json_t *root = result_json(s, status, failed, &table);
  if (written == GRADYN_OK)
    written = gradyn_folder_json(&c->study, "result.json", json_incref(root));
  /* standard output has either the object or the table */
  cli_table_print(&table, "", given->print.json ? stderr : stdout);
  if (!given->print.json)
    (void)printf("%zu points, %zu failed, %zu missing\n", result->count, failed, result->missing);
  return cli_campaign_conclude(
      c, root, written, status,
      *result->message ? result->message
      : over           ? "the time limit was reached: 'gradyn resume' computes the missing points"
      : given->many.shard ? "points of other parts are missing: 'gradyn resume' computes "
                            "points that belong to no part"
                          : "points are missing: 'gradyn resume' computes them");
}

/* Runs all points; a helper runs its share of them. */
static gradyn_status work(cli_campaign *c)
{
  sweep *s = (sweep *)c;
  s->spec.folder = c->folder;
  return gradyn_sweep(c->session.evaluator, &s->spec, c->session.rho, &s->result);
}

/* gradyn sweep: computes values, and gradients if requested, on a grid or a sequence of points. */
int cli_sweep(const cli_options *options)
{
  static const cli_campaign_ops ops = {"-sweep", "points", choose, settings, work, finish};
  sweep s = {.range = NULL};
  const int result = cli_campaign_run(options, &ops, &s.campaign);
  gradyn_sweep_result_clear(&s.result);
  free(s.range);
  return result;
}
