/* Keeps the report of a study up to date while its command runs.
 *
 * A page is written again every few seconds while a search goes on, but never takes more than a small
 * share of the time; once at the end it has everything. Beside it the study gets what a page needs and a
 * search has not: the model at a design, invariants of its motion, effects of its data. */
#include "cli/page/reporter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/files/csv.h"
#include "cli/options/file.h"
#include "cli/text/json.h"
#include "cli/options/memory.h"
#include "cli/page/model_json.h"
#include "cli/page/page.h"
#include "cli/text/plain.h"
#include "core/base/clock.h"
#include <gradyn/look.h>

/* A page is renewed every few seconds, but takes no more than this share of the time. */
#define PERIOD 3.0
#define SHARE 0.02

extern char **environ;

void cli_reporter_begin(cli_reporter *reporter, const cli_session *session, cli_study *study)
{
  *reporter = (cli_reporter){.session = session,
                             .study = study,
                             .off = session->options->folder.no_report || !study->folder,
                             .due = gradyn_seconds() + PERIOD};
}

void cli_reporter_close(cli_reporter *reporter)
{
  free(reporter->path);
  reporter->path = NULL;
}

/* --- what a simulation leaves ------------------------------------------------------------------- */

/* Energies and drift at every step of a motion. */
static void write_conditions(FILE *file, const gradyn_trajectory *trajectory,
                             const gradyn_condition *condition)
{
  (void)fputs("t [s],kinetic energy [J],potential energy [J],energy [J],position drift,"
              "velocity drift\n",
              file);
  for (size_t i = 0; i < gradyn_trajectory_steps(trajectory); i++) { /* a row for each step */
    const gradyn_condition *c = &condition[i];
    const double row[] = {c->kinetic, c->potential, c->kinetic + c->potential, c->drift_position,
                          c->drift_velocity};
    gradyn_csv_number(file, gradyn_trajectory_step(trajectory, i, NULL));
    gradyn_csv_numbers(file, row, sizeof row / sizeof row[0]);
    (void)fputc('\n', file);
  }
}

/* Of mechanisms only: general equations have none. */
static gradyn_status record_conditions(cli_reporter *reporter, const gradyn_trajectory *trajectory,
                                       const char *suffix)
{
  cli_study *study = reporter->study;
  gradyn_evaluator *evaluator = reporter->session->evaluator;
  gradyn_condition *condition = cli_take(gradyn_trajectory_steps(trajectory), sizeof *condition);
  gradyn_status status = gradyn_examine(evaluator, trajectory, condition);
  /* one file a trajectory */
  if (status == GRADYN_OK) {
    gradyn_file file;
    char name[64];
    (void)snprintf(name, sizeof name, "invariants%s.csv", suffix);
    status = gradyn_file_begin(&file, study->folder, name, &cli_file_keeper);
    if (status == GRADYN_OK)
      write_conditions(file.stream, trajectory, condition);
    status = gradyn_file_end(&file, status);
    if (status != GRADYN_OK)
      (void)snprintf(study->message, sizeof study->message, "%s", file.message);
  } else {
    (void)snprintf(study->message, sizeof study->message, "%s",
                   gradyn_evaluator_message(evaluator));
  }
  free(condition);
  return status;
}

/* What the page needs of a run that has just been made. */
gradyn_status cli_reporter_record(cli_reporter *reporter, const double *rho,
                                  const gradyn_trajectory *trajectory, const char *suffix,
                                  bool sensitivity, const char *objective)
{
  char name[64];
  gradyn_status status = GRADYN_OK;
  if (reporter->off)
    return status;
  json_t *model = cli_model_json(reporter->session, rho);
  if (trajectory && gradyn_model_describe(reporter->session->evaluator).axes > 0)
    status = record_conditions(reporter, trajectory, suffix);
  if (sensitivity)
    cli_model_add_sensitivity(reporter->session, rho, objective, model);
  (void)snprintf(name, sizeof name, "model%s.json", suffix);
  gradyn_status written = cli_study_json(reporter->study, name, model);
  return status == GRADYN_OK ? written : status;
}

/* --- the page ----------------------------------------------------------------------------------- */

