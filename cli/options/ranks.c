/* Processes of mpirun: invitations by broadcast, work by a one-sided counter.
 *
 * Work comes in parts; all processes begin a part together, take numbers from the counter, which rank 0
 * has, and end it together. A process that failed, or was asked to end, does not come to the next part.
 * Hence each beginning is a vote, in which those who have left take part for the last time: if one has,
 * the others leave as well. */
#include "cli/options/ranks.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/memory.h"

/* What rank 0 takes of a helper's last words, in bytes. */
#define WORDS_MAX 65536

static struct {
  int rank, size;
  bool joined, asked, invited, left;
  MPI_Win window; /* of the counter */
  int64_t *counter;
  unsigned calls; /* of cli_ranks_attend() */
  FILE *kept;     /* what a helper would have printed to standard error */
} ranks;

/* --- Coming together -------------------------------------------------------------------------- */

/* Whether this process was started as one of several, before MPI is asked. */
bool cli_ranks_expected(void)
{
  static const char *const name[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
    const char *size = getenv(name[i]);
    if (size && strtol(size, NULL, 10) > 1) /* Open MPI; MPICH and its kin */
      return true;
  }
  return false;
}

/* A helper's standard output is of no interest; its standard error is, if it fails alone. */
static void keep_quiet(void)
{
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  ranks.kept = tmpfile();
  /* what other ranks say is kept until it is known who speaks */
  if (nowhere >= 0)
    (void)dup2(nowhere, STDOUT_FILENO);
  if (ranks.kept)
    (void)dup2(fileno(ranks.kept), STDERR_FILENO);
}

void cli_ranks_join(void)
{
  int provided = 0;
  if (!cli_ranks_expected())
    return; /* to start MPI takes longer than many a command */
  (void)MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  (void)MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
  /* the counter lives at rank 0, the others have no memory in the window */
  (void)MPI_Win_allocate(ranks.rank == 0 ? (MPI_Aint)sizeof *ranks.counter : 0,
                         (int)sizeof *ranks.counter, MPI_INFO_NULL, MPI_COMM_WORLD, &ranks.counter,
                         &ranks.window);
  /* one epoch for the whole run: operations are atomic by themselves */
  (void)MPI_Win_lock_all(0, ranks.window);
  ranks.joined = true;
  if (ranks.rank > 0)
    keep_quiet();
}

bool cli_ranks_several(void)
{
  return ranks.size > 1; /* 0 without MPI */
}

bool cli_ranks_helper(void)
{
  return ranks.rank > 0;
}

