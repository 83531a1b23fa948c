/* Processes of mpirun: invitations by broadcast, work by a one-sided counter.
 *
 * Work is done in parts. All processes begin a part together, take numbers from the counter at rank 0, and
 * end the part together. A process that has failed, or was asked to end, does not begin the next part.
 * Therefore all processes vote before a part begins; such a process then takes part for the last time. If
 * one process leaves, all others leave as well. */
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

/* Largest number of bytes of messages that rank 0 receives from a helper. */
#define WORDS_MAX 65536

static struct {
  int rank, size;
  bool joined, asked, invited, left;
  MPI_Win window; /* window of the counter */
  int64_t *counter;
  unsigned calls; /* number of calls of cli_ranks_attend() */
  FILE *kept;     /* suppressed standard error of a helper */
} ranks;

/* --- Start -------------------------------------------------------------------------------------- */

/* Returns whether this process was started as one of several. Does not call MPI. */
bool cli_ranks_expected(void)
{
  static const char *const name[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
    const char *size = getenv(name[i]);
    if (size && strtol(size, NULL, 10) > 1) /* Open MPI; MPICH and its derivatives */
      return true;
  }
  return false;
}

/* Discards the standard output of a helper, and stores its standard error. The latter is printed only if
 * the helper alone fails. */
static void keep_quiet(void)
{
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  ranks.kept = tmpfile();
  if (nowhere >= 0)
    (void)dup2(nowhere, STDOUT_FILENO);
  if (ranks.kept)
    (void)dup2(fileno(ranks.kept), STDERR_FILENO);
}

void cli_ranks_join(void)
{
  int provided = 0;
  if (!cli_ranks_expected())
    return; /* MPI is not started, because this takes longer than many commands */
  (void)MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  (void)MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
  /* the counter is at rank 0; the others have no memory in the window */
  (void)MPI_Win_allocate(ranks.rank == 0 ? (MPI_Aint)sizeof *ranks.counter : 0,
                         (int)sizeof *ranks.counter, MPI_INFO_NULL, MPI_COMM_WORLD, &ranks.counter,
                         &ranks.window);
  /* one epoch for the whole run, in which each operation is atomic */
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

/* Waits for a request. Unlike MPI_Wait(), this does not occupy a processor. */
static void doze(MPI_Request *request)
{
  /* half a millisecond: short compared with an evaluation */
  const struct timespec pause = {.tv_nsec = 500000};
  int done = 0;
  while (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
    (void)nanosleep(&pause, NULL);
}

/* Broadcasts from rank 0. Sleeps between tests, because a blocking call would occupy a processor. */
static void broadcast(void *bytes, int count, MPI_Datatype type)
{
  MPI_Request request;
  (void)MPI_Ibcast(bytes, count, type, 0, MPI_COMM_WORLD, &request);
  doze(&request);
  (void)MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* --- Invitations -------------------------------------------------------------------------------- */

void cli_ranks_invite(const char *folder)
{
  /* sends the length first, because helpers need it to receive the text; -1: there is no work */
  int length = folder ? (int)strlen(folder) : -1;
  if (ranks.size < 2 || ranks.asked)
    return;
  ranks.asked = true;
  ranks.invited = folder != NULL;
  broadcast(&length, 1, MPI_INT);
  if (length > 0)
    broadcast((void *)folder, length, MPI_CHAR); /* rank 0 only sends: the text does not change */
}

/* Returns the folder for the work, which rank 0 sends. NULL: there is no work. */
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

/* --- Work --------------------------------------------------------------------------------------- */

/* Waits for all processes. Returns whether all of them continue; here: whether this one does. */
static bool vote(bool here)
{
  int mine = here, all = 0;
  MPI_Request request;
  (void)MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  doze(&request);
  (void)MPI_Wait(&request, MPI_STATUS_IGNORE);
  return all == ranks.size; /* a process that ends counts as 0 */
}

/* Applies an operation with a number to the counter. Returns the value of the counter before. */
static int64_t count(MPI_Op operation, int64_t number)
{
  int64_t before = 0;
  (void)MPI_Fetch_and_op(&number, &before, MPI_INT64_T, 0, 0, operation, ranks.window);
  /* the operation is complete at rank 0 before this function returns */
  (void)MPI_Win_flush(0, ranks.window);
  return before;
}

/* Callback of gradyn_workers, like the two functions below. */
static bool begin(void *self)
{
  (void)self;
  /* after the vote, either all processes begin, or none */
  if (ranks.left || !vote(true)) {
    ranks.left = true;
    return false;
  }
  if (ranks.rank == 0)
    (void)count(MPI_REPLACE, 0); /* the counter starts again at 0 */
  (void)vote(true);              /* all processes wait until the counter is reset */
  return true;
}

/* Returns the next number that no process has taken. */
static size_t next(void *self)
{
  (void)self;
  return (size_t)count(MPI_SUM, 1);
}

/* Waits until all processes have ended the part. */
static void end(void *self)
{
  (void)self;
  (void)vote(true); /* waits for all, so that no process leaves within a part */
}

/* Makes all ranks take their tasks from the counter. */
void cli_ranks_share(gradyn_workers *workers)
{
  if (ranks.size < 2) /* a single process does all tasks without a counter */
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
  /* any call lets MPI make progress with requests of other processes */
  if (ranks.size > 1 && ranks.rank == 0 && ++ranks.calls % 32 == 0)
    (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE);
}

void cli_ranks_leave(void)
{
  /* processes that were invited wait for the vote of this one */
  if (ranks.invited && !ranks.left)
    (void)vote(false);
  ranks.left = true;
}

/* --- End ---------------------------------------------------------------------------------------- */

/* Sends the stored messages of a helper to rank 0 if `anything`, otherwise an empty text. */
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

/* Prints the messages of helpers at rank 0, line by line. If one process has failed, mpirun ends all
 * others, possibly before a helper could print its messages. */
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

/* Ends all ranks together. Returns the exit status. */
int cli_ranks_end(int status)
{
  if (!ranks.joined)
    return status;
  /* a helper that has not asked for an invitation yet must get one */
  if (!cli_ranks_helper())
    cli_ranks_invite(NULL);
  else if (!ranks.asked)
    free(cli_ranks_invitation());
  cli_ranks_leave();
  /* this rank alone has failed, not the whole command */
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
