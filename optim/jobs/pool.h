/* Tasks for threads or processes. They are distributed one at a time, so that a slow task does not delay
 * the others. */
#ifndef GRADYN_OPTIM_POOL_H
#define GRADYN_OPTIM_POOL_H

#include "core/base/message.h"
#include <gradyn/study.h>

/* A thread or process that runs tasks. */
typedef struct gradyn_worker gradyn_worker;

struct gradyn_objective;

/* The tasks, numbered from 0. All pointers are borrowed during gradyn_pool_run(). */
typedef struct gradyn_pool {
  size_t tasks;
  const gradyn_workers *workers; /* NULL: the present thread only */
  /* The objective that the tasks evaluate. Each thread has its own copy, if it can be copied. NULL: there
   * is none. */
  const struct gradyn_objective *objective;
  /* Runs task `task`. Several workers call this at the same time. With processes, changes of memory stay in
   * the process of the worker. */
  void (*work)(void *user, size_t task, gradyn_worker *worker);
  /* Called once at the end of each worker, also after a stop, in its thread or process; not for a process
   * that died. NULL: not needed. */
  void (*leave)(void *user, gradyn_worker *worker);
  void *user;
} gradyn_pool;

/* Returns the worker's own copy of the `self` of the objective; without a copy, returns the argument
 * `self`. */
void *gradyn_worker_self(const gradyn_worker *worker, void *self);

/* Returns the address of a pointer for data of this worker, which all its tasks share. The pointer is NULL
 * before the first task; leave() releases the data. */
void **gradyn_worker_own(gradyn_worker *worker);

/* Returns the index of a worker among those of its pool, from 0; on several machines, the rank. */
size_t gradyn_worker_number(const gradyn_worker *worker);

/* Returns whether a task may continue, or the next one begin. False: the caller has requested an end, a
 * worker has reported a permanent failure, or the parent of this process has died. */
bool gradyn_worker_may_continue(const gradyn_worker *worker);

/* Reports a permanent failure, for example a full disk: no worker starts another task. Of several reports,
 * also of single tasks, only the first gives status and text. The text `why` is copied, at most 511
 * bytes. */
void gradyn_worker_report_fatal(const gradyn_worker *worker, gradyn_status status, const char *why);

/* Reports that a task cannot be done for a reason that does not affect others. The workers continue. Of
 * several reports, also permanent ones, only the first gives status and text. The text `why` is copied, at
 * most 511 bytes. */
void gradyn_worker_report_task(const gradyn_worker *worker, gradyn_status status, const char *why);

/* Runs all tasks, or those of the shard, each at most once, by the requested workers, and waits for the
 * workers. Errors, with the message (cleared before): GRADYN_INTERRUPTED, the caller has requested an end;
 * GRADYN_INVALID, the workers are not set consistently; GRADYN_CALLBACK, a process died during a task, and
 * the message names it; GRADYN_UNSUPPORTED, several processes are requested, and the present one has other
 * threads; GRADYN_NO_MEMORY; the first status that a worker has reported. */
gradyn_status gradyn_pool_run(const gradyn_pool *pool, gradyn_message *message);

#endif
