/* Keeps the report of a study up to date while its command runs. */
#ifndef GRADYN_CLI_REPORTER_H
#define GRADYN_CLI_REPORTER_H

#include "cli/options/session.h"
#include "cli/page/study.h"

typedef struct cli_reporter {
  const cli_session *session;
  cli_study *study;
  bool off;    /* --no-report */
  bool opened; /* in a browser */
  double due;  /* when the page is next to be renewed, s */
  char *path;  /* of the report, owned; NULL: there is none */
} cli_reporter;

/* Begins with the study open. Close in any case. */
void cli_reporter_begin(cli_reporter *reporter, const cli_session *session, cli_study *study);
void cli_reporter_close(cli_reporter *reporter);

/* Writes model<suffix>.json and, for mechanisms, invariants<suffix>.csv: what the report needs of a
 * simulation at rho [parameters], the evaluator's last one, beside its trajectory. With `sensitivity` a
 * gradient by all data of the objective (NULL: the problem's) as well. Failures: study->message. */
gradyn_status cli_reporter_record(cli_reporter *reporter, const double *rho,
                                  const gradyn_trajectory *trajectory, const char *suffix,
                                  bool sensitivity, const char *objective);

/* During the work: renews the page if that is due, saying how far the work has come. It takes a small
 * share of the time. */
void cli_reporter_renew(cli_reporter *reporter, const char *running);

/* At the end: writes the page, whose path is in path then, or NULL if there is none. On failure the
 * reason is in the study's message. */
gradyn_status cli_reporter_finish(cli_reporter *reporter, const char **path);

/* For commands that evaluate once, with their study open: writes result.json (takes result over),
 * trajectory.csv (NULL: of a simulation of its own), the files above and the page, whose path is in
 * *report afterwards (free(); NULL: there is none). Failures: study->message. */
gradyn_status cli_reporter_once(const cli_session *session, cli_study *study, json_t *result,
                                const gradyn_trajectory *trajectory, bool sensitivity,
                                char **report);

/* Shows a file in the user's browser. */
void cli_reporter_open(const char *path);

#endif
