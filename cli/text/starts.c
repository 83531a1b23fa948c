/* gradyn run --starts: local searches from several starts, and the optima that they find. */
#include "cli/text/starts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/csv.h"
#include "cli/text/json.h"
#include "cli/base/interrupt.h"
#include "cli/base/memory.h"
#include "cli/options/ranks.h"
#include "cli/base/table.h"

enum { SHOWN_OPTIMA = 20, SHOWN_PARAMETERS = 4 };

/* Takes the number of starts, their distribution, and the workers from the options. */
int cli_starts_choose(cli_starts *starts, const cli_session *session)
{
  const cli_options *given = session->options;
  starts->spec = (gradyn_multistart_spec){.starts = (size_t)given->many.starts,
                                          .screen = (size_t)given->many.screen,
                                          .spread = given->many.spread,
                                          .workers = &starts->workers.workers};
  int result = cli_workers_choose(session, "searches", &starts->workers);
  if (result == CLI_DONE)
    result = cli_workers_seed(session, &starts->spec.seed);
  return result;
}

/* Opens the folder for the journals of the searches, within the study. */
int cli_starts_open(cli_starts *starts, const cli_session *session, gradyn_folder *study)
{
  const cli_options *given = session->options;
  gradyn_status status = gradyn_folder_within(study, "starts", &starts->folder);
  /* journals are kept for --shard, because shards of one study may begin one after the other or at the same
   * time */
  if (status == GRADYN_OK && !given->resume && !given->many.shard)
    status = gradyn_folder_remove_journals(study, starts->folder);
  starts->spec.folder = starts->folder;
  return status == GRADYN_OK ? CLI_DONE : cli_session_fail(session, status, "%s", study->message);
}

int cli_starts_help(cli_starts *starts, const cli_session *session, const gradyn_search *search)
{
  /* a helper shows no progress and does not recheck */
  gradyn_search share = *search;
  share.on_iteration = NULL;
  share.verify_discretisation = false;
  starts->spec.folder = starts->folder = cli_ranks_invitation();
  if (!starts->folder)
    return CLI_DONE;
  cli_interrupt_install(true); /* silent: rank 0 prints the notes about a request to end */
  const gradyn_status status = gradyn_multistart(session->evaluator, &share, &starts->spec,
                                                 session->rho, &starts->result);
  cli_workers_end(&starts->workers);
  return cli_workers_helped(session, status, starts->result.message);
}

gradyn_status cli_starts_search(cli_starts *starts, const cli_session *session,
                                const gradyn_search *search, gradyn_search_result *best)
{
  gradyn_multistart_result *result = &starts->result;
  cli_ranks_invite(starts->folder);
  gradyn_status status = gradyn_multistart(session->evaluator, search, &starts->spec, session->rho,
                                           result);
  cli_workers_end(&starts->workers);
  /* distinguishes the end of the time limit from an interruption by the user */
  const bool over = cli_workers_over(&starts->workers, &status);
  *best = result->best;
  /* `best` owns these arrays now: clearing the results must not free them */
  memset(&result->best, 0, sizeof result->best);
  char *why = cli_text("%.400s", best->reason);
  /* the reason first states that searches are not finished, then why the best one ended */
  if (result->count == 0)
    (void)snprintf(best->reason, sizeof best->reason, "%.500s", result->message);
  else if (result->unfinished > 0 && over)
    (void)snprintf(
        best->reason, sizeof best->reason,
        "the time limit was reached; %zu of %zu searches are not finished, 'gradyn resume' "
        "continues them; the best one so far: %.300s",
        result->unfinished, result->count, why);
  else if (result->unfinished > 0)
    (void)snprintf(best->reason, sizeof best->reason,
                   "%zu of %zu searches are not finished, 'gradyn resume' continues them%s%.400s; "
                   "the best one so far: %.400s",
                   result->unfinished, result->count, *result->message ? ": " : "", result->message,
                   why);
  else if (*result->message)
    (void)snprintf(best->reason, sizeof best->reason, "%.500s; %.500s", why, result->message);
  free(why);
  /* at the time limit, it is no failure if the best search has finished */
  return over && result->count > 0 && result->local[0].finished ? result->local[0].status : status;
}

/* Writes the heading of starts.csv. */
static void write_heading(const cli_session *session, FILE *stream)
{
  (void)fputs("start,finished,status,termination,optimum,evaluations,seconds [s],initial_objective,"
              "objective,violation,projected_gradient",
              stream);
  for (size_t j = 0; j < session->parameters; j++) {
    char *name = cli_text("initial %s", session->param[j].name);
    (void)fputc(',', stream);
    gradyn_csv_heading(stream, name, session->param[j].unit);
    free(name);
  }
  gradyn_heading_parameters(stream, session->evaluator);
  (void)fputc('\n', stream);
}

