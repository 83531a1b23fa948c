/* Ipopt in several threads: it computes for one thread at a time, while evaluations run in parallel. */
#include "tests/optim/synthetic.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { THREADS = 4, SEARCHES = 2, PARAMETERS = 4 };

/* A barrier at which two evaluations wait for each other. */
static struct meeting {
  pthread_mutex_t lock;
  pthread_cond_t come;
  int inside;
  bool missed;
} meeting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false};

/* The first evaluation of a search waits until that of the other search has begun. */
static gradyn_status meet(const synthetic *problem, const double x[], double psi[],
                          double gradient[])
{
  if (problem->evaluations == 2) {
    struct timespec until;
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &until), 0);
    until.tv_sec += 60;
    pthread_mutex_lock(&meeting.lock);
    meeting.inside++;
    pthread_cond_broadcast(&meeting.come);
    while (meeting.inside < 2 && !meeting.missed)
      meeting.missed = pthread_cond_timedwait(&meeting.come, &meeting.lock, &until) == ETIMEDOUT;
    pthread_mutex_unlock(&meeting.lock);
  }
  return rosenbrock(problem, x, psi, gradient);
}

static void gradyn_search_result_release(gradyn_search_result **result)
{
  gradyn_search_result_clear(*result);
  free(*result);
}

/* A search of its own. */
static void *search_once(void *fill)
{
  const double x0[PARAMETERS] = {-1.2, 1, 0, 2};
  synthetic_fn function = NULL;
  memcpy(&function, &fill, sizeof function);
  synthetic problem = synthetic_make(PARAMETERS, -5, 5, 1, function);
  const gradyn_search search = synthetic_search("ipopt");
  gradyn_search_result *result = support_zeros(1, sizeof *result);
  (void)synthetic_run(&problem, &search, x0, result);
  return result;
}

/* Runs searches on threads; all must have the bits of `alone`. */
static void search_together(synthetic_fn fill, int count, const gradyn_search_result *alone)
{
  pthread_t threads[THREADS];
  void *function = NULL;
  memcpy(&function, &fill, sizeof fill);
  for (int i = 0; i < count; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, search_once, function), 0);
  for (int i = 0; i < count; i++) {
    void *returned = NULL;
    assert_int_equal(pthread_join(threads[i], &returned), 0);
    OWNED(gradyn_search_result) *result = returned;
    assert_int_equal(result->termination, GRADYN_TERMINATION_OPTIMAL);
    assert_int_equal(result->evaluations, alone->evaluations);
    assert_memory_equal(result->rho, alone->rho, PARAMETERS * sizeof *alone->rho);
  }
}

static gradyn_search_result *search_alone(void)
{
  void *function = NULL;
  synthetic_fn fill = rosenbrock;
  memcpy(&function, &fill, sizeof fill);
  return search_once(function);
}

TEST(evaluations_run_in_parallel)
{
  OWNED(gradyn_search_result) *alone = search_alone();
  search_together(meet, 2, alone);
  assert_false(meeting.missed);
}

TEST(searches_on_threads_have_the_bits_of_one_alone)
{
  OWNED(gradyn_search_result) *alone = search_alone();
  assert_int_equal(alone->termination, GRADYN_TERMINATION_OPTIMAL);
  for (int round = 0; round < SEARCHES; round++)
    search_together(rosenbrock, THREADS, alone);
}
