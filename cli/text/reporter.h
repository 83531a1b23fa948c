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

/* Prepares the reporter for the open study; session and study are borrowed. Close the reporter in any
 * case. */
void cli_reporter_begin(cli_reporter *reporter, const cli_session *session, gradyn_folder *study);
void cli_reporter_close(cli_reporter *reporter);

/* Rewrites the page during the work if an update is due; running: text about the progress. Updates take at
 * most 2 % of the time. Failures are not reported. */
void cli_reporter_renew(cli_reporter *reporter, const char *running);

/* Writes the page at the end. *path gets its path, valid until the reporter is closed; NULL: there is no
 * page. On failure the study's message has the reason. Errors: those of gradyn_report_create() and of
 * files. */
gradyn_status cli_reporter_finish(cli_reporter *reporter, const char **path);

/* For commands with one evaluation: writes result.json, trajectory.csv, the data for the report, and the
 * page. result: becomes owned. trajectory NULL: of an additional simulation. covariance: for the rows of
 * the trajectory; NULL: none. sensitivity: the report shows effects of data. *report gets the path of the
 * page, to be released by free(); NULL: none. On failure study->message has the reason. */
gradyn_status cli_reporter_once(const cli_session *session, gradyn_folder *study, json_t *result,
                                const gradyn_trajectory *trajectory,
                                const gradyn_covariance *covariance, bool sensitivity,
                                char **report);

/* Ends such a command: with --out writes the folder by cli_reporter_once(), then prints the object result
 * with --json, or else the path of the page. result becomes owned. Prints the reason of a failure, and
 * returns the exit status. */
int cli_reporter_conclude(const cli_session *session, gradyn_folder *study, json_t *result,
                          const gradyn_trajectory *trajectory, bool sensitivity);

/* Writes the page of study [count], folders of studies, to the file folder/name. running: as for
 * gradyn_report_create(). On failure message [size] has the reason. Errors: those of gradyn_report_create()
 * and of files. */
gradyn_status cli_reporter_write(const char *const study[], size_t count, const char *running,
                                 const char *folder, const char *name, char *message, size_t size);

/* Shows a file in the user's browser. A failure is a note on standard error. */
void cli_reporter_open(const char *path);

#endif
