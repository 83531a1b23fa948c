/* Threads for tasks. Each thread takes the next task from a counter, so that a long task does not delay the
 * others. Creating and ending a thread takes about 50 microseconds, as long as the run of a short segment. */
#include "core/base/threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum { MOST_JOBS = 256 };

typedef struct pieces {
  atomic_size_t next;
  size_t count;
  void (*work)(void *user, size_t piece);
  void *user;
} pieces;

static void *take_pieces(void *self)
{
  pieces *p = self;
  for (size_t k = atomic_fetch_add(&p->next, 1); k < p->count; k = atomic_fetch_add(&p->next, 1))
    p->work(p->user, k);
  return NULL;
}

void gradyn_threads_do(size_t jobs, size_t count, void (*work)(void *user, size_t piece),
                       void *user)
{
  pieces p = {.count = count, .work = work, .user = user};
  pthread_t thread[MOST_JOBS];
  size_t begun = 0;
  sigset_t all, before;
  /* blocks signals in the new threads, so that the threads that wait for signals receive them */
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  /* with fewer threads than requested, the work takes longer */
  while (begun + 1 < jobs && begun + 1 < count && begun < MOST_JOBS &&
         pthread_create(&thread[begun], NULL, take_pieces, &p) == 0)
    begun++;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  (void)take_pieces(&p);
  while (begun > 0)
    (void)pthread_join(thread[--begun], NULL);
}
