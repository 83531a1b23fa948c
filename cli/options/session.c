/* One run of a command: finds the problem, applies the options, creates the evaluator.
 *
 * The order is: registry, earlier study (--from), problem, simulation options, settings, evaluator,
 * parameters. Failures are reported with command and problem, as text or as an object. cli_session_close()
 * also closes a session that was opened only in part. */
#define _XOPEN_SOURCE 700 /* for realpath() */
#include "cli/options/session.h"

#include <errno.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/file.h"
#include "cli/options/from.h"
#include "cli/base/interrupt.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/options/named.h"
#include "cli/options/ranks.h"
#include "cli/base/report.h"
#include "cli/options/vet.h"
#include "core/problems/retired.h"

int cli_session_fail(const cli_session *session, gradyn_status status, const char *format, ...)
{
  /* longer texts are cut off: messages quote input of users */
  char text[4096];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const cli_options *options = session->options;
  /* if the problem is not known yet, its name in the command line is used */
  const char *problem = *session->name ? session->name : options->problem;
  return cli_report(options->print.json, options->command->name, problem, status, text);
}

int cli_session_refuse(const cli_session *session, gradyn_status status)
{
  return cli_session_fail(session, status, "%s", gradyn_evaluator_message(session->evaluator));
}

void cli_session_warn(const gradyn_evaluator *evaluator)
{
  for (size_t i = 0; i < gradyn_evaluator_statistics(evaluator).warnings; i++) {
    const gradyn_warning w = gradyn_evaluator_warning_at(evaluator, i);
    cli_say(stderr, "gradyn: warning: %s (W%02d)\n", w.text, (int)w.code);
  }
}

/* Prints a note, which is no failure. --quiet suppresses it. */
void cli_session_note(const cli_session *session, const char *format, ...)
{
  if (session->options->print.quiet)
    return;
  char text[4096];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  (void)fputs("gradyn: note: ", stderr);
  cli_report_lines(text);
}

/* Opens the list of problems: those built in, and those in the folders of GRADYN_PATH. The latter are first
 * loaded in a separate process as a trial. */
static int open_registry(cli_session *session)
{
  const gradyn_registry_spec spec = {.search_path = getenv("GRADYN_PATH"), .vet = cli_vet};
  gradyn_status status = gradyn_registry_create(&spec, &session->registry);
  /* errors in folders are notes; only exhausted memory is a failure */
  if (status != GRADYN_OK)
    return cli_session_fail(session, status, "%s", gradyn_status_describe((int)status).sentence);
  const char *notes = gradyn_registry_message(session->registry);
  if (*notes)
    cli_session_note(session, "%s", notes);
  return CLI_DONE;
}

/* Finds the problem, by the name or path in the command line or in the earlier study. */
static int find_problem(cli_session *session)
{
  const int allowed = session->foreign ? cli_named_allow(session) : CLI_DONE;
  if (allowed != CLI_DONE)
    return allowed;
  gradyn_status status = gradyn_registry_find(session->registry, session->requested,
                                              &session->problem);
  if (status != GRADYN_OK)
    return cli_session_fail(session, status, "%s", gradyn_registry_message(session->registry));
  if (!session->foreign)
    cli_named_keep(session);
  gradyn_problem_display_name(session->problem, session->name, sizeof session->name);
  /* control characters are replaced, because the name is printed on terminals */
  (void)gradyn_plain(session->name, false);
  cli_vet_watch("computed the problem", session->name);
  return cli_from_fits(session);
}

/* Adds the load cases of a file to the problem. The command line or the earlier study names the file. */
static int take_cases(cli_session *session)
{
  char message[512] = "";
  const char *of_study = session->from ? cli_from_text(session, "cases_file") : NULL;
  const char *file = session->options->many.cases ? session->options->many.cases : of_study;
  if (!file)
    return CLI_DONE;
  const gradyn_status status = gradyn_cases_read(file, &session->cases, message, sizeof message);
  if (status != GRADYN_OK)
    return cli_session_fail(session, status, "--cases %s", message);
  session->cases_file = realpath(file, NULL);
  session->with_cases = *session->problem;
  session->with_cases.cases = session->cases;
  session->problem = &session->with_cases;
  return session->cases_file
             ? CLI_DONE
             : cli_session_fail(session, GRADYN_IO, "--cases %s: %s", file, strerror(errno));
}