/* Writes starts.csv with a row for each search: its start, end and termination. */
gradyn_status cli_starts_write(const cli_starts *starts, const cli_session *session,
                               gradyn_folder *study)
{
  gradyn_file file;
  GRADYN_TRY(gradyn_folder_begin(study, &file, "starts.csv"));
  write_heading(session, file.stream);
  for (size_t i = 0; i < starts->result.count; i++) {
    const gradyn_local *local = &starts->result.local[i];
    const double value[] = {local->seconds, local->initial_objective, local->objective,
                            local->violation, local->projected_gradient};
    (void)fprintf(file.stream, "%zu,%d,%s,%s,%ld,%ld", local->start, local->finished,
                  gradyn_status_describe((int)local->status).name,
                  gradyn_termination_name(local->termination), local->optimum, local->evaluations);
    gradyn_csv_numbers(file.stream, value, sizeof value / sizeof value[0]);
    gradyn_csv_numbers(file.stream, local->start_rho, session->parameters);
    gradyn_csv_numbers(file.stream, local->rho, session->parameters);
    (void)fputc('\n', file.stream);
  }
  return gradyn_folder_end(study, &file, GRADYN_OK);
}

/* Adds starts and optima to the result. Each optimum has the number of searches that led to it. */
void cli_starts_json(const cli_starts *starts, const cli_session *session, json_t *root)
{
  const gradyn_multistart_result *result = &starts->result;
  json_t *about = json_object(), *optima = json_array(), *objectives = json_array();
  /* in the order of results, the best first */
  for (size_t i = 0; i < result->count; i++)
    cli_json_append(objectives, gradyn_json_number(result->local[i].objective));
  cli_json_put(about, "starts", json_integer((json_int_t)starts->spec.starts));
  cli_json_put(about, "seed", json_integer((json_int_t)starts->spec.seed));
  cli_json_put(about, "searches", json_integer((json_int_t)result->count));
  cli_json_put(about, "unfinished", json_integer((json_int_t)result->unfinished));
  cli_json_put(about, "evaluations", json_integer(result->evaluations));
  cli_json_put(about, "seconds", gradyn_json_number(result->seconds));
  cli_json_put(about, "objectives", objectives);
  for (size_t k = 0; k < result->optimum_count; k++) {
    /* the best search of an optimum represents it */
    const gradyn_local *local = &result->local[result->optimum[k].local];
    json_t *item = json_object();
    cli_json_put(item, "objective", gradyn_json_number(local->objective));
    cli_json_put(item, "reached", json_integer((json_int_t)result->optimum[k].count));
    cli_json_put(item, "start", json_integer((json_int_t)local->start));
    cli_json_put(item, "parameters", cli_json_numbers(local->rho, session->parameters));
    cli_json_append(optima, item);
  }
  cli_json_put(root, "starts", about);
  cli_json_put(root, "optima", optima);
}

/* Prints the best optima. */
void cli_starts_print(const cli_starts *starts, const cli_session *session)
{
  const gradyn_multistart_result *result = &starts->result;
  size_t shown[SHOWN_PARAMETERS], columns = 0;
  /* only the first free parameters, because the table has space for few */
  for (size_t j = 0; j < session->parameters && columns < SHOWN_PARAMETERS; j++)
    if (session->vary[j])
      shown[columns++] = j;
  /* right-aligned columns: three, and one for each parameter that is shown */
  cli_table table = {.align = &"rrrrrrr"[SHOWN_PARAMETERS - columns]};
  /* reached: how many searches found the optimum; small numbers suggest that other optima were missed */
  cli_table_add(&table, "optimum|reached|objective");
  for (size_t c = 0; c < columns; c++)
    cli_table_add(&table, "%s", session->param[shown[c]].name);
  for (size_t k = 0; k < result->optimum_count && k < SHOWN_OPTIMA; k++) {
    const gradyn_local *local = &result->local[result->optimum[k].local];
    cli_table_add(&table, "%zu|%zu|%.10g", k + 1, result->optimum[k].count, local->objective);
    for (size_t c = 0; c < columns; c++)
      cli_table_add(&table, "%.10g", local->rho[shown[c]]);
  }
  (void)putchar('\n');
  cli_table_print(&table, "", stdout);
  /* number of searches that ended at an optimum */
  size_t ended = 0;
  for (size_t k = 0; k < result->optimum_count; k++)
    ended += result->optimum[k].count;
  (void)printf("%zu distinct optima from %zu searches; %zu ended at no optimum; %ld evaluations\n",
               result->optimum_count, result->count, result->count - ended, result->evaluations);
}

void cli_starts_clear(cli_starts *starts)
{
  gradyn_multistart_result_clear(&starts->result);
  free(starts->folder);
}
