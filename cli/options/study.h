/* The study folder of a command (optim/study/folder.h), as given by its options. */
#ifndef GRADYN_CLI_STUDY_H
#define GRADYN_CLI_STUDY_H

#include "cli/options/session.h"
#include "optim/study/motion.h"

/* Opens a folder whose temporary files are removed at an early end, as gradyn_folder_open() does. */
gradyn_status cli_study_open(gradyn_folder *study, const char *path, bool replace);

/* Opens a session and runs work() with the folder of --out, if given, after removing files of an earlier
 * run. The folder is opened before the run, so that a failure does not waste the run. Returns the exit
 * status. */
int cli_study_with(const cli_options *options,
                   int (*work)(cli_session *session, gradyn_folder *study));

/* Opens the folder of --out, or a new one gradyn-PROBLEM<kind>. */
gradyn_status cli_study_open_for(gradyn_folder *study, const cli_session *session,
                                 const char *kind);

/* The same with a folder for journals inside. Old journals are removed unless the study is continued. *path
 * is its path, owned by the caller. */
gradyn_status cli_study_open_many(gradyn_folder *study, const cli_session *session,
                                  const char *kind, const char *journals, char **path);

/* The motion just simulated at rho by the session's evaluator, with the times of --samples. *grace: for
 * cli_interrupt_cancels(). */
gradyn_motion cli_study_motion(const cli_session *session, const double *rho,
                               const gradyn_trajectory *trajectory, const char *suffix,
                               double *grace);

#endif
