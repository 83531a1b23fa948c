/* Inside of a pool: what its workers share, whether they are processes or threads. Whoever is free takes the
 * next task from one counter; a state for each task tells who is at it. */
#ifndef GRADYN_OPTIM_POOL_BOARD_H
#define GRADYN_OPTIM_POOL_BOARD_H

#include <stdatomic.h>
#include <sys/types.h>

#include "optim/jobs/pool.h"

/* States of a task; a positive one is the worker that does it. */
enum { GRADYN_TASK_OPEN = 0, GRADYN_TASK_DONE = -1, GRADYN_TASK_LOST = -2 };

/* What a worker complained about. */
typedef struct gradyn_complaint {
  atomic_bool taken; /* by the first one */
  atomic_int status; /* set after why */
  atomic_bool over;  /* nobody is to take another task */
  char why[512];
} gradyn_complaint;

typedef struct gradyn_board {
  gradyn_complaint complaint;
  atomic_size_t next;
  atomic_bool stop;
  atomic_int task[]; /* [tasks] */
} gradyn_board;

struct gradyn_worker {
  const gradyn_pool *pool;
  gradyn_board *board; /* NULL: alone */
  gradyn_complaint *complaint;
  bool asks;    /* the caller whether to go on; another one does so for threads */
  pid_t parent; /* of a process, which ends with it; 0: it is none of its own */
  size_t number;
  void *self; /* of the objective; NULL: the caller's */
  void *own;  /* what tasks leave to those behind them */
};

/* Bytes of a board. */
size_t gradyn_board_size(const gradyn_pool *pool);

/* The life of one of several workers, who is `name` > 0 on the board: task after task, then the end of its
 * part. */
void gradyn_worker_live(gradyn_worker *worker, int name);

/* Asks the caller whether to go on, tells workers if not, and the caller how far they are; waits a moment. */
void gradyn_board_poll(const gradyn_pool *pool, gradyn_board *board);

/* The status of work that has ended with another one, and what was complained about. */
gradyn_status gradyn_complaint_conclude(gradyn_complaint *complaint, gradyn_status status,
                                        gradyn_message *message);

/* All tasks by processes of our own, by fork(); by threads. */
gradyn_status gradyn_pool_by_processes(const gradyn_pool *pool, gradyn_message *message);
gradyn_status gradyn_pool_by_threads(const gradyn_pool *pool, gradyn_message *message);

#endif
