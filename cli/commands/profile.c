/* gradyn profile: profile likelihoods of the parameters of a fit.
 *
 * The library computes the profiles (gradyn_profile_compute()). This file has the operands, the folder
 * (settings.json, profile.csv, result.json, journals of the searches) and the output. To resume profiles,
 * the same command line runs again in the same folder. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/csv.h"
#include "cli/base/memory.h"
#include "cli/base/table.h"
#include "cli/commands/campaign.h"
#include "cli/commands/search.h"
#include "cli/text/inference.h"
#include "cli/text/json.h"
#include "cli/text/outcome.h"
#include "core/base/nearest.h"

typedef struct profile {
  cli_campaign campaign;
  gradyn_search search;
  size_t *parameter; /* owned */
  gradyn_profile_spec spec;
  gradyn_profile_result result;
} profile;

static const char *const ends[] = {
    [GRADYN_PROFILE_CLOSED] = "closed",
    [GRADYN_PROFILE_AT_BOUND] = "open at bound",
    [GRADYN_PROFILE_OPEN] = "open",
    [GRADYN_PROFILE_FAILED] = "failed",
    [GRADYN_PROFILE_UNFINISHED] = "unfinished",
};

/* --- operands --------------------------------------------------------------------------------- */

/* Adds the parameter with a name to the profiles. */
static int take_parameter(profile *r, const char *name)
{
  const cli_session *session = &r->campaign.session;
  gradyn_nearest nearest = {.requested = name};
  for (size_t j = 0; j < session->parameters; j++) {
    gradyn_nearest_try(&nearest, session->param[j].name);
    if (strcmp(session->param[j].name, name) != 0)
      continue;
    r->parameter[r->spec.count++] = j;
    return CLI_DONE;
  }
  return cli_session_fail(session, GRADYN_INVALID, "no parameter is called '%s'%s%s%s", name,
                          nearest.best ? " (did you mean '" : "", nearest.best ? nearest.best : "",
                          nearest.best ? "'?)" : "; 'gradyn info' lists them");
}

static int choose(cli_campaign *c)
{
  profile *r = (profile *)c;
  const cli_options *given = c->session.options;
  c->message = r->result.message;
  r->parameter = cli_take(given->study_count + 1, sizeof *r->parameter);
  r->spec.parameter = given->study_count > 0 ? r->parameter : NULL;
  r->spec.workers = &c->workers.workers;
  int result = cli_search_choose(&c->session, &r->search);
  if (result == CLI_DONE)
    result = cli_inference_suits(&c->session, &r->search);
  for (size_t i = 0; i < given->study_count && result == CLI_DONE; i++)
    result = take_parameter(r, given->study[i]);
  if (result == CLI_DONE)
    result = cli_workers_choose(&c->session, "searches", &c->workers);
  return result;
}

static json_t *settings(const cli_campaign *c)
{
  return cli_outcome_settings(&c->session, &((const profile *)c)->search);
}

/* --- results ---------------------------------------------------------------------------------- */

/* Writes the rows of one side of a profile. */
static void write_side(const profile *r, FILE *file, size_t parameter,
                       const gradyn_profile_side *side, int sign)
{
  const cli_session *session = &r->campaign.session;
  for (size_t k = 0; k < side->count; k++) {
    const gradyn_profile_point *point = &side->point[k];
    const double number[] = {point->value, point->objective, sign * point->z};
    gradyn_csv_text(file, session->param[parameter].name);
    (void)fprintf(file, ",%s", gradyn_status_describe((int)point->status).name);
    gradyn_csv_numbers(file, number, 3);
    gradyn_csv_numbers(file, point->rho, session->parameters);
    (void)fputc('\n', file);
  }
}

/* Writes profile.csv with a row for each point. */
static gradyn_status write_csv(cli_campaign *c)
{
  const profile *r = (const profile *)c;
  gradyn_file file;
  GRADYN_TRY(gradyn_folder_begin(&c->study, &file, "profile.csv"));
  (void)fputs("parameter,status,value,objective,z", file.stream);
  gradyn_heading_parameters(file.stream, r->campaign.session.evaluator);
  (void)fputc('\n', file.stream);
  for (size_t k = 0; k < r->result.count; k++) {
    const gradyn_profile *of = &r->result.profile[k];
    write_side(r, file.stream, of->parameter, &of->below, -1);
    write_side(r, file.stream, of->parameter, &of->above, 1);
  }
  return gradyn_folder_end(&c->study, &file, GRADYN_OK);
}

