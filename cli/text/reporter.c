/* Updates the report of a study while its command runs. During a search the page is rewritten every few
 * seconds, but takes only a small fraction of the time. At the end it is complete. */
#include "cli/text/reporter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/file.h"
#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "core/base/clock.h"
#include "report/page/data.h"
#include <gradyn/study.h>

/* Seconds between updates of the page, and the largest fraction of the time for them. */
#define PERIOD 3.0
#define SHARE 0.02

extern char **environ;

void cli_reporter_begin(cli_reporter *reporter, const cli_session *session, gradyn_folder *study)
{
  *reporter = (cli_reporter){.session = session,
                             .study = study,
                             .off = session->options->folder.no_report || !study->path,
                             .due = gradyn_seconds() + PERIOD};
}

void cli_reporter_close(cli_reporter *reporter)
{
  free(reporter->path);
  reporter->path = NULL;
}

/* --- Page --------------------------------------------------------------------------------------- */

gradyn_status cli_reporter_write(const char *const study[], size_t count, const char *running,
                                 const char *folder, const char *name, char *message, size_t size)
{
  gradyn_report *report;
  gradyn_file file;
  const gradyn_status made = gradyn_report_create(study, count, running, &report);
  (void)snprintf(message, size, "%s", gradyn_report_message(report));
  gradyn_status status = made;
  /* if a file cannot be read, the page is still written, with a note */
  if (made == GRADYN_OK || made == GRADYN_IO) {
    status = gradyn_file_begin(&file, folder, name, &cli_file_keeper);
    if (status == GRADYN_OK) {
      status = gradyn_report_print(report, file.stream);
      /* gradyn_file_end() gives the reason */
      status = gradyn_file_end(&file, status == GRADYN_IO ? GRADYN_OK : status);
    }
    if (file.message[0])
      (void)snprintf(message, size, "%s", file.message);
  }
  gradyn_report_free(report);
  return status == GRADYN_OK ? made : status;
}

/* Writes the page into the study's folder; opens it in a browser once. */
static gradyn_status write_page(cli_reporter *reporter, const char *running, char *message,
                                size_t size)
{
  const char *const folder[] = {reporter->study->path};
  gradyn_status status = cli_reporter_write(folder, 1, running, folder[0], "report.html", message,
                                            size);
  if (status == GRADYN_OK && !reporter->path)
    reporter->path = cli_text("%s/report.html", folder[0]);
  if (status == GRADYN_OK && reporter->session->options->folder.open && !reporter->opened) {
    cli_reporter_open(reporter->path);
    reporter->opened = true;
  }
  return status;
}

void cli_reporter_renew(cli_reporter *reporter, const char *running)
{
  char message[512];
  double start = gradyn_seconds();
  bool first = reporter->session->options->folder.open && !reporter->opened;
  if (reporter->off || (start < reporter->due && !first))
    return;
  /* a failure is reported at the end, because the search must continue */
  (void)write_page(reporter, running, message, sizeof message);
  double end = gradyn_seconds(), rest = (end - start) / SHARE;
  /* updates take at most SHARE of the time */
  reporter->due = end + (rest > PERIOD ? rest : PERIOD);
}

gradyn_status cli_reporter_finish(cli_reporter *reporter, const char **path)
{
  gradyn_folder *study = reporter->study;
  *path = NULL;
  if (reporter->off)
    return GRADYN_OK;
  /* the last page no longer states that work is running */
  const gradyn_status status = write_page(reporter, NULL, study->message, sizeof study->message);
  if (status == GRADYN_OK)
    *path = reporter->path;
  return status;
}

/* Simulates at the session's parameters. On failure the study's message has the reason. */
static gradyn_status simulate(const cli_session *session, gradyn_folder *study,
                              gradyn_trajectory *trajectory)
{
  gradyn_status status = trajectory ? gradyn_evaluator_simulate(session->evaluator, session->rho,
                                                                NULL, trajectory)
                                    : GRADYN_NO_MEMORY;
  if (status != GRADYN_OK)
    (void)snprintf(study->message, sizeof study->message, "%s",
                   trajectory ? gradyn_evaluator_message(session->evaluator)
                              : "no memory for a trajectory");
  return status;
}

