/* Tasks done by several processes on one machine, or handed out by somebody else.
 *
 * The processes share a counter and a state for each task in memory that fork() does not copy.
 * Whoever is free takes the next task. A process that dies is replaced; what it was at is given up,
 * since the task may be what killed it. Processes whose parent has died end, too. */
#include "optim/jobs/crew.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* States of a task; a positive one is the process that does it. */
enum { OPEN = 0, DONE = -1, LOST = -2 };

/* What a worker complained about. */
typedef struct complaint {
  atomic_bool taken; /* by the first one */
  atomic_int status; /* set after why */
  atomic_bool over;  /* nobody is to take another task */
  char why[512];
} complaint;

typedef struct board {
  complaint complaint;
  atomic_size_t next;
  atomic_bool stop;
  atomic_int task[]; /* [tasks] */
} board;

struct gradyn_worker {
  const gradyn_crew *crew;
  board *board; /* NULL: alone */
  complaint *complaint;
  pid_t parent;
  size_t number;
};

size_t gradyn_worker_number(const gradyn_worker *worker)
{
  return worker->number;
}

bool gradyn_worker_go_on(const gradyn_worker *worker)
{
  const gradyn_hands *hands = worker->crew->hands;
  /* a complaint, a stop by the boss, or the death of the parent ends the work; the caller's wish
     comes last */
  if (atomic_load(&worker->complaint->over))
    return false;
  if (worker->board != NULL && (atomic_load(&worker->board->stop) || getppid() != worker->parent))
    return false;
  return hands == NULL || hands->go_on == NULL || hands->go_on(hands->user);
}

/* Whether a task is for this process and those that it has made. */
static bool is_ours(const gradyn_crew *crew, size_t task)
{
  const gradyn_hands *hands = crew->hands;
  /* shard s of n has tasks s, s + n, ... */
  return hands == NULL || hands->shards == 0 || task % hands->shards == hands->shard;
}

/* Progress, to whoever wants to know. */
static void tell(const gradyn_crew *crew, size_t done)
{
  const gradyn_hands *hands = crew->hands;
  if (hands != NULL && hands->progress != NULL)
    hands->progress(done, crew->tasks, hands->user);
}

void gradyn_worker_give_up(const gradyn_worker *worker, gradyn_status status, const char *why)
{
  complaint *c = worker->complaint;
  /* the first complaint stays: later ones may only follow from it */
  if (atomic_exchange(&c->taken, true))
    return;
  (void)snprintf(c->why, sizeof c->why, "%s", why);
  atomic_store(&c->status, (int)status); /* last: who reads a status finds the text complete */
}

void gradyn_worker_complain(const gradyn_worker *worker, gradyn_status status, const char *why)
{
  gradyn_worker_give_up(worker, status, why);
  atomic_store(&worker->complaint->over, true);
}

/* The status of work that has ended with another one, and what was complained about. */
static gradyn_status conclude(complaint *c, gradyn_status status, gradyn_message *message)
{
  const gradyn_status complained = (gradyn_status)atomic_load(&c->status);
  if (complained == GRADYN_OK)
    return status;
  /* a complaint explains an interruption, and is worse than success */
  gradyn_message_add(message, "%s", c->why);
  return status == GRADYN_OK || status == GRADYN_INTERRUPTED ? complained : status;
}

/* What a worker does at last: closing its journal. */
static void leave(const gradyn_crew *crew, const gradyn_worker *worker)
{
  if (crew->leave != NULL)
    crew->leave(crew->user, worker);
}

/* --- One process ------------------------------------------------------------------------------ */

/* Task after task, in this process. */
static gradyn_status work_alone(const gradyn_crew *crew, gradyn_message *message)
{
  complaint own = {.why = ""};
  const gradyn_worker worker = {.crew = crew, .complaint = &own};
  gradyn_status status = GRADYN_OK;
  for (size_t task = 0; task < crew->tasks; task++) {
    if (!is_ours(crew, task))
      continue;
    if (!gradyn_worker_go_on(&worker)) {
      /* tasks that are left are done by whoever comes next */
      status = GRADYN_INTERRUPTED;
      break;
    }
    crew->work(crew->user, task, &worker);
    tell(crew, task + 1);
  }
  leave(crew, &worker);
  return conclude(&own, status, message);
}

