/* gradyn resume: continues the work of an earlier command line with the data of its study.
 *
 * settings.json of a study has the command line as it was given. It is parsed again, followed by the
 * options given now. Then the same command runs with `resume` set. Searches take known evaluations from
 * their journals and continue after them. */
#include "cli/commands/resume.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/base/read.h"
#include "cli/base/report.h"

/* Reports a failure that occurs before a session is opened. */
static int fail(const cli_options *options, gradyn_status status, const char *text)
{
  return cli_report(options->print.json, options->command->name, NULL, status, text);
}

/* Reads the settings of a study. Returns the exit status; the reason of a failure was printed. */
static int read_settings(const cli_options *options, const char *folder, json_t **root)
{
  char why[256];
  int result = CLI_DONE;
  /* this file was written at the start of the study */
  char *path = cli_text("%s/settings.json", folder);
  const gradyn_status status = cli_read_json(path, root, why, sizeof why);
  char *text = status == GRADYN_NOT_FOUND
                   ? cli_text("'%s' is no study: '%s': %s", folder, path, why)
                   : cli_text("'%s' cannot be read: %s", path, why);
  if (status != GRADYN_OK)
    result = fail(options, status == GRADYN_NOT_FOUND ? GRADYN_IO : status, text);
  free(text);
  free(path);
  return result;
}

/* --- Command line ------------------------------------------------------------------------------- */

typedef struct arguments {
  char **argv; /* [argc + 1], terminated by NULL; the texts are owned */
  int argc;
} arguments;

/* Adds an argument, and takes ownership of its text. */
static void add(arguments *a, char *text)
{
  a->argv = cli_grow(a->argv, (size_t)a->argc + 2, sizeof *a->argv);
  a->argv[a->argc++] = text;
  a->argv[a->argc] = NULL;
}

/* Frees the texts and the array. */
static void release(arguments *a)
{
  for (int i = 0; i < a->argc; i++)
    free(a->argv[i]);
  free(a->argv);
}

/* Collects the recorded command line, then the options given now. If an option occurs twice, the last one
 * counts. */
static void collect(arguments *a, const json_t *settings, const cli_options *given)
{
  const json_t *line = json_object_get(settings, "command_line");
  for (size_t i = 0; i < json_array_size(line); i++) {
    const char *text = json_string_value(json_array_get(line, i));
    add(a, cli_text("%s", text ? text : ""));
  }
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"max-evaluations", (double)given->search.max_evaluations},
                 {"max-seconds", given->max_seconds},
                 {"evaluation-seconds", given->evaluation.evaluation_seconds},
                 {"optimality", given->search.optimality}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (numbers[i].value > 0) /* a number given now replaces the recorded one */
      add(a, cli_text("--%s=%.17g", numbers[i].name, numbers[i].value));
  if (!isnan(given->search.ftol)) /* NAN: not given, because zero is a valid choice */
    add(a, cli_text("--ftol=%.17g", given->search.ftol));
  if (!isnan(given->search.xtol))
    add(a, cli_text("--xtol=%.17g", given->search.xtol));
  if (given->many.jobs > 0)
    add(a, cli_text("--jobs=%ld", given->many.jobs));
  if (given->folder.durability)
    add(a, cli_text("--durability=%s", given->folder.durability));
}

