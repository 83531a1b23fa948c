/* A study: the folder in which a run leaves its files. Files appear whole or not at all, but for
 * history.csv, which grows line by line. */
#ifndef GRADYN_CLI_STUDY_H
#define GRADYN_CLI_STUDY_H

#include <jansson.h>
#include <stdio.h>

#include <gradyn/study.h>

#include "cli/options/file.h"
#include "cli/options/session.h"

typedef struct cli_study {
  char *folder;  /* owned */
  FILE *history; /* NULL until begun */
  char message[512];
} cli_study;

/* Opens a folder, made with its parents if missing, and makes sure that files can be written there.
 * GRADYN_INVALID: it holds a study and replace is false; this and other failures (GRADYN_IO) leave
 * the reason in message. Close in any case. */
gradyn_status cli_study_open(cli_study *study, const char *folder, bool replace);

/* Makes a new folder: name, or the first of name-2, name-3, ... that does not exist. */
gradyn_status cli_study_open_new(cli_study *study, const char *name);

/* Opens the folder of --out, or a new one gradyn-PROBLEM-KIND, and one for journals in it, from which
 * old ones are removed unless the study goes on; *path is its path, owned by the caller. */
gradyn_status cli_study_open_for(cli_study *study, const cli_session *session, const char *kind,
                                 const char *journals, char **path);

/* Makes a folder within the study's, if it is missing, and puts its path, owned by the caller, into
 * *path. */
gradyn_status cli_study_folder(cli_study *study, const char *name, char **path);

/* Removes the journals of a folder, unless a process is at work on one. */
gradyn_status cli_study_remove_journals(cli_study *study, const char *path);

/* Begins any file of the study; to be ended by gradyn_file_end(). */
gradyn_status cli_study_begin(cli_study *study, gradyn_file *file, const char *name);
gradyn_status cli_study_end(cli_study *study, gradyn_file *file, gradyn_status status);
/* Opens the folder that --out names, if there is one. Prints the reason of a failure and returns the exit
 * status. */
int cli_study_open_given(cli_study *study, const cli_session *session);

/* Removes results of an earlier study, so that nobody takes them for those of this one; its settings
 * stay if it goes on (resumed), until new ones take their place: without them it could not be resumed. */
gradyn_status cli_study_discard(cli_study *study, bool resumed);

gradyn_status cli_study_json(cli_study *study, const char *name,
                             json_t *root); /* takes root over */
gradyn_status cli_study_trajectory(cli_study *study, const char *name,
                                   const gradyn_trajectory *trajectory, size_t samples,
                                   double grace); /* s, after a request to end */

/* The events of the last run, "events<suffix>.csv"; nothing if there were none. */
gradyn_status cli_study_events(cli_study *study, const gradyn_evaluator *evaluator,
                               const char *suffix);

/* history.csv: headings, then one row an evaluation, flushed at once. GRADYN_IO: a row could not be
 * written, the reason is in message; from then on there are none, and no further failures. */
gradyn_status cli_study_begin_history(cli_study *study, const cli_session *session);
gradyn_status cli_study_add_history(cli_study *study, const cli_session *session,
                                    const gradyn_iteration *iteration);
gradyn_status cli_study_end_history(cli_study *study);

void cli_study_close(cli_study *study);

#endif
