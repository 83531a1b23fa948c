/* Threads and processes that share work: how it ends, and the message about it. */
#include "tests/support.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "optim/jobs/pool.h"

enum { TASKS = 200 };

/* What all processes share. */
typedef struct shared {
  pid_t boss;
  int done[TASKS];
  int left[TASKS]; /* by worker */
  int progress;
} shared;

static shared *share(void)
{
  shared *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(all != MAP_FAILED);
  all->boss = getpid();
  return all;
}

static int count_done(shared *all)
{
  int sum = 0;
  for (int i = 0; i < TASKS; i++) {
    assert_in_range(all->done[i], 0, 1);
    sum += all->done[i];
  }
  assert_int_equal(munmap(all, sizeof *all), 0);
  return sum;
}

/* Tasks of five milliseconds. */
static void work(void *user, size_t task, gradyn_worker *worker)
{
  (void)worker;
  (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  ((shared *)user)->done[task]++;
}

static bool all_but_the_boss(void *user)
{
  return getpid() != ((shared *)user)->boss;
}

/* A request ends the work of all, whether the supervising process or another one receives it. */
TEST(one_request_ends_the_work_of_all)
{
  for (int processes = 0; processes < 2; processes++) {
    shared *all = share();
    const gradyn_workers workers = {
        .jobs = 2, .processes = SUPPORT_FORKS && processes, .go_on = all_but_the_boss, .user = all};
    const gradyn_pool pool = {.tasks = TASKS, .workers = &workers, .work = work, .user = all};
    gradyn_message message;
    assert_int_equal(gradyn_pool_run(&pool, &message), GRADYN_INTERRUPTED);
    assert_true(count_done(all) < TASKS);
  }
}

/* The third task reports a failure: no other task is begun, and the failure is returned. */
static void complain(void *user, size_t task, gradyn_worker *worker)
{
  work(user, task, worker);
  if (task == 2)
    gradyn_worker_report_fatal(worker, GRADYN_IO, "the disk is full");
}

TEST(a_fatal_report_ends_the_work_of_all)
{
  for (size_t jobs = 1; jobs < 6; jobs++) {
    shared *all = share();
    const gradyn_workers workers = {.jobs = jobs, .processes = SUPPORT_FORKS && jobs > 3};
    const gradyn_pool pool = {.tasks = TASKS, .workers = &workers, .work = complain, .user = all};
    gradyn_message message;
    assert_status(gradyn_pool_run(&pool, &message), GRADYN_IO, message.text);
    assert_says(message.text, "the disk is full");
    assert_true(count_done(all) < TASKS);
  }
}

static void leave(void *user, gradyn_worker *worker)
{
  ((shared *)user)->left[gradyn_worker_number(worker)]++;
}

/* All tasks are done once by any number of workers, and each worker ends once. */
TEST(nothing_is_done_twice)
{
  for (size_t jobs = 1; jobs < 9; jobs++) {
    shared *all = share();
    const gradyn_workers workers = {.jobs = jobs, .processes = SUPPORT_FORKS && jobs % 2};
    const gradyn_pool pool = {
        .tasks = TASKS, .workers = &workers, .work = work, .leave = leave, .user = all};
    gradyn_message message;
    assert_status(gradyn_pool_run(&pool, &message), GRADYN_OK, message.text);
    for (size_t i = 0; i < 10; i++)
      assert_int_equal(all->left[i], i < jobs);
    assert_int_equal(count_done(all), TASKS);
  }
}

/* A scheduler that gives the even tasks to another machine. */
typedef struct odd {
  bool comes;
  size_t next;
  int begun, ended;
} odd;

static bool meet(void *self)
{
  ((odd *)self)->begun++;
  return ((odd *)self)->comes;
}

static size_t hand_out(void *self)
{
  odd *o = self;
  assert_true(o->begun == 1 && o->ended == 0);
  o->next += 2;
  return o->next - 1;
}

static void part(void *self)
{
  ((odd *)self)->ended++;
}

/* Machines start together, do the tasks assigned to them, and wait for each other. If one is missing, no
 * task begins. */
TEST(machines_do_their_tasks)
{
  for (int comes = 0; comes < 2; comes++) {
    shared *all = share();
    odd o = {.comes = comes};
    const gradyn_workers workers = {
        .begin = meet, .next = hand_out, .end = part, .self = &o, .rank = 5, .shards = 0};
    const gradyn_pool pool = {
        .tasks = 21, .workers = &workers, .work = work, .leave = leave, .user = all};
    gradyn_message message;
    assert_status(gradyn_pool_run(&pool, &message), comes ? GRADYN_OK : GRADYN_INTERRUPTED,
                  message.text);
    for (int i = 0; i < TASKS; i++)
      assert_int_equal(all->done[i], comes && i < 21 && i % 2);
    assert_int_equal(all->left[5], comes);
    assert_int_equal(o.ended, comes);
    assert_int_equal(count_done(all), comes ? 10 : 0);
  }
}

static void note_progress(size_t done, size_t tasks, void *user)
{
  shared *all = user;
  assert_int_equal(tasks, 23);
  assert_true((int)done >= all->progress);
  all->progress = (int)done;
}

/* Part k of n does every n-th task; the reported progress never decreases. */
TEST(parts_have_every_nth_task)
{
  gradyn_message message;
  for (size_t jobs = 1; jobs < 4; jobs++) {
    shared *all = share();
    const gradyn_workers workers = {.jobs = jobs,
                                    .processes = SUPPORT_FORKS && jobs > 2,
                                    .shard = 2,
                                    .shards = 5,
                                    .progress = note_progress,
                                    .user = all};
    const gradyn_pool pool = {.tasks = 23, .workers = &workers, .work = work, .user = all};
    assert_status(gradyn_pool_run(&pool, &message), GRADYN_OK, message.text);
    for (int i = 0; i < TASKS; i++)
      assert_int_equal(all->done[i], i < 23 && i % 5 == 2);
    assert_true(all->progress > 0);
    assert_int_equal(count_done(all), 5);
  }
  const gradyn_workers none = {.shard = 5, .shards = 5};
  const gradyn_pool pool = {.tasks = 23, .workers = &none, .work = work};
  assert_status(gradyn_pool_run(&pool, &message), GRADYN_INVALID, message.text);
  assert_string_equal(message.text, "part 5 of 5: must be less than the number of parts");
}

/* A thread that lives until it is told to end. */
typedef struct sleeper {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t told;
  bool end;
} sleeper;

static void *sleep_on(void *user)
{
  sleeper *s = user;
  (void)pthread_mutex_lock(&s->lock);
  while (!s->end)
    (void)pthread_cond_wait(&s->told, &s->lock);
  (void)pthread_mutex_unlock(&s->lock);
  return NULL;
}

static void begin_sleeper(sleeper *s)
{
  *s = (sleeper){.end = false};
  assert_int_equal(pthread_mutex_init(&s->lock, NULL), 0);
  assert_int_equal(pthread_cond_init(&s->told, NULL), 0);
  assert_int_equal(pthread_create(&s->thread, NULL, sleep_on, s), 0);
}

static void end_sleeper(sleeper *s)
{
  (void)pthread_mutex_lock(&s->lock);
  s->end = true;
  (void)pthread_cond_signal(&s->told);
  (void)pthread_mutex_unlock(&s->lock);
  assert_int_equal(pthread_join(s->thread, NULL), 0);
}

/* A program with other threads makes no processes, since a lock held by such a thread would stay locked in
 * the child process. */
TEST(a_program_with_other_threads_makes_no_processes)
{
  if (!SUPPORT_FORKS)
    skip();
  enum { MANY = 3 };
  sleeper s[MANY];
  gradyn_message message;
  for (size_t count = 1; count <= MANY; count += MANY - 1) {
    for (size_t i = 0; i < count; i++)
      begin_sleeper(&s[i]);
    for (size_t jobs = 1; jobs < 4; jobs += 2) {
      shared *all = share();
      const gradyn_workers workers = {.jobs = jobs, .processes = true};
      const gradyn_pool pool = {.tasks = 5, .workers = &workers, .work = work, .user = all};
      assert_status(gradyn_pool_run(&pool, &message), jobs > 1 ? GRADYN_UNSUPPORTED : GRADYN_OK,
                    message.text);
      if (jobs > 1)
        assert_says(message.text, count > 1 ? "with 3 other threads. Use threads"
                                            : "with 1 other thread. Use threads");
      assert_int_equal(count_done(all), jobs > 1 ? 0 : 5);
    }
    for (size_t i = 0; i < count; i++)
      end_sleeper(&s[i]);
  }
  nothing_is_done_twice(); /* all other threads have ended: now it is possible */
}

/* A thread that a library ends before each fork, as OpenBLAS does in its handler, does not prevent
 * processes. */
static sleeper pool;
static bool pooled;

static void end_pool(void)
{
  if (pooled)
    end_sleeper(&pool);
  pooled = false;
}

TEST(threads_that_end_with_a_fork_do_not_matter)
{
  if (!SUPPORT_FORKS)
    skip();
  assert_int_equal(pthread_atfork(end_pool, NULL, NULL), 0);
  begin_sleeper(&pool);
  pooled = true;
  nothing_is_done_twice();
  assert_false(pooled);
}
