/* Updates the report of a study while its command runs. */
#ifndef GRADYN_CLI_REPORTER_H
#define GRADYN_CLI_REPORTER_H

#include "cli/options/session.h"
#include "cli/options/study.h"

typedef struct cli_reporter {
  const cli_session *session;
  gradyn_folder *study;
  bool off;    /* --no-report */
  bool opened; /* in a browser */
  double due;  /* time of the next update, s */
  char *path;  /* of the report, owned; NULL: none */
} cli_reporter;

/* Begins with the study open. The caller closes the reporter in any case. */
void cli_reporter_begin(cli_reporter *reporter, const cli_session *session, gradyn_folder *study);
void cli_reporter_close(cli_reporter *reporter);

/* During the work: rewrites the page if an update is due, with the text `running` about the progress.
 * Updates take a small fraction of the time. Their failures are not reported. */
void cli_reporter_renew(cli_reporter *reporter, const char *running);

/* At the end: writes the page; *path is its path, valid as long as the reporter is open, or NULL if there is
 * none. On failure the study's message has the reason. */
gradyn_status cli_reporter_finish(cli_reporter *reporter, const char **path);

/* For commands with one evaluation and an open study: writes result.json (takes ownership of result),
 * trajectory.csv (NULL: of an additional simulation), data for the report, and the page. covariance: of the
 * rows of the trajectory, NULL: none. *report is its path, to be released with free(); NULL: none. On failure
 * study->message has the reason. */
gradyn_status cli_reporter_once(const cli_session *session, gradyn_folder *study, json_t *result,
                                const gradyn_trajectory *trajectory,
                                const gradyn_covariance *covariance, bool sensitivity,
                                char **report);

/* The end of such commands: writes the folder of --out, if given, and prints the object of --json (taken
 * over) or the path of the page. Returns the exit status. */
int cli_reporter_conclude(const cli_session *session, gradyn_folder *study, json_t *result,
                          const gradyn_trajectory *trajectory, bool sensitivity);

/* Writes the page of studies [count] into a folder, under a name; running as for gradyn_report_create(). On
 * failure message [size] has the reason. */
gradyn_status cli_reporter_write(const char *const study[], size_t count, const char *running,
                                 const char *folder, const char *name, char *message, size_t size);

/* Shows a file in the user's browser. */
void cli_reporter_open(const char *path);

#endif
