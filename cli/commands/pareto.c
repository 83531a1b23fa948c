/* gradyn pareto: a front between two functionals.
 *
 * The library computes the front (gradyn_pareto()). This file has the options, the folder (settings.json,
 * pareto.csv, result.json, journals of the searches) and the output. To resume a front, the same command
 * line runs again in the same folder. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/csv.h"
#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/text/outcome.h"
#include "cli/commands/campaign.h"
#include "cli/commands/search.h"
#include "cli/base/table.h"
#include "core/base/nearest.h"

enum { DEFAULT_POINTS = 11 };

typedef struct pareto {
  cli_campaign campaign;
  gradyn_search search;
  gradyn_pareto_spec spec;
  gradyn_pareto_result result;
} pareto;

/* --- Options ---------------------------------------------------------------------------------- */

/* Returns the index of the functional with the given name [length], or the number of functionals if there
 * is none. */
static size_t find(const cli_session *session, const char *name, size_t length)
{
  size_t i = 0;
  while (i < session->functionals && (strncmp(session->functional[i].name, name, length) != 0 ||
                                      session->functional[i].name[length] != '\0'))
    i++;
  return i;
}

/* Parses "F,G", the names of two functionals. Names may contain commas. */
static int take_objectives(pareto *r)
{
  const cli_session *session = &r->campaign.session;
  const char *text = session->options->front.objectives;
  const size_t none = session->functionals;
  /* without this option the message shows an example */
  if (none < 2)
    return cli_session_fail(session, GRADYN_INVALID,
                            "problem %s: %zu functionals; a front is between two of them",
                            session->name, none);
  if (!text)
    return cli_session_fail(
        session, GRADYN_INVALID,
        "--objectives: missing; name two functionals, for example --objectives %s,%s",
        session->functional[0].name, session->functional[1].name);
  size_t first = none, second = none; /* equal to `none` until found */
  /* any comma can be the one between the names */
  for (const char *comma = text; (comma = strchr(comma, ',')) != NULL; comma++) {
    first = find(session, text, (size_t)(comma - text));
    second = find(session, comma + 1, strlen(comma + 1));
    if (first < none && second < none && first != second)
      break;
  }
  /* wrong names are reported below */
  r->spec.first = first;
  r->spec.second = second;
  if (first < none && second < none && first != second)
    return CLI_DONE;
  /* reports the unknown name, or that both names are the same */
  const char *comma = strchr(text, ',');
  const size_t before = comma ? (size_t)(comma - text) : strlen(text);
  /* the first name is right, so that the second is wrong */
  const bool second_is = comma && find(session, text, before) < none;
  const char *wrong = second_is ? comma + 1 : text;
  const size_t length = second_is ? strlen(wrong) : before;
  char *name = cli_text("%.*s", (int)length, wrong);
  gradyn_nearest nearest = {.requested = name};
  for (size_t i = 0; i < none; i++)
    gradyn_nearest_try(&nearest, session->functional[i].name);
  const bool known = find(session, name, length) < none;
  const int result = cli_session_fail(
      session, GRADYN_INVALID, "--objectives '%s': %s%s%s%s%s%s", text,
      known ? "give two different functionals, as in F,G" : "no functional is called '",
      known ? "" : name, known ? "" : "'", !known && nearest.best ? " (did you mean '" : "",
      !known && nearest.best ? nearest.best : "", !known && nearest.best ? "'?)" : "");
  free(name);
  return result;
}

/* Parses "A:B", the range of limits on the second functional. */
static int take_range(pareto *r)
{
  const cli_session *session = &r->campaign.session;
  const char *text = session->options->front.second_at_most;
  char *end = NULL;
  r->spec.from = r->spec.to = NAN; /* both NAN: searches determine the range */
  if (!text)
    return CLI_DONE;
  r->spec.from = strtod(text, &end);
  bool good = end != text && *end == ':';
  if (good)
    good = cli_parse_number(end + 1, &r->spec.to);
  return good && isfinite(r->spec.from) && r->spec.from < r->spec.to
             ? CLI_DONE
             : cli_session_fail(session, GRADYN_INVALID,
                                "--second-at-most '%s': write A:B with A < B, limits of %s", text,
                                session->functional[r->spec.second].name);
}

