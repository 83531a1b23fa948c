/* Processes started by mpirun: rank 0 leads, and the others help with searches and points.
 *
 * All processes run the same command. Rank 0 prints, creates the folder of the study and writes its files.
 * The others prepare the same work, wait until rank 0 invites them to a folder, do their share and end. A
 * build without MPI never has more than one process. */
#ifndef GRADYN_CLI_RANKS_H
#define GRADYN_CLI_RANKS_H

#include <gradyn/study.h>

#include "cli/options/options.h"

/* Call once, at the beginning: joins the other processes, if there are any, and waits for them. Output of
 * ranks other than 0 is then suppressed. In a build without MPI, no other process is joined. */
void cli_ranks_join(void);

/* Returns whether mpirun has started several processes; also in a build without MPI, and before
 * cli_ranks_join(). */
bool cli_ranks_expected(void);

/* Returns whether this is one of several processes that have joined; false before cli_ranks_join(). */
bool cli_ranks_several(void);
/* Returns whether this process is not rank 0; false for one process and before cli_ranks_join(). */
bool cli_ranks_helper(void);

/* For rank 0: asks the others to work on journals in a folder; NULL: there is no work. Only the first call
 * has an effect; none for one process. */
void cli_ranks_invite(const char *folder);

/* For ranks other than 0, once: waits for the invitation of rank 0, and returns its folder, to be released
 * by free(). NULL: there is no work, or the build has no MPI. */
char *cli_ranks_invitation(void);

/* Sets the members begin, next, end, rank and helps of *workers, which distribute tasks among several
 * processes, for use until cli_ranks_leave(). No effect for one process. */
void cli_ranks_share(gradyn_workers *workers);

/* Call regularly while rank 0 works, so that others can access its counter. The cost is negligible; no effect
 * for other ranks and for one process. */
void cli_ranks_attend(void);

/* Call after the work, also after a failure: announces that this process will not begin another part of the
 * work. After an invitation to work, waits for the others, which then begin no part either. Further calls
 * have no effect. */
void cli_ranks_leave(void);

/* Call once, at the end, with the exit status of the command; waits for all processes. Rank 0 prints the
 * messages of others that have failed at shared work. Returns the exit status of this process: `status`, but
 * CLI_DONE for other ranks unless they have failed at shared work. No function of this header may follow. */
int cli_ranks_end(int status);

#endif