/* Called at every step of a simulation. */
static bool cancels(void *grace)
{
  /* this function is called often, so that it can serve requests of waiting processes */
  cli_ranks_attend();
  return cli_interrupt_cancels(grace);
}

/* Takes the options that are recorded in a resumed study. */
static int recall(cli_session *session)
{
  char message[1024];
  const cli_options *given = session->options;
  const gradyn_status status = given->resume
                                   ? gradyn_study_read_settings(given->out, &session->evaluation,
                                                                NULL, message, sizeof message)
                                   : GRADYN_OK;
  return status == GRADYN_OK ? CLI_DONE : cli_session_fail(session, status, "%s", message);
}

/* Selects the options of the simulation and of its sensitivities. */
static int choose_march(cli_session *session)
{
  const cli_options *given = session->options;
  gradyn_options *evaluation = &session->evaluation;
  gradyn_options_default(session->problem, evaluation);
  /* defaults first, then those of an earlier study, then those of the command line */
  if (session->from)
    cli_from_evaluation(session, evaluation);
  evaluation->cancel = cancels;
  evaluation->cancel_user = &session->grace;
  cli_options_evaluation(given, evaluation);
  if (given->many.starts == 0 && given->command->bit & CLI_RUN)
    /* threads for load cases; for searches and points, --jobs is the number of processes */
    evaluation->jobs = given->many.jobs;
  if (given->baumgarte > 0) /* alpha = beta gives a double root */
    evaluation->baumgarte_alpha = evaluation->baumgarte_beta = given->baumgarte;
  return recall(session);
}

/* Selects the sensitivity for "auto". In a search, only the functionals that it uses count. */
static void choose_sensitivity(cli_session *session)
{
  const unsigned searches = CLI_RUN | CLI_PARETO | CLI_PROFILE | CLI_RESUME |
                            CLI_INFO; /* `gradyn info` prints the settings of `gradyn run` */
  size_t used = 0;
  for (size_t i = 0; i < session->functionals; i++)
    used += session->functional[i].use != GRADYN_MONITORED;
  if (used == 0 || !(session->options->command->bit & searches))
    used = session->functionals;
  session->evaluation.sensitivity = gradyn_evaluator_sensitivity(session->evaluator, used);
}

/* Reads the options, parameters and functionals of the evaluator, which owns their texts. */
static void describe(cli_session *session)
{
  session->evaluation = gradyn_evaluator_options(
      session->evaluator); /* the defaults are filled in */
  for (size_t i = 0; i < session->parameters; i++)
    session->param[i] = gradyn_parameter_at(session->evaluator, i);
  for (size_t i = 0; i < session->functionals; i++)
    session->functional[i] = gradyn_functional_at(session->evaluator, i);
  choose_sensitivity(session);
}

gradyn_evaluator *cli_session_exchange(cli_session *session, gradyn_evaluator *evaluator)
{
  gradyn_evaluator *former = session->evaluator;
  session->evaluator = evaluator;
  /* names and texts belong to the new evaluator */
  describe(session);
  return former;
}

gradyn_evaluator *cli_session_widen(cli_session *session, gradyn_evaluator *evaluator)
{
  const size_t before = session->parameters, p = gradyn_parameter_count(evaluator);
  session->param = cli_grow(session->param, p, sizeof *session->param);
  session->rho = cli_grow(session->rho, p, sizeof *session->rho);
  session->vary = cli_grow(session->vary, p, sizeof *session->vary);
  session->parameters = p;
  gradyn_evaluator *former = cli_session_exchange(session, evaluator);
  for (size_t i = before; i < p; i++) {
    session->rho[i] = session->param[i].init;
    session->vary[i] = true;
  }
  return former;
}

