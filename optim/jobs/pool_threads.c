/* Tasks in threads, each with its own objective. The calling thread waits. It alone calls the functions
 * of the caller that report progress or request an end. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "optim/jobs/pool_board.h"
#include "optim/program/objective.h"

typedef struct worker_thread {
  gradyn_worker worker;
  pthread_t thread;
  bool begun;
  atomic_bool ended;
} worker_thread;

static void *live(void *self)
{
  worker_thread *t = self;
  gradyn_worker_live(&t->worker, (int)t->worker.number + 1);
  atomic_store(&t->ended, true);
  return NULL;
}

/* Starts one more thread. Returns 0 or an error number. Signals go to the threads that wait for them. */
static int begin(worker_thread *t)
{
  const gradyn_objective *objective = t->worker.pool->objective;
  sigset_t all, before;
  if (objective != NULL && objective->copy != NULL) {
    t->worker.self = objective->copy(objective->self);
    if (t->worker.self == NULL)
      return ENOMEM;
  }
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failure = pthread_create(&t->thread, NULL, live, t);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  t->begun = failure == 0;
  return failure;
}

static void end(worker_thread *t)
{
  const gradyn_objective *objective = t->worker.pool->objective;
  if (t->begun)
    (void)pthread_join(t->thread, NULL);
  if (t->worker.self != NULL)
    objective->release(t->worker.self);
}

/* Waits until all threads have ended. */
static void watch(const gradyn_pool *pool, gradyn_board *board, worker_thread *threads, size_t jobs)
{
  for (size_t busy = jobs; busy > 0;) {
    busy = 0;
    for (size_t i = 0; i < jobs; i++)
      busy += threads[i].begun && !atomic_load(&threads[i].ended);
    gradyn_board_poll(pool, board);
  }
}

gradyn_status gradyn_pool_by_threads(const gradyn_pool *pool, gradyn_message *message)
{
  /* more threads than tasks would be idle */
  const size_t jobs = pool->workers->jobs < pool->tasks ? pool->workers->jobs : pool->tasks;
  gradyn_board *board = calloc(1, gradyn_board_size(pool));
  worker_thread *threads = calloc(jobs + 1, sizeof *threads);
  gradyn_status status = GRADYN_OK;
  size_t begun = 0;
  int failure = 0;
  if (board == NULL || threads == NULL) {
    free(board);
    free(threads);
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory for %zu tasks", pool->tasks);
  }
  /* fewer threads than requested are no failure: the work takes longer */
  for (size_t i = 0; i < jobs; i++) {
    threads[i].worker = (gradyn_worker){
        .pool = pool, .board = board, .complaint = &board->complaint, .number = i};
    const int now = begin(&threads[i]);
    failure = now != 0 ? now : failure;
    begun += threads[i].begun;
  }
  if (begun == 0 && jobs > 0)
    status = gradyn_fail(message, GRADYN_NO_MEMORY, "threads: none can be created; %s",
                         strerror(failure));
  watch(pool, board, threads, jobs);
  for (size_t i = 0; i < jobs; i++)
    end(&threads[i]);
  if (status == GRADYN_OK && atomic_load(&board->stop))
    status = GRADYN_INTERRUPTED;
  status = gradyn_complaint_conclude(&board->complaint, status, message);
  free(board);
  free(threads);
  return status;
}