/* One of many machines. All have to come to the end. */
static gradyn_status work_shared(const gradyn_crew *crew, gradyn_message *message)
{
  const gradyn_hands *hands = crew->hands;
  complaint own = {.why = ""};
  const gradyn_worker worker = {.crew = crew, .complaint = &own, .number = hands->rank};
  gradyn_status status = GRADYN_OK;
  /* all machines meet first, so that none begins on what another still reads */
  if (!hands->begin(hands->self))
    return GRADYN_INTERRUPTED;
  for (size_t task = hands->next(hands->self); task < crew->tasks;
       task = hands->next(hands->self)) {
    if (!gradyn_worker_go_on(&worker)) {
      status = GRADYN_INTERRUPTED;
      break;
    }
    crew->work(crew->user, task, &worker);
    tell(crew, task + 1);
  }
  leave(crew, &worker);
  /* and wait for each other, as results are gathered from all their journals */
  hands->end(hands->self);
  return conclude(&own, status, message);
}

/* --- Several processes ------------------------------------------------------------------------ */

/* Threads of this process; 1 where the system does not tell. */
static size_t count_threads(void)
{
  struct stat about;
  /* a folder with one folder for each thread: links to it are these, its name, and the one within */
  return stat("/proc/self/task", &about) == 0 && about.st_nlink > 3 ? (size_t)about.st_nlink - 2
                                                                    : 1;
}

/* Whether a child of fork() can do more than end: it has no other threads, and what one of them had
 * locked stays locked for ever. Threads of libraries that end when a process forks, as those of OpenBLAS
 * do, are no hindrance, so a first fork is made before they are counted. */
static gradyn_status check_threads(gradyn_message *message)
{
  const struct timespec pause = {0, 1000000};
  if (count_threads() == 1)
    return GRADYN_OK;
  const pid_t child = fork();
  if (child == 0)
    _exit(0);
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
    ;
  /* a thread that has ended is counted for a moment more: 0.1 s at most */
  for (int i = 0; i < 100 && count_threads() > 1; i++)
    (void)nanosleep(&pause, NULL);
  const size_t others = count_threads() - 1;
  if (others == 0)
    return GRADYN_OK;
  return gradyn_fail(message, GRADYN_UNSUPPORTED,
                     "jobs: processes are made by fork(), which is not possible in a program with "
                     "%zu other thread%s: give 1 job, or do this in a program of its own",
                     others, others > 1 ? "s" : "");
}

/* The life of a process that was made for the work. */
static void work_on(const gradyn_crew *crew, board *b, pid_t parent, size_t number)
{
  const gradyn_worker worker = {
      .crew = crew, .board = b, .complaint = &b->complaint, .parent = parent, .number = number};
  const int self = (int)getpid(); /* process ids fit into an int */
  for (;;) {
    const size_t task = atomic_fetch_add(&b->next, 1); /* nobody else gets this number */
    if (task >= crew->tasks || !gradyn_worker_go_on(&worker))
      break;
    if (!is_ours(crew, task))
      continue;
    /* from here on the task is lost if this process dies */
    atomic_store(&b->task[task], self);
    crew->work(crew->user, task, &worker);
    atomic_store(&b->task[task], DONE);
  }
  leave(crew, &worker);
}

/* Makes a process; -1: there can be no more. */
static pid_t hire(const gradyn_crew *crew, board *b, size_t number)
{
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    work_on(crew, b, parent, number);
    _exit(0); /* of a process of our own: what the caller does at exit is not its business */
  }
  return child;
}

/* Gives up what a dead process was at; false: it was at nothing. */
static bool give_up(const gradyn_crew *crew, board *b, pid_t dead, int how, gradyn_message *message)
{
  bool found = false;
  for (size_t task = 0; task < crew->tasks; task++) {
    int state = (int)dead; /* CAS: only a task that this process had taken */
    if (!atomic_compare_exchange_strong(&b->task[task], &state, LOST))
      continue;
    found = true;
    gradyn_message_add(message, "the process at task %zu died%s%s", task,
                       WIFSIGNALED(how) ? ": " : "",
                       WIFSIGNALED(how) ? strsignal(WTERMSIG(how)) : "");
  }
  return found;
}

