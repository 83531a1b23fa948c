/* The study folder of a command (optim/study/folder.h), as given by its options. */
#ifndef GRADYN_CLI_STUDY_H
#define GRADYN_CLI_STUDY_H

#include "cli/options/session.h"
#include "optim/study/motion.h"

/* Opens a study's folder, created if necessary, as gradyn_folder_open(); temporary files are removed at an
 * early end of the program. Close it in any case. Errors, with study->message: GRADYN_INVALID, it has a
 * study and not `replace`; GRADYN_IO, GRADYN_NO_MEMORY. */
gradyn_status cli_study_open(gradyn_folder *study, const char *path, bool replace);

/* Opens a session, opens the folder of --out and removes result files of an earlier run there, and calls
 * work(), whose exit status is returned. Without --out, study->path is NULL. A folder with a study is refused
 * without --force. The folder is opened before the run, so that its failure does not waste the run. Session
 * and study are closed in any case. Prints the reason of a failure, and returns the exit status. */
int cli_study_with(const cli_options *options,
                   int (*work)(cli_session *session, gradyn_folder *study));

/* Opens the folder of --out, or a new folder gradyn-PROBLEM<kind>, with a number if it exists. A folder of
 * --out with a study is refused without --force, unless the study is resumed or --shard is given. Close the
 * study in any case. Errors, with study->message: GRADYN_IO, GRADYN_INVALID, GRADYN_NO_MEMORY. */
gradyn_status cli_study_open_for(gradyn_folder *study, const cli_session *session,
                                 const char *kind);

/* Opens the folder of --out, or a new folder gradyn-PROBLEM<kind>, and a folder `journals` inside. Close
 * the study in any case. Old journals there and old result files of the study are removed, unless the study
 * is resumed or --shard is given. *path, which is NULL before, gets the path of the inner folder, to be
 * released by free() also after a failure. */
gradyn_status cli_study_open_many(gradyn_folder *study, const cli_session *session,
                                  const char *kind, const char *journals, char **path);

/* Returns the motion that the session's evaluator has just simulated at rho [parameters], for --samples
 * times. All pointers are borrowed. suffix: of its files, before the extension; "": none. *grace: the grace
 * time for cli_interrupt_cancels(), s. */
gradyn_motion cli_study_motion(const cli_session *session, const double *rho,
                               const gradyn_trajectory *trajectory, const char *suffix,
                               double *grace);

#endif