/* Runs the recorded command in the same folder. */
static int run_again(const cli_options *given, const json_t *settings, const char *name,
                     arguments *a)
{
  cli_options options;
  char message[512], *from = cli_text("%s/settings.json", given->problem);
  const cli_command *command = cli_command_find(name);
  int result = cli_options_parse(&options, command, a->argc, a->argv, message, sizeof message);
  if (result == CLI_DONE) {
    /* paths of the study: of a shared object, and of a file of load cases */
    const char *file = json_string_value(json_object_get(settings, "problem_file"));
    options.problem = file ? file : options.problem;
    options.problem = given->file ? given->file : options.problem;
    const char *cases = json_string_value(json_object_get(settings, "cases_file"));
    options.many.cases = options.many.cases && cases ? cases : options.many.cases;
    options.resume = given;
    /* folder, output and limits are those of this command line; other options are those recorded */
    options.out = given->problem;
    options.from = options.from ? from : NULL; /* the study has a copy of the earlier result */
    options.print.json = given->print.json;
    options.print.quiet = given->print.quiet;
    options.print.verbose = given->print.verbose;
    options.many.shard = NULL; /* a resumed study combines all shards */
    options.folder.from_best = given->folder.from_best;
    options.folder.open = options.folder.open || given->folder.open;
    options.folder.no_report = options.folder.no_report || given->folder.no_report;
    result = command->run(&options);
  } else {
    char *text = cli_text("the command line in the study '%s': %s", given->problem, message);
    result = fail(given, GRADYN_INVALID, text);
    free(text);
  }
  cli_options_clear(&options);
  free(from);
  return result;
}

/* Refuses a study with a damaged journal before any file is replaced. With --from-best, damage is reported
 * later. */
static int check_journals(const cli_options *options)
{
  char why[2048];
  const gradyn_status status = options->folder.from_best
                                   ? GRADYN_OK
                                   : gradyn_study_check(options->problem, why, sizeof why);
  if (status == GRADYN_OK)
    return CLI_DONE;
  char *text = cli_text(
      "%s\nno file in '%s' was changed. If this file is deleted, its part is computed again; "
      "--from-best begins a new search at the best point",
      why, options->problem);
  const int result = fail(options, status, text);
  free(text);
  return result;
}

/* gradyn resume: runs the recorded command line again, with additional options. */
int cli_resume(const cli_options *options)
{
  json_t *settings = NULL;
  int result = read_settings(options, options->problem, &settings);
  if (result != CLI_DONE)
    return result;
  result = check_journals(options);
  if (result != CLI_DONE) {
    json_decref(settings);
    return result;
  }
  const json_t *line = json_object_get(settings, "command_line");
  const char *command = json_string_value(json_array_get(line, 1));
  /* studies of simulate and gradient cannot be continued */
  const cli_command *known = command ? cli_command_find(command) : NULL;
  if (!known || !(known->bit & (CLI_RUN | CLI_POINTS | CLI_PARETO | CLI_PROFILE))) {
    char *text = cli_text(
        "'%s' cannot be resumed: its settings belong to no search, sweep, front or profile",
        options->problem);
    result = fail(options, GRADYN_INVALID, text);
    free(text);
  } else {
    /* runs the recorded command line with additional options */
    arguments a = {NULL, 0};
    collect(&a, settings, options);
    result = run_again(options, settings, command, &a);
    release(&a);
  }
  json_decref(settings);
  return result;
}

/* --- Data of the study -------------------------------------------------------------------------- */

/* Takes the value of parameter i, and whether it is fixed, from an entry. Returns false if the entry
 * belongs to another parameter. */
static bool take(cli_session *session, size_t i, const json_t *item)
{
  const char *name = json_string_value(json_object_get(item, "name"));
  const json_t *value = json_object_get(item, "value"), *fixed = json_object_get(item, "fixed");
  /* both index and name must agree, because the problem may have changed since */
  if (!name || strcmp(name, session->param[i].name) != 0 || !json_is_number(value) ||
      !json_is_boolean(fixed))
    return false;
  session->rho[i] = json_number_value(value);
  session->vary[i] = !json_is_true(fixed);
  return true;
}

