/* Tests of processes that share work: who ends it, and what is told of it. */
#include "tests/support.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "optim/crew.h"

enum { TASKS = 200 };

/* What all processes share. */
typedef struct shared {
  pid_t boss;
  int done[TASKS];
  int left[TASKS]; /* by worker */
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
static void work(void *user, size_t task, const gradyn_worker *worker)
{
  (void)worker;
  (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  ((shared *)user)->done[task]++;
}

static bool all_but_the_boss(void *user)
{
  return getpid() != ((shared *)user)->boss;
}

/* Whoever looks after the processes ends their work, though nobody tells them so themselves. */
static void one_word_ends_the_work_of_all(void **state)
{
  (void)state;
  shared *all = share();
  const gradyn_hands hands = {.jobs = 2, .go_on = all_but_the_boss, .user = all};
  const gradyn_crew crew = {.tasks = TASKS, .hands = &hands, .work = work, .user = all};
  gradyn_message message;
  assert_int_equal(gradyn_crew_run(&crew, &message), GRADYN_INTERRUPTED);
  assert_true(count_done(all) < TASKS);
}

/* The third task complains: no other is begun, and what was complained about is told. */
static void complain(void *user, size_t task, const gradyn_worker *worker)
{
  work(user, task, worker);
  if (task == 2)
    gradyn_worker_complain(worker, GRADYN_IO, "the disk is full");
}

static void a_complaint_ends_the_work_of_all(void **state)
{
  (void)state;
  for (size_t jobs = 1; jobs < 4; jobs++) {
    shared *all = share();
    const gradyn_hands hands = {.jobs = jobs};
    const gradyn_crew crew = {.tasks = TASKS, .hands = &hands, .work = complain, .user = all};
    gradyn_message message;
    assert_status(gradyn_crew_run(&crew, &message), GRADYN_IO, message.text);
    assert_non_null(strstr(message.text, "the disk is full"));
    assert_true(count_done(all) < TASKS);
  }
}

static void leave(void *user, const gradyn_worker *worker)
{
  ((shared *)user)->left[gradyn_worker_number(worker)]++;
}

/* All tasks are done once, by however many, and each of these ends its part once. */
static void nothing_is_done_twice(void **state)
{
  (void)state;
  for (size_t jobs = 1; jobs < 9; jobs += jobs) {
    shared *all = share();
    const gradyn_hands hands = {.jobs = jobs};
    const gradyn_crew crew = {
        .tasks = TASKS, .hands = &hands, .work = work, .leave = leave, .user = all};
    gradyn_message message;
    assert_status(gradyn_crew_run(&crew, &message), GRADYN_OK, message.text);
    for (size_t i = 0; i < 10; i++)
      assert_int_equal(all->left[i], i < jobs);
    assert_int_equal(count_done(all), TASKS);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_word_ends_the_work_of_all),
      cmocka_unit_test(a_complaint_ends_the_work_of_all),
      cmocka_unit_test(nothing_is_done_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
