/* Processes started by mpirun: rank 0 leads, and the others help with searches and points.
 *
 * All processes run the same command. Rank 0 prints, creates the folder of the study and writes its files.
 * The others prepare the same work, wait until rank 0 invites them to a folder, do their share and end. A
 * build without MPI never has more than one process. */
#ifndef GRADYN_CLI_RANKS_H
#define GRADYN_CLI_RANKS_H

#include <gradyn/study.h>

#include "cli/options/options.h"

/* At the beginning: joins the other processes, if there are any. From then on, output of ranks other than 0
 * is suppressed. */
void cli_ranks_join(void);

/* Whether mpirun has started several processes; also works in a build without MPI. */
bool cli_ranks_expected(void);

/* several: this is one of several processes. helper: it is not rank 0. */
bool cli_ranks_several(void);
bool cli_ranks_helper(void);

/* invite: rank 0 asks the others to work on journals in a folder. invitation: the others wait for this and
 * return the folder, to be released with free(). NULL: there is no work. */
void cli_ranks_invite(const char *folder);
char *cli_ranks_invitation(void);

/* Makes the processes share work, if there are several. */
void cli_ranks_share(gradyn_workers *workers);

/* To be called regularly while rank 0 works, so that others can access its counter. The cost is
 * negligible. */
void cli_ranks_attend(void);

/* After the work: announces that this process will not begin another part of it. */
void cli_ranks_leave(void);

/* At the end, with the exit status of the command; returns that of the process. */
int cli_ranks_end(int status);

#endif
