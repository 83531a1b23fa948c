/* Processes that mpirun has started: one leads, the others help it with searches and points.
 *
 * All of them run the same command. Rank 0 does all that is to be seen: it prints, makes the folder of
 * the study and writes its files. The others lay out the same work, wait until rank 0 invites them to a
 * folder, take their share and end. In a build without MPI there is never more than one process. */
#ifndef GRADYN_CLI_RANKS_H
#define GRADYN_CLI_RANKS_H

#include <gradyn/study.h>

#include "cli/options/options.h"

/* At the beginning: joins the others, if there are any. What a process other than rank 0 prints is
 * kept back from then on. */
void cli_ranks_join(void);

/* Whether mpirun has started several processes, known also to a build without MPI. */
bool cli_ranks_expected(void);

/* Whether this is one of several processes, or one of those other than rank 0. */
bool cli_ranks_several(void);
bool cli_ranks_helper(void);

/* Rank 0: asks the others to work on journals in a folder. They: wait for that; the folder, free(), or
 * NULL: there is nothing to do. */
void cli_ranks_invite(const char *folder);
char *cli_ranks_invitation(void);

/* Lets the processes hand out work among them, if there are several. */
void cli_ranks_share(gradyn_workers *workers);

/* Now and then while rank 0 works: lets others get at its counter. Costs next to nothing. */
void cli_ranks_attend(void);

/* After the work: tells the others that this process will not come to another part of it. */
void cli_ranks_leave(void);

/* At the end, with the exit status of the command; returns that of the process. */
int cli_ranks_end(int status);

#endif
