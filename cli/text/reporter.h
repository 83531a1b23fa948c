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
  double due;  /* time of the next update, s of gradyn_seconds() */
  char *path;  /* path of the page, owned; NULL: not written yet */
} cli_reporter;

/* Prepares the reporter for the open study; session and study must outlive the reporter. A study that is not
 * open (path NULL) and --no-report give no page. Close the reporter in any case. */
void cli_reporter_begin(cli_reporter *reporter, const cli_session *session, gradyn_folder *study);
/* Releases the path; session, study and the page stay. May be repeated. */
void cli_reporter_close(cli_reporter *reporter);

/* Rewrites report.html in the folder of the study during the work if an update is due; running: text about
 * the progress, copied. With --open, the first call shows the page. Updates take at most 2 % of the time, and
 * are at least 3 s apart. Failures are not reported. */
void cli_reporter_renew(cli_reporter *reporter, const char *running);

/* Writes the page at the end. *path gets its path, valid until the reporter is closed; NULL: there is no
 * page, or an error. On failure the study's message has the reason. GRADYN_IO: also if a file of the study
 * could not be read; the page is then written with a note. Other errors: those of gradyn_report_create() and
 * of files. */
gradyn_status cli_reporter_finish(cli_reporter *reporter, const char **path);

/* For commands with one evaluation, with an open study: writes result.json, trajectory.csv, the data for the
 * report, and the page. result: becomes owned, also after a failure. trajectory NULL: of an additional
 * simulation at session->rho. covariance: for the rows of the trajectory; NULL: none. sensitivity: the report
 * shows effects of data. *report gets the path of the page, to be released by free(); NULL: none. On failure
 * study->message has the reason, and files that were complete stay. Errors: those of the simulation, of
 * files, and of cli_reporter_finish(). */
gradyn_status cli_reporter_once(const cli_session *session, gradyn_folder *study, json_t *result,
                                const gradyn_trajectory *trajectory,
                                const gradyn_covariance *covariance, bool sensitivity,
                                char **report);

/* Ends a command with one evaluation: with --out writes the folder by cli_reporter_once(), where trajectory
 * and sensitivity are explained. Then prints the object result with --json, or else the path of the page.
 * result becomes owned. Prints the reason of a failure, and returns the exit status. */
int cli_reporter_conclude(const cli_session *session, gradyn_folder *study, json_t *result,
                          const gradyn_trajectory *trajectory, bool sensitivity);

/* Writes the page of study [count], paths of folders of studies, to the file folder/name. running: text
 * about unfinished work, with which the page reloads; NULL: the work has ended. On failure message [size]
 * has the reason. GRADYN_IO: also if a file of a study could not be read; the page is then written with a
 * note. Other errors: those of gradyn_report_create() and of files. */
gradyn_status cli_reporter_write(const char *const study[], size_t count, const char *running,
                                 const char *folder, const char *name, char *message, size_t size);

/* Shows a file in the user's browser, without waiting for it. A failure to start the browser is a note on
 * standard error. */
void cli_reporter_open(const char *path);

#endif