static json_t *side_json(const profile *r, const gradyn_profile_side *side)
{
  json_t *item = json_object(), *points = json_array();
  for (size_t k = 0; k < side->count; k++) {
    const gradyn_profile_point *point = &side->point[k];
    json_t *row = json_object();
    cli_json_put(row, "value", gradyn_json_number(point->value));
    cli_json_put(row, "objective", gradyn_json_number(point->objective));
    cli_json_put(row, "z", gradyn_json_number(point->z));
    if (point->rho)
      cli_json_put(row, "parameters", cli_json_numbers(point->rho, r->campaign.session.parameters));
    cli_json_append(points, row);
  }
  cli_json_put(item, "end", json_string(ends[side->end]));
  cli_json_put(item, "limit", gradyn_json_number(side->limit));
  cli_json_put(item, "points", points);
  return item;
}

/* Adds the members of --json and of result.json. */
static void fill(const cli_campaign *c, json_t *root)
{
  const profile *r = (const profile *)c;
  const cli_session *session = &c->session;
  const gradyn_profile_result *result = &r->result;
  json_t *profiles = json_array();
  if (result->rho)
    cli_json_put(root, "parameters", cli_json_parameters(session, result->rho));
  cli_json_put(root, "objective", gradyn_json_number(result->objective));
  cli_json_put(root, "least", gradyn_json_number(result->least));
  cli_json_put(root, "variance", gradyn_json_number(result->variance));
  cli_json_put(root, "z_end", gradyn_json_number(result->z_end));
  for (size_t k = 0; k < result->count; k++) {
    const gradyn_profile *of = &result->profile[k];
    json_t *item = json_object();
    cli_json_put(item, "parameter", cli_json_text(session->param[of->parameter].name));
    cli_json_put(item, "below", side_json(r, &of->below));
    cli_json_put(item, "above", side_json(r, &of->above));
    cli_json_append(profiles, item);
  }
  cli_json_put(root, "profiles", profiles);
  cli_json_put(root, "evaluations", json_integer(result->evaluations));
  cli_json_put(root, "seconds", gradyn_json_number(result->seconds));
}

/* Adds a cell for one side: the end of the interval, or why the side has none. */
static void add_side(cli_table *table, const gradyn_profile_side *side)
{
  if (side->end == GRADYN_PROFILE_CLOSED)
    cli_table_add(table, "%.6g", side->limit);
  else
    cli_table_add(table, "%s", ends[side->end]);
}

static void print(const cli_campaign *c, FILE *file)
{
  const profile *r = (const profile *)c;
  const cli_session *session = &r->campaign.session;
  const gradyn_profile_result *result = &r->result;
  cli_table table = {.align = "lrrrl"};
  cli_table_add(&table, "parameter|estimate|95 %% from|to|unit");
  for (size_t k = 0; k < result->count; k++) {
    const gradyn_profile *of = &result->profile[k];
    cli_table_add(&table, "%s|%.10g", session->param[of->parameter].name,
                  result->rho ? result->rho[of->parameter] : NAN);
    add_side(&table, &of->below);
    add_side(&table, &of->above);
    cli_table_add(&table, "%s", session->param[of->parameter].unit);
  }
  cli_table_print(&table, "", file);
  (void)fprintf(file, "objective %.10g", result->objective);
  /* smaller differences are within the optimality tolerance of searches */
  if (result->objective - result->least > 1e-6 * fabs(result->objective))
    (void)fprintf(file, "; a point of a profile has %.10g: the fit is no minimum", result->least);
  (void)fprintf(file, "; %ld evaluations\n", result->evaluations);
}

static int finish(cli_campaign *c, gradyn_status status)
{
  gradyn_profile_result *result = &((profile *)c)->result;
  return cli_campaign_finish(c, status,
                             &(cli_campaign_results){status == GRADYN_UNSUPPORTED, result->message,
                                                     sizeof result->message, fill, write_csv,
                                                     print});
}

static gradyn_status work(cli_campaign *c)
{
  profile *r = (profile *)c;
  r->spec.folder = c->folder;
  return gradyn_profile_compute(c->session.evaluator, &r->search, &r->spec, c->session.rho,
                                &r->result);
}

int cli_profile(const cli_options *options)
{
  static const cli_campaign_ops ops = {"-profile", "profile", choose, settings, work, finish};
  profile r = {.result = {.rho = NULL}};
  const int result = cli_campaign_run(options, &ops, &r.campaign);
  gradyn_profile_result_clear(&r.result);
  free(r.parameter);
  return result;
}
