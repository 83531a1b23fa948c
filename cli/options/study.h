/* The folder of a command's study (optim/study/folder.h), as its options name it. */
#ifndef GRADYN_CLI_STUDY_H
#define GRADYN_CLI_STUDY_H

#include "cli/options/session.h"
#include "optim/study/motion.h"

/* Opens a folder whose files are removed at an early end, as gradyn_folder_open() does. */
gradyn_status cli_study_open(gradyn_folder *study, const char *path, bool replace);

/* Opens a session and does work that has the folder that --out names, if there is one, emptied of what an
 * earlier run has left. It is opened first: to fail there later would waste the run. */
int cli_study_with(const cli_options *options,
                   int (*work)(cli_session *session, gradyn_folder *study));

/* Opens the folder of --out, or a new one gradyn-PROBLEM<kind>. */
gradyn_status cli_study_open_for(gradyn_folder *study, const cli_session *session,
                                 const char *kind);

/* The same with a folder for journals in it, from which old ones are removed unless the study goes on; *path
 * is its path, owned by the caller. */
gradyn_status cli_study_open_many(gradyn_folder *study, const cli_session *session,
                                  const char *kind, const char *journals, char **path);

/* The motion of the session's evaluator just simulated at rho, as --samples wants it; *grace: of
 * cli_interrupt_cancels(). */
gradyn_motion cli_study_motion(const cli_session *session, const double *rho,
                               const gradyn_trajectory *trajectory, const char *suffix,
                               double *grace);

#endif
