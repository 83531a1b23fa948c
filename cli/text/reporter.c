/* Updates the report of a study while its command runs. During a search, the page is rewritten every few
 * seconds, which takes only a small fraction of the time. At the end, the page is complete. */
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

/* PERIOD: seconds between updates of the page. SHARE: largest fraction of the time that updates may take. */
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
  /* if a file of the study cannot be read, the page is still written, with a note */
  if (made == GRADYN_OK || made == GRADYN_IO) {
    status = gradyn_file_begin(&file, folder, name, &cli_file_keeper);
    if (status == GRADYN_OK) {
      status = gradyn_report_print(report, file.stream);
      /* an error of writing is reported by gradyn_file_end(), which knows the reason */
      status = gradyn_file_end(&file, status == GRADYN_IO ? GRADYN_OK : status);
    }
    if (file.message[0])
      (void)snprintf(message, size, "%s", file.message);
  }
  gradyn_report_free(report);
  return status == GRADYN_OK ? made : status;
}

/* Writes the page into the folder of the study. Opens it in a browser the first time. */
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
  /* the search must continue, so that a failure is only reported at the end */
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
  /* the last page does not state that the command is running */
  const gradyn_status status = write_page(reporter, NULL, study->message, sizeof study->message);
  if (status == GRADYN_OK)
    *path = reporter->path;
  return status;
}

/* Simulates at the parameters of the session. On failure the message of the study states the reason. */
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
  /* writes the trajectory first, because it can be shown without the other files */
  double grace = session->grace;
  gradyn_motion motion = cli_study_motion(session, session->rho, trajectory, "", &grace);
  motion.covariance = covariance;
  if (status == GRADYN_OK)
    status = gradyn_motion_keep(study, &motion);
  if (status == GRADYN_OK) {
    /* a copy, because the printed object does not need the command line */
    json_t *root = json_copy(result);
    cli_json_command_line(session,
                          root); /* the command line as typed, which a later report prints */
    status = gradyn_folder_json(study, "result.json", root);
  }
  json_decref(result);
  cli_reporter reporter;
  /* the page is omitted if the trajectory could not be written */
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
    if (status != GRADYN_OK) /* the printed object also reports the failure */
      cli_json_add_failure(result, status, study->message);
    cli_json_print(json_incref(result));
  } else if (report) {
    cli_say(stdout, "report: %s\n", report);
  }
  free(report);
  json_decref(result);
  return status == GRADYN_OK ? CLI_DONE : cli_report(false, NULL, NULL, status, study->message);
}

/* Gives the browser the environment of a program that a shell starts: separate streams, default signals,
 * and its own process group, so that Ctrl-C ends only the search. */
static bool like_from_a_shell(posix_spawn_file_actions_t *streams, posix_spawnattr_t *attributes)
{
  /* resets SIGPIPE and SIGXFSZ, which this program ignores and a child would inherit */
  sigset_t ignored; /* cli/base/streams.c */
  bool good = sigemptyset(&ignored) == 0 && sigaddset(&ignored, SIGPIPE) == 0 &&
              sigaddset(&ignored, SIGXFSZ) == 0 &&
              posix_spawnattr_setsigdefault(attributes, &ignored) == 0 &&
              posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP) ==
                  0;
  /* replaces all three streams, so that messages of the browser are not mixed with the output */
  for (int stream = 0; stream <= 2; stream++)
    good = good && posix_spawn_file_actions_addopen(streams, stream, "/dev/null",
                                                    stream == 0 ? O_RDONLY : O_WRONLY, 0) == 0;
  return good;
}

/* The command that opens a file with the program that the user prefers. */
#ifdef __APPLE__
#define OPENER "open"
#else
#define OPENER "xdg-open"
#endif

/* Opens a page in a browser, which remains open after the command has ended. */
void cli_reporter_open(const char *path)
{
  pid_t child;
  /* without "./", a path that begins with a dash would be an option */
  char name[] = OPENER, *file = cli_text("%s%s", *path == '-' ? "./" : "", path);
  /* arguments are passed without a shell, because the path may contain any characters */
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
  /* the report is written even if no browser starts */
  if (error != 0)
    cli_say(stderr, "gradyn: note: no browser: " OPENER ": %s; the report is %s\n", strerror(error),
            path);
  free(file);
}