/* Converts the options into the specification of the front. */
static int choose(cli_campaign *c)
{
  pareto *r = (pareto *)c;
  cli_session *session = &c->session;
  const cli_options *given = session->options;
  c->message = r->result.message;
  /* objectives come first, because messages about the range name the second objective */
  int result = take_objectives(r);
  if (result == CLI_DONE)
    result = take_range(r);
  if (result == CLI_DONE)
    result = cli_search_choose(session, &r->search);
  if (result == CLI_DONE)
    result = cli_workers_choose(session, "searches", &c->workers);
  /* points of the front, including the ends */
  r->spec.points = given->many.points > 0 ? (size_t)given->many.points : DEFAULT_POINTS;
  r->spec.workers = &c->workers.workers;
  if (result == CLI_DONE && r->spec.points < 2)
    result = cli_session_fail(session, GRADYN_INVALID, "--points %zu: a front has at least two",
                              r->spec.points);
  return result;
}

/* Returns the first or the second functional of the front. */
static const gradyn_functional_info *functional(const pareto *r, bool second)
{
  return &r->campaign.session.functional[second ? r->spec.second : r->spec.first];
}

/* Returns the names of both functionals. */
static json_t *names(const pareto *r)
{
  json_t *array = json_array();
  cli_json_append(array, cli_json_text(functional(r, false)->name));
  cli_json_append(array, cli_json_text(functional(r, true)->name));
  return array;
}

/* Returns the contents of settings.json. */
static json_t *settings(const cli_campaign *c)
{
  const pareto *r = (const pareto *)c;
  json_t *root = cli_outcome_settings(&c->session, &r->search);
  cli_json_put(root, "objectives", names(r));
  cli_json_put(root, "points", json_integer((json_int_t)r->spec.points));
  cli_json_put(root, "from", gradyn_json_number(r->spec.from));
  cli_json_put(root, "to", gradyn_json_number(r->spec.to));
  return root;
}

/* --- Results ------------------------------------------------------------------------------------ */

/* Writes the heading of pareto.csv. */
static void write_heading(const pareto *r, FILE *file)
{
  const cli_session *session = &r->campaign.session;
  const char *unit[] = {functional(r, false)->unit, functional(r, true)->unit};
  /* an empty unit is written as 1 */
  char *per = cli_text("%s/(%s)", *unit[0] ? unit[0] : "1", *unit[1] ? unit[1] : "1");
  (void)fputs("point,on_front,finished,status,termination,evaluations,", file);
  gradyn_csv_heading(file, "limit", unit[1]);
  (void)fputc(',', file);
  gradyn_csv_heading(file, "trade_off", per);
  (void)fputs(",violation,projected_gradient,seconds [s]", file);
  free(per);
  gradyn_heading_functionals(file, session->evaluator);
  gradyn_heading_parameters(file, session->evaluator);
  (void)fputc('\n', file);
}

/* Writes a line for each point, whether it is on the front or not. */
static gradyn_status write_csv(cli_campaign *c)
{
  const pareto *r = (const pareto *)c;
  gradyn_file file;
  GRADYN_TRY(gradyn_folder_begin(&c->study, &file, "pareto.csv"));
  write_heading(r, file.stream); /* values that do not exist are NaN */
  /* failed points also have a row */
  for (size_t i = 0; i < r->result.count; i++) {
    const gradyn_pareto_point *point = &r->result.point[i];
    const double number[] = {point->limit, point->trade_off, point->violation,
                             point->projected_gradient, point->seconds};
    (void)fprintf(file.stream, "%zu,%d,%d,%s,%s,%ld", i, point->on_front, point->finished,
                  gradyn_status_describe((int)point->status).name,
                  gradyn_termination_name(point->termination), point->evaluations);
    gradyn_csv_numbers(file.stream, number, sizeof number / sizeof number[0]);
    gradyn_csv_numbers(file.stream, point->psi, r->campaign.session.functionals);
    gradyn_csv_numbers(file.stream, point->rho, r->campaign.session.parameters);
    (void)fputc('\n', file.stream);
  }
  return gradyn_folder_end(&c->study, &file, GRADYN_OK);
}

