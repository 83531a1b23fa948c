/* Keeps the report of a study up to date while its command runs. */
#ifndef GRADYN_CLI_REPORTER_H
#define GRADYN_CLI_REPORTER_H

#include "cli/options/session.h"
#include "cli/options/study.h"

typedef struct cli_reporter {
  const cli_session *session;
  gradyn_folder *study;
  bool off;    /* --no-report */
  bool opened; /* in a browser */
  double due;  /* when the page is next to be renewed, s */
  char *path;  /* of the report, owned; NULL: there is none */
} cli_reporter;

/* Begins with the study open. Close in any case. */
void cli_reporter_begin(cli_reporter *reporter, const cli_session *session, gradyn_folder *study);
void cli_reporter_close(cli_reporter *reporter);

/* During the work: renews the page if that is due, saying how far the work has come. It takes a small
 * share of the time. */
void cli_reporter_renew(cli_reporter *reporter, const char *running);

/* At the end: writes the page, whose path is in path then, or NULL if there is none. On failure the
 * reason is in the study's message. */
gradyn_status cli_reporter_finish(cli_reporter *reporter, const char **path);

/* For commands that evaluate once, with their study open: writes result.json (takes result over),
 * trajectory.csv (NULL: of a simulation of its own), the files above and the page, whose path is in
 * *report afterwards (free(); NULL: there is none). Failures: study->message. */
gradyn_status cli_reporter_once(const cli_session *session, gradyn_folder *study, json_t *result,
                                const gradyn_trajectory *trajectory, bool sensitivity,
                                char **report);

/* What they end with: the folder of --out, the object of --json (taken over) or the place of the page.
 * Returns the exit status. */
int cli_reporter_conclude(const cli_session *session, gradyn_folder *study, json_t *result,
                          const gradyn_trajectory *trajectory, bool sensitivity);

/* Writes the page of studies [count] into a folder, under a name; running as of gradyn_report_create(). On
 * failure the reason is in message [size]. */
gradyn_status cli_reporter_write(const char *const study[], size_t count, const char *running,
                                 const char *folder, const char *name, char *message, size_t size);

/* Shows a file in the user's browser. */
void cli_reporter_open(const char *path);

#endif
