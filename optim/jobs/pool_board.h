/* Data that the workers of a pool share, processes or threads. A free worker takes the next task from one
 * counter. The state of each task names its worker. */
#ifndef GRADYN_OPTIM_POOL_BOARD_H
#define GRADYN_OPTIM_POOL_BOARD_H

#include <stdatomic.h>
#include <sys/types.h>

#include "optim/jobs/pool.h"

/* States of a task; a positive state is its worker: the process id, or the number of the thread from 1. */
enum { GRADYN_TASK_OPEN = 0, GRADYN_TASK_DONE = -1, GRADYN_TASK_LOST = -2 };

/* Report of a failure by a worker; all 0: none. */
typedef struct gradyn_worker_failure {
  atomic_bool taken; /* there is a report */
  atomic_int status; /* set after the text */
  atomic_bool over;  /* no worker may start another task */
  char why[512];
} gradyn_worker_failure;

/* The shared data of several workers, all 0 at the start. Allocate gradyn_board_size() bytes. */
typedef struct gradyn_board {
  gradyn_worker_failure complaint;
  atomic_size_t next;
  atomic_bool stop;
  atomic_int task[]; /* [tasks] */
} gradyn_board;

/* A worker of a pool. */
struct gradyn_worker {
  const gradyn_pool *pool;
  gradyn_board *board; /* NULL: there is one worker only */
  gradyn_worker_failure *complaint;
  /* the worker itself asks the caller whether to continue; for threads the calling thread does this */
  bool asks;
  pid_t parent; /* parent of a process, which ends with it; 0: the worker is no separate process */
  size_t number;
  void *self; /* `self` of the objective; NULL: the `self` of the caller */
  void *own;  /* pointer that the tasks of this worker share */
};

/* Returns the size in bytes of a board for the tasks of a pool. */
size_t gradyn_board_size(const gradyn_pool *pool);

/* Runs tasks as one of several workers until there are no more or the work must end, then calls `leave` of
 * the pool. name > 0, unique among the workers: the state of its present task on the board. */
void gradyn_worker_live(gradyn_worker *worker, int name);

/* For the thread that waits for workers: asks the caller whether to continue, and otherwise sets board->stop.
 * Reports the number of tasks that are done or lost. Waits 5 ms. */
void gradyn_board_poll(const gradyn_pool *pool, gradyn_board *board);

/* Returns the status of the work, given as `status`, after all workers have ended. A reported status replaces
 * GRADYN_OK and GRADYN_INTERRUPTED; the text of the report is added to the message. */
gradyn_status gradyn_complaint_conclude(gradyn_worker_failure *complaint, gradyn_status status,
                                        gradyn_message *message);

/* Runs all tasks by workers->jobs processes, made by fork(), at most one for each task. A process that dies
 * during a task is replaced. Errors: those of gradyn_pool_run(). */
gradyn_status gradyn_pool_by_processes(const gradyn_pool *pool, gradyn_message *message);
/* Runs all tasks by workers->jobs threads, at most one for each task. If some threads cannot be created, the
 * others do their tasks. Errors: those of gradyn_pool_run(). */
gradyn_status gradyn_pool_by_threads(const gradyn_pool *pool, gradyn_message *message);

#endif
