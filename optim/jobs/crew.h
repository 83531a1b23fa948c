/* Tasks done by several processes: handed out one at a time, so that a slow one holds nobody up. */
#ifndef GRADYN_OPTIM_CREW_H
#define GRADYN_OPTIM_CREW_H

#include "core/base/message.h"
#include <gradyn/study.h>

/* The process that does a task. */
typedef struct gradyn_worker gradyn_worker;

/* What there is to do. */
typedef struct gradyn_crew {
  size_t tasks;
  const gradyn_hands *hands; /* who does it; NULL: this process alone */
  /* Does a task; several processes do so at the same time. */
  void (*work)(void *user, size_t task, const gradyn_worker *worker);
  /* The end of each process's part. NULL: nothing is to be done there. */
  void (*leave)(void *user, const gradyn_worker *worker);
  void *user;
} gradyn_crew;

/* Number of a worker among those of this crew. */
size_t gradyn_worker_number(const gradyn_worker *worker);

/* Whether a task should end early, since nobody wants its result any more. */
bool gradyn_worker_go_on(const gradyn_worker *worker);

/* Lets the crew know that something went wrong for good, as when a disk is full: nobody takes another
 * task. The first one to complain, or to give up, is heard. */
void gradyn_worker_complain(const gradyn_worker *worker, gradyn_status status, const char *why);

/* Lets the crew know that a task cannot be done, for a reason that others need not share: they go on. */
void gradyn_worker_give_up(const gradyn_worker *worker, gradyn_status status, const char *why);

/* Does all tasks, each at most once. GRADYN_INTERRUPTED: the end was asked for before; GRADYN_CALLBACK:
 * a process died, and with it the task that it was at; the message says so. GRADYN_UNSUPPORTED: there are
 * to be several processes, and this one has other threads. Otherwise what a worker
 * complained about or gave up for, in its words. */
gradyn_status gradyn_crew_run(const gradyn_crew *crew, gradyn_message *message);

#endif