gradyn_status cli_reporter_once(const cli_session *session, gradyn_folder *study, json_t *result,
                                const gradyn_trajectory *trajectory,
                                const gradyn_covariance *covariance, bool sensitivity,
                                char **report)
{
  gradyn_trajectory *own = NULL;
  gradyn_status status = GRADYN_OK;
  *report = NULL;
  if (!trajectory) {
    trajectory = own = gradyn_trajectory_create();
    status = simulate(session, study, own);
  }
  /* the trajectory first: it can be shown without the other files */
  double grace = session->grace;
  gradyn_motion motion = cli_study_motion(session, session->rho, trajectory, "", &grace);
  motion.covariance = covariance;
  if (status == GRADYN_OK)
    status = gradyn_motion_keep(study, &motion);
  if (status == GRADYN_OK) {
    json_t *root = json_copy(result);     /* the printed object does not need the command line */
    cli_json_command_line(session, root); /* as typed: a later report prints it */
    status = gradyn_folder_json(study, "result.json", root);
  }
  json_decref(result);
  cli_reporter reporter;
  /* without a trajectory the page would be incomplete */
  cli_reporter_begin(&reporter, session, study);
  const gradyn_model_effects effects = {NULL, session->evaluation.sensitivity};
  if (status == GRADYN_OK && !reporter.off)
    status = gradyn_motion_describe(study, &motion, sensitivity ? &effects : NULL);
  const char *path = NULL;
  if (status == GRADYN_OK)
    status = cli_reporter_finish(&reporter, &path);
  if (path)
    *report = cli_text("%s", path);
  cli_reporter_close(&reporter);
  gradyn_trajectory_free(own);
  return status;
}

int cli_reporter_conclude(const cli_session *session, gradyn_folder *study, json_t *result,
                          const gradyn_trajectory *trajectory, bool sensitivity)
{
  gradyn_status status = GRADYN_OK;
  char *report = NULL;
  if (session->options->out)
    status = cli_reporter_once(session, study, json_incref(result), trajectory, NULL, sensitivity,
                               &report);
  if (session->options->print.json) {
    if (status != GRADYN_OK) /* the object also reports the failure */
      cli_json_add_failure(result, status, study->message);
    cli_json_print(json_incref(result));
  } else if (report) {
    cli_say(stdout, "report: %s\n", report);
  }
  free(report);
  json_decref(result);
  return status == GRADYN_OK ? CLI_DONE : cli_report(false, NULL, NULL, status, study->message);
}

/* Gives the browser the environment of a program started by a shell: separate streams, default signals, and
 * its own process group, so that Ctrl-C ends only the search. */
static bool like_from_a_shell(posix_spawn_file_actions_t *streams, posix_spawnattr_t *attributes)
{
  /* this program ignores SIGPIPE and SIGXFSZ, and children would inherit this */
  sigset_t ignored; /* cli/base/streams.c */
  bool good = sigemptyset(&ignored) == 0 && sigaddset(&ignored, SIGPIPE) == 0 &&
              sigaddset(&ignored, SIGXFSZ) == 0 &&
              posix_spawnattr_setsigdefault(attributes, &ignored) == 0 &&
              posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP) ==
                  0;
  /* all three streams, so that messages of the browser are not mixed with the output */
  for (int stream = 0; stream <= 2; stream++)
    good = good && posix_spawn_file_actions_addopen(streams, stream, "/dev/null",
                                                    stream == 0 ? O_RDONLY : O_WRONLY, 0) == 0;
  return good;
}

/* The command that opens a file with the user's preferred program. */
#ifdef __APPLE__
#define OPENER "open"
#else
#define OPENER "xdg-open"
#endif

/* The browser continues after the end of the command. */
void cli_reporter_open(const char *path)
{
  pid_t child;
  /* a path that begins with a dash would be an option */
  char name[] = OPENER, *file = cli_text("%s%s", *path == '-' ? "./" : "", path);
  /* no shell, because the path may contain any characters */
  char *const arguments[] = {name, file, NULL};
  posix_spawn_file_actions_t streams;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&streams);
  if (error == 0) {
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
      error = like_from_a_shell(&streams, &attributes)
                  ? posix_spawnp(&child, name, &streams, &attributes, arguments, environ)
                  : ENOMEM;
      (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&streams);
  }
  /* the report exists even if no browser starts */
  if (error != 0)
    cli_say(stderr, "gradyn: note: no browser: " OPENER ": %s; the report is %s\n", strerror(error),
            path);
  free(file);
}