/* Allocates arrays for parameters and functionals, and fills the initial values. */
static void lay_out(cli_session *session)
{
  size_t p = session->parameters = gradyn_parameter_count(session->evaluator);
  size_t f = session->functionals = gradyn_functional_count(session->evaluator);
  session->param = cli_take(p, sizeof *session->param);
  session->rho = cli_take(p, sizeof *session->rho);
  session->vary = cli_take(p, sizeof *session->vary);
  session->functional = cli_take(f, sizeof *session->functional);
  describe(session);
  for (size_t i = 0; i < p; i++) {
    /* values of --from and --set replace these later */
    session->rho[i] = session->param[i].init;
    session->vary[i] = !session->param[i].fixed;
  }
}

/* Notes parameters without bounds, which a future version will refuse. */
static void note_missing_bounds(const cli_session *session)
{
  for (size_t i = 0; i < gradyn_parameter_count(session->evaluator); i++) {
    const gradyn_parameter_info p = gradyn_parameter_at(session->evaluator, i);
    if (p.bounds_missing)
      cli_session_note(session,
                       "deprecated: parameter %s: lower = upper = 0; a future version refuses "
                       "it. Write GRADYN_UNBOUNDED or .fixed = true.",
                       p.name);
  }
}

/* Creates the evaluator, which then knows names, units and defaults. */
static int create_evaluator(cli_session *session)
{
  gradyn_status status = gradyn_evaluator_create(session->problem, &session->evaluation,
                                                 session->settings, session->setting_count,
                                                 &session->evaluator);
  /* if the object could not be created, there is no message either */
  if (!session->evaluator)
    return cli_session_fail(session, GRADYN_NO_MEMORY, "%s",
                            gradyn_status_describe(GRADYN_NO_MEMORY).sentence);
  if (status != GRADYN_OK)
    return cli_session_refuse(session, status);
  lay_out(session);
  note_missing_bounds(session);
  return CLI_DONE;
}

/* Opens a session from a command line: problem, settings, method, evaluator, parameters, in this order. */
int cli_session_open(cli_session *session, const cli_options *options)
{
  memset(session, 0, sizeof *session);
  session->options = options;
  int status = open_registry(session);
  if (status != CLI_DONE || !options->command->operand)
    return status;
  status = cli_from_open(session);
  if (status == CLI_DONE)
    status = find_problem(session);
  if (status == CLI_DONE)
    status = take_cases(session);
  if (status != CLI_DONE)
    return status;
  /* settings come before the evaluator, because they determine its model; parameters come after it, because
   * it knows their names */
  status = choose_march(session);
  if (status == CLI_DONE)
    status = cli_assign_settings(session);
  if (status == CLI_DONE)
    status = create_evaluator(session);
  if (status == CLI_DONE)
    status = cli_assign_parameters(session);
  return status == CLI_DONE ? cli_session_settle(session) : status;
}

int cli_session_settle(cli_session *session)
{
  /* a failure of build() is not reported here, because the next run reports it */
  session->t_end = NAN;
  const gradyn_status status = gradyn_evaluator_preview(session->evaluator, session->rho,
                                                        &session->t_end, NULL, NULL);
  return status == GRADYN_NO_MEMORY ? cli_session_refuse(session, status) : CLI_DONE;
}

/* Closes a session, also one that was opened only in part. */
void cli_session_close(cli_session *session)
{
  free(session->rho);
  free(session->vary);
  free(session->param);
  free(session->functional);
  free(session->settings);
  gradyn_evaluator_free(session->evaluator);
  gradyn_cases_free(session->cases);
  free(session->cases_file);
  cli_from_close(session);
  gradyn_registry_free(session->registry);
}

/* Writes a file into the folder of --out. Other files in the folder do not change. */
int cli_session_keep(const cli_session *session, const char *name,
                     void (*fill)(FILE *file, void *about), void *about)
{
  const char *folder = session->options->out;
  gradyn_file file;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return cli_session_fail(session, GRADYN_IO, "%s cannot be made: %s", folder, strerror(errno));
  /* the file is written completely or not at all */
  gradyn_status status = gradyn_file_begin(&file, folder, name, &cli_file_keeper);
  if (status == GRADYN_OK) {
    fill(file.stream, about);
    status = gradyn_file_end(&file, GRADYN_OK);
  }
  return status == GRADYN_OK ? CLI_DONE : cli_session_fail(session, status, "%s", file.message);
}
