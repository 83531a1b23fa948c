/* Tasks done by threads or processes: handed out one at a time, so that a slow one holds nobody up. */
#ifndef GRADYN_OPTIM_POOL_H
#define GRADYN_OPTIM_POOL_H

#include "core/base/message.h"
#include <gradyn/study.h>

/* Who does a task: a thread or a process. */
typedef struct gradyn_worker gradyn_worker;

struct gradyn_objective;

/* What there is to do. */
typedef struct gradyn_pool {
  size_t tasks;
  const gradyn_workers *workers; /* who does it; NULL: this thread alone */
  /* What is asked; threads have one each, if it can be copied. NULL: nothing is. */
  const struct gradyn_objective *objective;
  /* Does a task; several workers do so at the same time. */
  void (*work)(void *user, size_t task, gradyn_worker *worker);
  /* The end of each worker's part. NULL: nothing is to be done there. */
  void (*leave)(void *user, gradyn_worker *worker);
  void *user;
} gradyn_pool;

/* The objective's self for this worker: `self`, or its own copy of it. */
void *gradyn_worker_self(const gradyn_worker *worker, void *self);

/* What tasks of this worker leave to those behind them, and to the end of its part; NULL at first. */
void **gradyn_worker_own(gradyn_worker *worker);

/* Number of a worker among those of this pool. */
size_t gradyn_worker_number(const gradyn_worker *worker);

/* Whether a task should end early, since nobody wants its result any more. */
bool gradyn_worker_go_on(const gradyn_worker *worker);

/* Lets the pool know that something went wrong for good, as when a disk is full: nobody takes another
 * task. The first one to complain, or to give up, is heard. */
void gradyn_worker_complain(const gradyn_worker *worker, gradyn_status status, const char *why);

/* Lets the pool know that a task cannot be done, for a reason that others need not share: they go on. */
void gradyn_worker_give_up(const gradyn_worker *worker, gradyn_status status, const char *why);

/* Does all tasks, each at most once. GRADYN_INTERRUPTED: the end was asked for before; GRADYN_CALLBACK:
 * a process died, and with it the task that it was at; the message says so. GRADYN_UNSUPPORTED: there are
 * to be several processes, and this one has other threads. Otherwise what a worker
 * complained about or gave up for, in its words. */
gradyn_status gradyn_pool_run(const gradyn_pool *pool, gradyn_message *message);

#endif