/* Sets the parameters to those at the start of the study, where its searches begin again. */
int cli_resume_start(cli_session *session)
{
  json_t *settings = NULL;
  int result = read_settings(session->options, session->options->out, &settings);
  if (result != CLI_DONE)
    return result;
  const json_t *parameters = json_object_get(settings, "parameters");
  /* other settings can give another number of parameters */
  if (json_array_size(parameters) != session->parameters)
    result = cli_session_fail(
        session, GRADYN_INVALID, "study '%s': %zu parameters; the problem has %zu",
        session->options->out, json_array_size(parameters), session->parameters);
  for (size_t i = 0; i < session->parameters && result == CLI_DONE; i++)
    if (!take(session, i, json_array_get(parameters, i)))
      result = cli_session_fail(session, GRADYN_INVALID,
                                "the settings of the study '%s' have no parameter %s",
                                session->options->out, session->param[i].name);
  if (result == CLI_DONE)
    result = cli_session_settle(session);
  json_decref(settings);
  return result;
}

/* Returns the objective in a file of the study. NAN: there is none, or the file cannot be read. */
static double finished_in(const cli_session *session, const char *name)
{
  char why[256];
  json_auto_t *root = NULL;
  char *path = cli_text("%s/%s", session->options->out, name);
  const gradyn_status status = cli_read_json(path, &root, why, sizeof why);
  free(path);
  const char *said = json_string_value(json_object_get(root, "status"));
  const json_t *objective = json_object_get(root, "objective");
  return status == GRADYN_OK && said && strcmp(said, "ok") == 0 && json_is_number(objective)
             ? json_number_value(objective)
             : NAN;
}

double cli_resume_finished(const cli_session *session)
{
  const double killed = finished_in(session, "earlier/result.json");
  return isnan(killed) ? finished_in(session, "result.json") : killed;
}

bool cli_resume_worse(double finished, gradyn_status status, const gradyn_search_result *result)
{
  /* a loss of a thousandth of the whole improvement is accepted, because tolerances may be looser now */
  const double alike = 1e-3 * fabs(result->initial_objective - finished);
  return isfinite(finished) && (status != GRADYN_OK || !(result->objective <= finished + alike));
}

/* Renames a journal to the first free name journal-old-N.jsonl. */
static int put_aside(const cli_session *session, const char *journal)
{
  /* earlier journals are kept: no file of a study is deleted */
  for (int i = 1;; i++) {
    char *name = cli_text("%s/journal-old-%d.jsonl", session->options->out, i);
    const bool taken = access(name, F_OK) == 0;
    const bool moved = !taken && rename(journal, name) == 0;
    free(name);
    if (moved)
      return CLI_DONE;
    if (!taken)
      return cli_session_fail(session, GRADYN_IO, "cannot rename '%s': %s", journal,
                              strerror(errno));
  }
}

/* --from-best: begins a new search at the best point of the journal, and renames the journal. */
int cli_resume_best(cli_session *session, const gradyn_search *search)
{
  char message[2048];
  gradyn_search with = *search;
  char *journal = cli_text("%s/journal.jsonl", session->options->out);
  with.journal = journal;
  const gradyn_status status = gradyn_journal_best(session->evaluator, &with, session->rho, message,
                                                   sizeof message);
  int result = status == GRADYN_OK ? cli_session_settle(session)
                                   : cli_session_fail(session, status, "%s", message);
  /* renames the journal only after the best point was read */
  if (result == CLI_DONE)
    result = put_aside(session, journal);
  free(journal);
  return result;
}

/* Reads the option for how often journals are synchronised to the disk. */
int cli_resume_durability(const cli_session *session, gradyn_durability *durability)
{
  static const char *const name[] = {[GRADYN_DURABLE_SECOND] = "second",
                                     [GRADYN_DURABLE_EACH] = "each",
                                     [GRADYN_DURABLE_NEVER] = "never"};
  const char *requested = session->options->folder.durability;
  /* a name for each enumerator; without the option, the choice of the caller remains */
  for (size_t i = 0; requested && i < sizeof name / sizeof name[0]; i++)
    if (strcmp(requested, name[i]) == 0) {
      *durability = (gradyn_durability)i;
      return CLI_DONE;
    }
  if (!requested)
    return CLI_DONE;
  return cli_session_fail(session, GRADYN_INVALID,
                          "--durability '%s': it must be each, second or never", requested);
}
