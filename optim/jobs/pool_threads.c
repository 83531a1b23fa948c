/* Tasks done by threads, each with an objective of its own. The thread that asked for them looks on: it alone
 * calls what the caller has given to be asked and told. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "optim/jobs/pool_board.h"
#include "optim/search/objective.h"

typedef struct hand {
  gradyn_worker worker;
  pthread_t thread;
  bool begun;
  atomic_bool ended;
} hand;

static void *live(void *self)
{
  hand *h = self;
  gradyn_worker_live(&h->worker, (int)h->worker.number + 1);
  atomic_store(&h->ended, true);
  return NULL;
}

/* One thread more; 0, or what is in its way. Signals are for those who wait for them. */
static int hire(hand *h)
{
  const gradyn_objective *objective = h->worker.pool->objective;
  sigset_t all, before;
  if (objective != NULL && objective->copy != NULL) {
    h->worker.self = objective->copy(objective->self);
    if (h->worker.self == NULL)
      return ENOMEM;
  }
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failure = pthread_create(&h->thread, NULL, live, h);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  h->begun = failure == 0;
  return failure;
}

static void dismiss(hand *h)
{
  const gradyn_objective *objective = h->worker.pool->objective;
  if (h->begun)
    (void)pthread_join(h->thread, NULL);
  if (h->worker.self != NULL)
    objective->release(h->worker.self);
}

/* Looks on until all threads have come to their end. */
static void watch(const gradyn_pool *pool, gradyn_board *board, hand *workers, size_t jobs)
{
  for (size_t busy = jobs; busy > 0;) {
    busy = 0;
    for (size_t i = 0; i < jobs; i++)
      busy += workers[i].begun && !atomic_load(&workers[i].ended);
    gradyn_board_look(pool, board);
  }
}

gradyn_status gradyn_pool_by_threads(const gradyn_pool *pool, gradyn_message *message)
{
  /* more threads than tasks would have nothing to do */
  const size_t jobs = pool->workers->jobs < pool->tasks ? pool->workers->jobs : pool->tasks;
  gradyn_board *board = calloc(1, gradyn_board_size(pool));
  hand *workers = calloc(jobs + 1, sizeof *workers);
  gradyn_status status = GRADYN_OK;
  size_t begun = 0;
  int failure = 0;
  if (board == NULL || workers == NULL) {
    free(board);
    free(workers);
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for %zu tasks", pool->tasks);
  }
  /* with fewer threads than asked for, the work only takes longer */
  for (size_t i = 0; i < jobs; i++) {
    workers[i].worker = (gradyn_worker){
        .pool = pool, .board = board, .complaint = &board->complaint, .number = i};
    const int now = hire(&workers[i]);
    failure = now != 0 ? now : failure;
    begun += workers[i].begun;
  }
  if (begun == 0 && jobs > 0)
    status = gradyn_fail(message, GRADYN_NO_MEMORY, "no thread can be made: %s", strerror(failure));
  watch(pool, board, workers, jobs);
  for (size_t i = 0; i < jobs; i++)
    dismiss(&workers[i]);
  if (status == GRADYN_OK && atomic_load(&board->stop))
    status = GRADYN_INTERRUPTED;
  status = gradyn_complaint_conclude(&board->complaint, status, message);
  free(board);
  free(workers);
  return status;
}