/* Tasks that nobody will do any more. */
static size_t count_done(const gradyn_crew *crew, board *b)
{
  size_t done = 0;
  for (size_t task = 0; task < crew->tasks; task++) /* done or lost: both are behind us */
    done += atomic_load(&b->task[task]) < 0;
  return done;
}

/* Looks after the processes until all have ended; *died: one did not end by itself. */
static void watch(const gradyn_crew *crew, board *b, pid_t pid[], size_t jobs, bool *died,
                  gradyn_message *message)
{
  /* 5 ms: short beside an evaluation that is worth a process */
  const struct timespec pause = {0, 5000000};
  const gradyn_worker boss = {.crew = crew, .complaint = &b->complaint};
  for (size_t alive = jobs; alive > 0;) {
    alive = 0;
    for (size_t i = 0; i < jobs; i++) {
      int how = 0;
      if (pid[i] <= 0)
        continue;
      alive++;
      if (waitpid(pid[i], &how, WNOHANG) != pid[i])
        continue;
      const bool badly = !WIFEXITED(how) || WEXITSTATUS(how) != 0;
      /* only a process that died at a task is replaced: one that dies at once would be hired for
         ever */
      *died |= badly;
      const bool replace = badly && give_up(crew, b, pid[i], how, message);
      pid[i] = replace ? hire(crew, b, i) : -1;
    }
    /* processes look at `stop` before each task and iteration */
    if (!gradyn_worker_go_on(&boss))
      atomic_store(&b->stop, true);
    tell(crew, count_done(crew, b));
    (void)nanosleep(&pause, NULL);
  }
}

/* By processes of our own, until all tasks are behind us. */
static gradyn_status work_together(const gradyn_crew *crew, gradyn_message *message)
{
  /* more processes than tasks would have nothing to do */
  const size_t jobs = crew->hands->jobs < crew->tasks ? crew->hands->jobs : crew->tasks;
  const size_t size = sizeof(board) + crew->tasks * sizeof(atomic_int);
  pid_t *pid = calloc(jobs + 1, sizeof *pid);
  board *b = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool died = false;
  size_t hired = 0;
  if (pid == NULL || b == MAP_FAILED) {
    free(pid);
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for %zu tasks", crew->tasks);
  }
  /* with fewer processes than asked for, the work only takes longer */
  for (size_t i = 0; i < jobs; i++) {
    pid[i] = hire(crew, b, i);
    hired += pid[i] > 0;
  }
  gradyn_status status = GRADYN_OK;
  /* none at all is a failure, not a search of no tasks */
  if (hired == 0 && jobs > 0)
    status = gradyn_fail(message, GRADYN_NO_MEMORY, "no process can be made: %s", strerror(errno));
  watch(crew, b, pid, jobs, &died, message);
  /* what workers complain of comes before what happened to them */
  if (status == GRADYN_OK && atomic_load(&b->stop))
    status = GRADYN_INTERRUPTED;
  else if (status == GRADYN_OK && died)
    status = GRADYN_CALLBACK;
  status = conclude(&b->complaint, status, message);
  (void)munmap(b, size);
  free(pid);
  return status;
}

gradyn_status gradyn_crew_run(const gradyn_crew *crew, gradyn_message *message)
{
  const gradyn_hands *hands = crew->hands;
  gradyn_message_clear(message);
  if (hands != NULL && hands->shards > 0 && hands->shard >= hands->shards)
    return gradyn_fail(message, GRADYN_INVALID, "there is no part %zu of %zu", hands->shard,
                       hands->shards);
  /* handed out, shared between processes, or alone */
  if (hands != NULL && hands->next != NULL)
    return work_shared(crew, message);
  if (hands == NULL || hands->jobs <= 1)
    return work_alone(crew, message);
  const gradyn_status status = check_threads(message);
  return status == GRADYN_OK ? work_together(crew, message) : status;
}
