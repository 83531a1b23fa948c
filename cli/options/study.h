/* The study folder of a command (optim/study/folder.h), as given by its options. */
#ifndef GRADYN_CLI_STUDY_H
#define GRADYN_CLI_STUDY_H

#include "cli/options/session.h"
#include "optim/study/motion.h"

/* As gradyn_folder_open(), with temporary files that are removed at an early end of the program. */
gradyn_status cli_study_open(gradyn_folder *study, const char *path, bool replace);

/* Opens a session, opens the folder of --out and removes files of an earlier run there, and calls work().
 * Without --out, study->path is NULL. The folder is opened before the run, so that its failure does not
 * waste the run. Returns the exit status. */
int cli_study_with(const cli_options *options,
                   int (*work)(cli_session *session, gradyn_folder *study));

/* Opens the folder of --out, or a new folder gradyn-PROBLEM<kind>. Close the study in any case. Errors:
 * those of gradyn_folder_open() and gradyn_folder_open_new(). */
gradyn_status cli_study_open_for(gradyn_folder *study, const cli_session *session,
                                 const char *kind);

/* As cli_study_open_for(), with a folder `journals` inside. Old journals there are removed, unless the
 * study is resumed or --shard is given. *path gets the path of the inner folder, to be released by
 * free(). */
gradyn_status cli_study_open_many(gradyn_folder *study, const cli_session *session,
                                  const char *kind, const char *journals, char **path);

/* Returns the motion that the session's evaluator has just simulated at rho [parameters], for --samples
 * times. All pointers are borrowed. suffix: of its files. *grace: the grace time for
 * cli_interrupt_cancels(), s. */
gradyn_motion cli_study_motion(const cli_session *session, const double *rho,
                               const gradyn_trajectory *trajectory, const char *suffix,
                               double *grace);

#endif
