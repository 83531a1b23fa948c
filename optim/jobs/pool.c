/* Tasks for one worker, for several on this machine, or for several machines. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "optim/jobs/pool_board.h"

size_t gradyn_worker_number(const gradyn_worker *worker)
{
  return worker->number;
}

void *gradyn_worker_self(const gradyn_worker *worker, void *self)
{
  return worker->self ? worker->self : self;
}

void **gradyn_worker_own(gradyn_worker *worker)
{
  return &worker->own;
}

bool gradyn_worker_may_continue(const gradyn_worker *worker)
{
  const gradyn_workers *workers = worker->pool->workers;
  const gradyn_board *board = worker->board;
  /* A reported failure, a stop by the calling thread, or the death of the parent ends the work. The caller
   * is asked last. */
  if (atomic_load(&worker->complaint->over) || (board != NULL && atomic_load(&board->stop)))
    return false;
  if (worker->parent > 0 && getppid() != worker->parent)
    return false;
  return !worker->asks || workers == NULL || workers->go_on == NULL ||
         workers->go_on(workers->user);
}

/* Whether a task belongs to this process and the workers that it has made. */
static bool is_ours(const gradyn_pool *pool, size_t task)
{
  const gradyn_workers *workers = pool->workers;
  /* shard s of n has tasks s, s + n, ... */
  return workers == NULL || workers->shards == 0 || task % workers->shards == workers->shard;
}

/* Reports progress to the caller. */
static void tell(const gradyn_pool *pool, size_t done)
{
  const gradyn_workers *workers = pool->workers;
  if (workers != NULL && workers->progress != NULL)
    workers->progress(done, pool->tasks, workers->user);
}

void gradyn_worker_report_task(const gradyn_worker *worker, gradyn_status status, const char *why)
{
  gradyn_worker_failure *c = worker->complaint;
  /* the first report counts: later ones may follow from it */
  if (atomic_exchange(&c->taken, true))
    return;
  (void)snprintf(c->why, sizeof c->why, "%s", why);
  /* stored last, so that the text is complete when the status is read */
  atomic_store(&c->status, (int)status);
}

void gradyn_worker_report_fatal(const gradyn_worker *worker, gradyn_status status, const char *why)
{
  gradyn_worker_report_task(worker, status, why);
  atomic_store(&worker->complaint->over, true);
}

gradyn_status gradyn_complaint_conclude(gradyn_worker_failure *c, gradyn_status status,
                                        gradyn_message *message)
{
  const gradyn_status complained = (gradyn_status)atomic_load(&c->status);
  if (complained == GRADYN_OK)
    return status;
  /* a report explains an interruption, and replaces success */
  gradyn_message_add(message, "%s", c->why);
  return status == GRADYN_OK || status == GRADYN_INTERRUPTED ? complained : status;
}

/* Ends a worker, for example closes its journal. */
static void leave(gradyn_worker *worker)
{
  if (worker->pool->leave != NULL)
    worker->pool->leave(worker->pool->user, worker);
}

/* --- One worker ------------------------------------------------------------------------------- */

/* Returns the task after `task` of the only worker here; -1: the first. Tasks come in order, or from the
 * scheduler of several machines. */
static size_t next_of(const gradyn_pool *pool, size_t task)
{
  const gradyn_workers *workers = pool->workers;
  if (workers != NULL && workers->next != NULL)
    return workers->next(workers->self);
  do
    task++;
  while (task < pool->tasks && !is_ours(pool, task));
  return task;
}

/* Runs tasks in the present thread. */
static gradyn_status work_alone(const gradyn_pool *pool, gradyn_message *message)
{
  const gradyn_workers *workers = pool->workers;
  const bool shared = workers != NULL && workers->next != NULL;
  if (shared && (workers->begin == NULL || workers->end == NULL))
    return gradyn_fail(message, GRADYN_INVALID,
                       "workers: some of begin, next and end are NULL. Set all three, or none");
  gradyn_worker_failure own = {.why = ""};
  gradyn_worker worker = {
      .pool = pool, .complaint = &own, .asks = true, .number = shared ? workers->rank : 0};
  gradyn_status status = GRADYN_OK;
  /* all machines wait for each other, so that none writes files that another still reads */
  if (shared && !workers->begin(workers->self))
    return GRADYN_INTERRUPTED;
  for (size_t task = next_of(pool, (size_t)-1); task < pool->tasks; task = next_of(pool, task)) {
    if (!gradyn_worker_may_continue(&worker)) {
      /* later runs do the remaining tasks */
      status = GRADYN_INTERRUPTED;
      break;
    }
    pool->work(pool->user, task, &worker);
    tell(pool, task + 1);
  }
  leave(&worker);
  /* all machines wait for each other, because results are collected from all journals */
  if (shared)
    workers->end(workers->self);
  return gradyn_complaint_conclude(&own, status, message);
}

/* --- Several workers ----------------------------------------------------------------------------- */

size_t gradyn_board_size(const gradyn_pool *pool)
{
  return sizeof(gradyn_board) + pool->tasks * sizeof(atomic_int);
}

void gradyn_worker_live(gradyn_worker *worker, int name)
{
  const gradyn_pool *pool = worker->pool;
  gradyn_board *board = worker->board;
  for (;;) {
    const size_t task = atomic_fetch_add(&board->next, 1); /* no other worker gets this number */
    if (task >= pool->tasks || !gradyn_worker_may_continue(worker))
      break;
    if (!is_ours(pool, task))
      continue;
    /* from now on the task is lost if this worker dies */
    atomic_store(&board->task[task], name);
    pool->work(pool->user, task, worker);
    atomic_store(&board->task[task], GRADYN_TASK_DONE);
  }
  leave(worker);
}

/* Returns the number of tasks that no worker will run any more. */
static size_t count_done(const gradyn_pool *pool, gradyn_board *board)
{
  size_t done = 0;
  for (size_t task = 0; task < pool->tasks; task++) /* done or lost */
    done += atomic_load(&board->task[task]) < 0;
  return done;
}

void gradyn_board_poll(const gradyn_pool *pool, gradyn_board *board)
{
  /* 5 ms: short compared with an evaluation for which workers are useful */
  const struct timespec pause = {0, 5000000};
  const gradyn_worker boss = {.pool = pool, .complaint = &board->complaint, .asks = true};
  /* workers read `stop` before each task and iteration */
  if (!gradyn_worker_may_continue(&boss))
    atomic_store(&board->stop, true);
  tell(pool, count_done(pool, board));
  (void)nanosleep(&pause, NULL);
}

gradyn_status gradyn_pool_run(const gradyn_pool *pool, gradyn_message *message)
{
  const gradyn_workers *workers = pool->workers;
  gradyn_message_clear(message);
  if (workers != NULL && workers->shards > 0 && workers->shard >= workers->shards)
    return gradyn_fail(message, GRADYN_INVALID,
                       "part %zu of %zu: must be less than the number of parts", workers->shard,
                       workers->shards);
  if (workers == NULL || workers->next != NULL || workers->jobs <= 1)
    return work_alone(pool, message);
  return workers->processes ? gradyn_pool_by_processes(pool, message)
                            : gradyn_pool_by_threads(pool, message);
}
