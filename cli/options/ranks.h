/* Processes started by mpirun: rank 0 leads, and the others help with searches and points.
 *
 * All processes run the same command. Rank 0 prints, creates the folder of the study and writes its files.
 * The others prepare the same work, wait until rank 0 invites them to a folder, do their share and end. A
 * build without MPI never has more than one process. */
#ifndef GRADYN_CLI_RANKS_H
#define GRADYN_CLI_RANKS_H

#include <gradyn/study.h>

#include "cli/options/options.h"

/* Call at the beginning: joins the other processes, if there are any. Output of ranks other than 0 is then
 * suppressed. */
void cli_ranks_join(void);

/* Returns whether mpirun has started several processes; also in a build without MPI. */
bool cli_ranks_expected(void);

/* Returns whether this is one of several processes that have joined. */
bool cli_ranks_several(void);
/* Returns whether this process is not rank 0. */
bool cli_ranks_helper(void);

/* For rank 0: asks the others to work on journals in a folder; NULL: there is no work. Only the first call
 * has an effect. */
void cli_ranks_invite(const char *folder);
/* For the others: waits for the invitation, and returns the folder, to be released by free(). NULL: there
 * is no work. */
char *cli_ranks_invitation(void);

/* Sets the members of *workers that distribute tasks among several processes; does nothing for one
 * process. */
void cli_ranks_share(gradyn_workers *workers);

/* Call regularly while rank 0 works, so that others can access its counter. The cost is negligible. */
void cli_ranks_attend(void);

/* Call after the work: announces that this process will not begin another part of it. */
void cli_ranks_leave(void);

/* Call at the end with the exit status of the command. Returns the exit status of this process. */
int cli_ranks_end(int status);

#endif