/* Waits without occupying a processor that somebody else could use, as MPI_Wait() does. */
static void doze(MPI_Request *request)
{
  /* half a millisecond: short beside an evaluation */
  const struct timespec pause = {.tv_nsec = 500000};
  int done = 0;
  while (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
    (void)nanosleep(&pause, NULL);
}

/* From rank 0, sleeping between looks: a blocking call would burn a processor that others need. */
static void broadcast(void *bytes, int count, MPI_Datatype type)
{
  MPI_Request request;
  (void)MPI_Ibcast(bytes, count, type, 0, MPI_COMM_WORLD, &request);
  doze(&request);
  (void)MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* --- Invitations ------------------------------------------------------------------------------ */

void cli_ranks_invite(const char *folder)
{
  /* length first, as helpers must know what to expect; -1: no work */
  int length = folder ? (int)strlen(folder) : -1;
  if (ranks.size < 2 || ranks.asked)
    return;
  ranks.asked = true;
  ranks.invited = folder != NULL;
  broadcast(&length, 1, MPI_INT);
  if (length > 0)
    broadcast((void *)folder, length, MPI_CHAR); /* the root only sends */
}

/* The folder to work in, from rank 0; NULL: there is nothing to do. */
char *cli_ranks_invitation(void)
{
  /* -1: there is no work to share */
  int length = 0;
  broadcast(&length, 1, MPI_INT);
  ranks.asked = true;
  ranks.invited = length >= 0;
  if (length < 0)
    return NULL;
  char *folder = cli_take((size_t)length + 1, 1);
  if (length > 0)
    broadcast(folder, length, MPI_CHAR);
  folder[length] = '\0';
  return folder;
}

/* --- Work ------------------------------------------------------------------------------------- */

/* Whether all processes have come. */
static bool vote(bool here)
{
  int mine = here, all = 0;
  MPI_Request request;
  (void)MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  doze(&request);
  (void)MPI_Wait(&request, MPI_STATUS_IGNORE);
  return all == ranks.size; /* those who left counted 0 */
}

/* The counter's value before an operation with a number. */
static int64_t count(MPI_Op operation, int64_t number)
{
  int64_t before = 0;
  (void)MPI_Fetch_and_op(&number, &before, MPI_INT64_T, 0, 0, operation, ranks.window);
  (void)MPI_Win_flush(0, ranks.window); /* complete at the target before it returns */
  return before;
}

/* Of gradyn_workers; likewise the two below. */
static bool begin(void *self)
{
  (void)self;
  /* a vote: all or none begin */
  if (ranks.left || !vote(true)) {
    ranks.left = true;
    return false;
  }
  if (ranks.rank == 0)
    (void)count(MPI_REPLACE, 0); /* the counter from 0 again */
  (void)vote(true);              /* all wait for that */
  return true;
}

/* The next number that nobody has taken. */
static size_t next(void *self)
{
  (void)self;
  return (size_t)count(MPI_SUM, 1);
}

/* All wait for the last one. */
static void end(void *self)
{
  (void)self;
  (void)vote(true); /* nobody leaves within a part */
}

/* Tasks are told apart by a counter that all ranks share. */
void cli_ranks_share(gradyn_workers *workers)
{
  if (ranks.size < 2) /* one process has all tasks */
    return;
  workers->begin = begin;
  workers->next = next;
  workers->end = end;
  workers->rank = (size_t)ranks.rank;
  workers->helps = ranks.rank > 0;
}

void cli_ranks_attend(void)
{
  int waiting = 0;
  /* whatever is asked: MPI does what others wait for meanwhile */
  if (ranks.size > 1 && ranks.rank == 0 && ++ranks.calls % 32 == 0)
    (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE);
}

void cli_ranks_leave(void)
{
  /* those who are invited wait for this process's vote */
  if (ranks.invited && !ranks.left)
    (void)vote(false);
  ranks.left = true;
}

/* --- The end ---------------------------------------------------------------------------------- */

/* What a helper has to say after all, to rank 0. */
static void tell(bool anything)
{
  long length = 0;
  (void)fflush(stderr);
  if (anything && ranks.kept && fseek(ranks.kept, 0, SEEK_END) == 0)
    length = ftell(ranks.kept);
  if (length < 0 || length > WORDS_MAX)
    length = length < 0 ? 0 : WORDS_MAX;
  char *words = cli_take((size_t)length + 1, 1);
  if (length > 0) {
    rewind(ranks.kept);
    length = (long)fread(words, 1, (size_t)length, ranks.kept);
  }
  (void)MPI_Send(words, (int)length, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  free(words);
}

/* Rank 0 prints it, line by line: mpirun, which ends all processes when one has failed, may end a helper
 * before it has spoken, but loses nothing of what the failed one has printed. */
static void relay(void)
{
  char *words = cli_take((size_t)WORDS_MAX + 1, 1);
  for (int rank = 1; rank < ranks.size; rank++) {
    MPI_Status status;
    int length = 0;
    (void)MPI_Recv(words, WORDS_MAX, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &status);
    (void)MPI_Get_count(&status, MPI_CHAR, &length);
    words[length] = '\0';
    char *rest = NULL;
    for (char *line = strtok_r(words, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
      (void)fprintf(stderr, "rank %d: %s\n", rank, line);
  }
  free(words);
}

/* All ranks end together; failures of one are its own. */
int cli_ranks_end(int status)
{
  if (!ranks.joined)
    return status;
  /* whoever never asked still waits for an invitation: nobody must be left hanging */
  if (!cli_ranks_helper())
    cli_ranks_invite(NULL);
  else if (!ranks.asked)
    free(cli_ranks_invitation());
  cli_ranks_leave();
  /* its failure, not that of all */
  const bool alone = ranks.invited && (status == CLI_FAILED || status == CLI_USAGE);
  if (cli_ranks_helper())
    tell(alone);
  else
    relay();
  (void)MPI_Win_unlock_all(ranks.window);
  (void)MPI_Win_free(&ranks.window);
  (void)MPI_Finalize();
  return alone || !cli_ranks_helper() ? status : CLI_DONE;
}