/* Returns one point. It has parameters if a search has found them. */
static json_t *point_json(const pareto *r, const gradyn_pareto_point *point)
{
  json_t *item = json_object();
  cli_json_put(item, "on_front", json_boolean(point->on_front));
  cli_json_put(item, "first", gradyn_json_number(point->first));
  cli_json_put(item, "second", gradyn_json_number(point->second));
  cli_json_put(item, "limit", gradyn_json_number(point->limit));
  cli_json_put(item, "trade_off", gradyn_json_number(point->trade_off));
  cli_json_put(item, "finished", json_boolean(point->finished));
  cli_json_put(item, "status", json_string(gradyn_status_describe((int)point->status).name));
  cli_json_put(item, "termination", json_string(gradyn_termination_name(point->termination)));
  cli_json_put(item, "violation", gradyn_json_number(point->violation));
  cli_json_put(item, "projected_gradient", gradyn_json_number(point->projected_gradient));
  cli_json_put(item, "evaluations", json_integer(point->evaluations));
  cli_json_put(item, "seconds", gradyn_json_number(point->seconds));
  if (point->rho) {
    /* the end time may be a parameter, and then differs between points */
    cli_json_put(item, "t_end", gradyn_account_end_time(r->campaign.session.evaluator, point->rho));
    cli_json_put(item, "parameters", cli_json_numbers(point->rho, r->campaign.session.parameters));
    cli_json_put(item, "functionals",
                 cli_json_numbers(point->psi, r->campaign.session.functionals));
  }
  return item;
}

/* Adds the members of --json and of result.json. */
static void fill(const cli_campaign *c, json_t *root)
{
  const pareto *r = (const pareto *)c;
  const gradyn_pareto_result *result = &r->result;
  json_t *points = json_array();
  cli_json_put(root, "objectives",
               names(r)); /* first the minimised functional, then the limited one */
  cli_json_put(root, "algorithm", json_string(r->search.algorithm));
  for (size_t i = 0; i < result->count; i++)
    cli_json_append(points, point_json(r, &result->point[i]));
  cli_json_put(root, "points", points);
  if (result->least.finished) /* exists only if the range was not given */
    cli_json_put(root, "least", point_json(r, &result->least));
  cli_json_put(root, "front", json_integer((json_int_t)result->front));
  cli_json_put(root, "unfinished", json_integer((json_int_t)result->unfinished));
  cli_json_put(root, "evaluations", json_integer(result->evaluations));
  cli_json_put(root, "seconds", gradyn_json_number(result->seconds));
}

/* Prints the front, beginning with the smallest first functional. */
static void print(const cli_campaign *c, FILE *file)
{
  const pareto *r = (const pareto *)c;
  const gradyn_pareto_result *result = &r->result;
  /* columns: first functional, second functional, trade-off, termination */
  cli_table table = {.align = "rrrl"};
  size_t others = 0; /* number of points that are finished but not on the front */
  cli_table_add(&table, "%s|%s|trade-off|", functional(r, false)->name, functional(r, true)->name);
  for (size_t i = 0; i < result->count; i++) {
    const gradyn_pareto_point *point = &result->point[i];
    others += point->finished && !point->on_front;
    /* other points are only in the files */
    if (!point->on_front)
      continue;
    cli_table_add(&table, "%.10g|%.10g|%.6g|%s", point->first, point->second, point->trade_off,
                  gradyn_termination_name(point->termination));
  }
  cli_table_print(&table, "", file);
  (void)fprintf(file, "%zu points on the front, %zu are not, %zu unfinished; %ld evaluations\n",
                result->front, others, result->unfinished, result->evaluations);
}

static int finish(cli_campaign *c, gradyn_status status)
{
  gradyn_pareto_result *result = &((pareto *)c)->result;
  return cli_campaign_finish(c, status,
                             &(cli_campaign_results){!result->point, result->message,
                                                     sizeof result->message, fill, write_csv,
                                                     print});
}

/* Runs all searches; a helper runs its share of them. */
static gradyn_status work(cli_campaign *c)
{
  pareto *r = (pareto *)c;
  r->spec.folder = c->folder;
  return gradyn_pareto(c->session.evaluator, &r->search, &r->spec, c->session.rho, &r->result);
}

/* gradyn pareto: finds a front between two functionals, by searches with a bound on one of them. */
int cli_pareto(const cli_options *options)
{
  static const cli_campaign_ops ops = {"-pareto", "front", choose, settings, work, finish};
  pareto r = {.result = {.point = NULL}};
  const int result = cli_campaign_run(options, &ops, &r.campaign);
  gradyn_pareto_result_clear(&r.result);
  return result;
}
