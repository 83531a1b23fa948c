/* gradyn run --starts: local searches from several starts, and the optima that they found. */
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

/* Number of starts, their distribution, and workers. */
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

/* Folder for the journals of the searches, within the study. */
int cli_starts_open(cli_starts *starts, const cli_session *session, gradyn_folder *study)
{
  const cli_options *given = session->options;
  gradyn_status status = gradyn_folder_within(study, "starts", &starts->folder);
  /* parts of one study may begin successively or at the same time, so they keep journals */
  if (status == GRADYN_OK && !given->resume && !given->many.shard)
    status = gradyn_folder_remove_journals(study, starts->folder);
  starts->spec.folder = starts->folder;
  return status == GRADYN_OK ? CLI_DONE : cli_session_fail(session, status, "%s", study->message);
}

int cli_starts_help(cli_starts *starts, const cli_session *session, const gradyn_search *search)
{
  /* searches of a helper need no callback */
  gradyn_search share = *search;
  share.on_iteration = NULL;
  share.verify_discretisation = false;
  starts->spec.folder = starts->folder = cli_ranks_invitation();
  if (!starts->folder)
    return CLI_DONE;
  cli_interrupt_install(true); /* rank 0 prints notes about a request to end */
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
  /* an exceeded time limit is not an interruption by the user */
  const bool over = cli_workers_over(&starts->workers, &status);
  *best = result->best;
  /* ownership moves to best: clearing the results must not release it */
  memset(&result->best, 0, sizeof result->best);
  char *why = cli_text("%.400s", best->reason);
  /* unfinished searches are reported before the result */
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
  /* an exceeded limit is no failure if the best search has finished */
  return over && result->count > 0 && result->local[0].finished ? result->local[0].status : status;
}

/* Heading of starts.csv. */
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

/* A row for each search: start, end and termination. */
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

/* Starts and optima for the result, with the number of searches that led to each optimum. */
void cli_starts_json(const cli_starts *starts, const cli_session *session, json_t *root)
{
  const gradyn_multistart_result *result = &starts->result;
  json_t *about = json_object(), *optima = json_array(), *objectives = json_array();
  /* sorted, the best first */
  for (size_t i = 0; i < result->count; i++)
    cli_json_append(objectives, gradyn_json_number(result->local[i].objective));
  cli_json_put(about, "starts", json_integer((json_int_t)starts->spec.starts));
  cli_json_put(about, "seed", json_integer((json_int_t)starts->spec.seed));
  cli_json_put(about, "searches", json_integer((json_int_t)result->count));
  cli_json_put(about, "unfinished", json_integer((json_int_t)result->unfinished));
  cli_json_put(about, "evaluations", json_integer(result->evaluations));
  cli_json_put(about, "seconds", gradyn_json_number(result->seconds));
  cli_json_put(about, "objectives", objectives); /* the best first */
  for (size_t k = 0; k < result->optimum_count; k++) {
    /* an optimum is represented by its best search */
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
  /* the first free parameters, because a table has space for few */
  for (size_t j = 0; j < session->parameters && columns < SHOWN_PARAMETERS; j++)
    if (session->vary[j])
      shown[columns++] = j;
  /* right-aligned columns: three, and one for each parameter */
  cli_table table = {.align = &"rrrrrrr"[SHOWN_PARAMETERS - columns]};
  /* the frequency of an optimum indicates how likely others were missed */
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
  /* searches that ended without an optimum */
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