/* Into the study's own folder; opened in a browser once. */
static gradyn_status write_page(cli_reporter *reporter, const char *running, char *message,
                                size_t size)
{
  const char *const folder[] = {reporter->study->folder};
  const cli_page page = {
      .folder = folder, .count = 1, .running = running, .in = folder[0], .name = "report.html"};
  gradyn_status status = cli_page_write(&page, message, size);
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
  /* a page that cannot be written now is told at the end; the search matters more */
  (void)write_page(reporter, running, message, sizeof message);
  double end = gradyn_seconds(), rest = (end - start) / SHARE;
  /* the page takes SHARE of the time at most */
  reporter->due = end + (rest > PERIOD ? rest : PERIOD);
}

gradyn_status cli_reporter_finish(cli_reporter *reporter, const char **path)
{
  cli_study *study = reporter->study;
  *path = NULL;
  if (reporter->off)
    return GRADYN_OK;
  /* the last page says no more that something is going on */
  const gradyn_status status = write_page(reporter, NULL, study->message, sizeof study->message);
  if (status == GRADYN_OK)
    *path = reporter->path;
  return status;
}

/* A trajectory at the session's parameters; its reason of a failure goes into the study's message. */
static gradyn_status simulate(const cli_session *session, cli_study *study,
                              gradyn_trajectory *trajectory)
{
  gradyn_status status = trajectory
                             ? gradyn_simulate(session->evaluator, session->rho, NULL, trajectory)
                             : GRADYN_NO_MEMORY;
  if (status != GRADYN_OK)
    (void)snprintf(study->message, sizeof study->message, "%s",
                   trajectory ? gradyn_evaluator_message(session->evaluator)
                              : "no memory for a trajectory");
  return status;
}

gradyn_status cli_reporter_once(const cli_session *session, cli_study *study, json_t *result,
                                const gradyn_trajectory *trajectory, bool sensitivity,
                                char **report)
{
  gradyn_trajectory *own = NULL;
  gradyn_status status = GRADYN_OK;
  *report = NULL;
  if (!trajectory) {
    trajectory = own = gradyn_trajectory_create();
    status = simulate(session, study, own);
  }
  /* the trajectory first: it can be drawn without the rest */
  if (status == GRADYN_OK)
    status = cli_study_trajectory(study, "trajectory.csv", trajectory,
                                  (size_t)session->options->samples, session->grace);
  if (status == GRADYN_OK)
    status = cli_study_events(study, session->evaluator, "");
  if (status == GRADYN_OK) {
    json_t *root = json_copy(result);     /* what is printed need not tell what was typed */
    cli_json_command_line(session, root); /* as typed: a later report tells it */
    status = cli_study_json(study, "result.json", root);
  }
  json_decref(result);
  cli_reporter reporter;
  /* without a record the page would show half a run */
  cli_reporter_begin(&reporter, session, study);
  if (status == GRADYN_OK)
    status = cli_reporter_record(&reporter, session->rho, trajectory, "", sensitivity, NULL);
  const char *path = NULL;
  if (status == GRADYN_OK)
    status = cli_reporter_finish(&reporter, &path);
  if (path)
    *report = cli_text("%s", path);
  cli_reporter_close(&reporter);
  gradyn_trajectory_free(own);
  return status;
}

/* What a browser is to find as if it had been started from a shell: no streams of ours, signals that
 * are not ignored, and a group of its own, so that Ctrl-C ends the search and not the browser. */
static bool like_from_a_shell(posix_spawn_file_actions_t *streams, posix_spawnattr_t *attributes)
{
  /* SIGPIPE and SIGXFSZ are ignored by us, and children inherit that */
  sigset_t ignored; /* cli/text/streams.c */
  bool good = sigemptyset(&ignored) == 0 && sigaddset(&ignored, SIGPIPE) == 0 &&
              sigaddset(&ignored, SIGXFSZ) == 0 &&
              posix_spawnattr_setsigdefault(attributes, &ignored) == 0 &&
              posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP) ==
                  0;
  /* all three streams, so that the browser's remarks do not get between ours */
  for (int stream = 0; stream <= 2; stream++)
    good = good && posix_spawn_file_actions_addopen(streams, stream, "/dev/null",
                                                    stream == 0 ? O_RDONLY : O_WRONLY, 0) == 0;
  return good;
}

/* Opens the page in a browser that outlives the command. */
void cli_reporter_open(const char *path)
{
  pid_t child;
  /* a name with a dash would be an option */
  char name[] = "xdg-open", *file = cli_text("%s%s", *path == '-' ? "./" : "", path);
  /* no shell: the path may hold anything */
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
  /* the report is there all the same */
  if (error != 0)
    cli_say(stderr, "gradyn: note: no browser: xdg-open: %s; the report is %s\n", strerror(error),
            path);
  free(file);
}
