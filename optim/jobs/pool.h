/* Tasks for threads or processes. They are distributed one at a time, so that a slow task does not delay
 * the others. */
#ifndef GRADYN_OPTIM_POOL_H
#define GRADYN_OPTIM_POOL_H

#include "core/base/message.h"
#include <gradyn/study.h>

/* A thread or process that runs tasks. */
typedef struct gradyn_worker gradyn_worker;

struct gradyn_objective;

/* The tasks. */
typedef struct gradyn_pool {
  size_t tasks;
  const gradyn_workers *workers; /* NULL: the present thread only */
  /* The objective that the tasks evaluate. Each thread has its own copy, if it can be copied. NULL: there
   * is none. */
  const struct gradyn_objective *objective;
  /* Runs a task. Several workers call this at the same time. */
  void (*work)(void *user, size_t task, gradyn_worker *worker);
  /* Called at the end of each worker. NULL: not needed. */
  void (*leave)(void *user, gradyn_worker *worker);
  void *user;
} gradyn_pool;

/* Returns the `self` of the objective for this worker: `self`, or its own copy. */
void *gradyn_worker_self(const gradyn_worker *worker, void *self);

/* Pointer that the tasks of this worker share, until its end; NULL at first. */
void **gradyn_worker_own(gradyn_worker *worker);

/* Index of a worker among those of this pool. */
size_t gradyn_worker_number(const gradyn_worker *worker);

/* Whether a task may continue. false: its result is no longer needed. */
bool gradyn_worker_go_on(const gradyn_worker *worker);

/* Reports a permanent failure, for example a full disk: no worker starts another task. The first report
 * of any worker counts. */
void gradyn_worker_complain(const gradyn_worker *worker, gradyn_status status, const char *why);

/* Reports that a task cannot be done for a reason that does not affect others. The other workers
 * continue. */
void gradyn_worker_give_up(const gradyn_worker *worker, gradyn_status status, const char *why);

/* Runs all tasks, each at most once.
 *
 * GRADYN_INTERRUPTED: an end was requested before. GRADYN_CALLBACK: a process died during a task; the
 * message names the task. GRADYN_UNSUPPORTED: several processes are requested, and the present one has
 * other threads. Otherwise the first report of a worker. */
gradyn_status gradyn_pool_run(const gradyn_pool *pool, gradyn_message *message);

#endif
