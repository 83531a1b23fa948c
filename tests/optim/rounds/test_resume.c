/* Searches resumed from their journal have the same bits as without an interruption. */
#include "tests/optim/journalled.h"

#include <sys/resource.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const gradyn_recollection begin = {.fresh = true};

/* Rosenbrock's function, which cannot be evaluated on one side of the valley. */
static gradyn_status half(const synthetic *problem, const double x[], double psi[],
                          double gradient[])
{
  return x[0] > 1.05 ? GRADYN_NOT_CONVERGED : rosenbrock(problem, x, psi, gradient);
}

static synthetic rough(void)
{
  return synthetic_make(2, -40, 40, 1, half);
}

static synthetic constrained(void)
{
  synthetic problem = synthetic_make(4, 1, 5, 3, hs071);
  synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, 25);
  synthetic_constrain(&problem, 2, GRADYN_EQUAL, 40);
  return problem;
}

/* Cuts the journal after each line in turn and resumes: the result is the same, and only the last
 * evaluation of the journal is repeated. */
static void resume_everywhere(synthetic problem, const gradyn_search *search, const double x0[])
{
  gradyn_search_result whole, again;
  const gradyn_status status = journalled_run(&problem, search, x0, begin, &whole);
  const long all = problem.evaluations;
  const content journal = journal_read(search->journal);
  assert_int_equal(journal_lines(journal), all + 1);
  const long some = support_thorough() ? 20 : 4, stride = all > 3 * some ? all / some : 1;
  for (long kept = 0; kept <= all; kept += stride) {
    gradyn_resumed resumed;
    journal_write(search->journal, journal.bytes, journal_line(journal, (size_t)kept + 1));
    problem.evaluations = 0;
    assert_status(
        journalled_run(&problem, search, x0, (gradyn_recollection){.resumed = &resumed}, &again),
        status, again.reason);
    assert_int_equal(problem.evaluations, all - kept + (kept > 0));
    assert_int_equal(resumed.replayed, kept);
    assert_string_equal(resumed.note, "");
    assert_same_result(&problem, &whole, &again);
    gradyn_search_result_clear(&again);
    const content after = journal_read(search->journal);
    assert_int_equal(journal_lines(after), all + 1);
    free(after.bytes);
  }
  free(journal.bytes);
  gradyn_search_result_clear(&whole);
}

TEST(every_algorithm_resumes_with_the_same_bits)
{
  FREED char *file = journal_name();
  const double rough_start[2] = {-1.2, 1}, start[4] = {1, 5, 5, 1};
  for (const char *const *name = gradyn_algorithm_names(); *name != NULL; name++) {
    gradyn_search search = synthetic_search(*name);
    search.journal = file;
    search.durability = GRADYN_DURABLE_NEVER; /* hundreds of files, which need not reach the disk */
    /* Ipopt needs as much time between evaluations as a thousand evaluations take */
    search.max_evaluations = strcmp(*name, "ipopt") == 0 ? 40 : 150;
    resume_everywhere(rough(), &search, rough_start);
    assert_int_equal(unlink(file), 0);
    resume_everywhere(constrained(), &search, start);
    assert_int_equal(unlink(file), 0);
  }
}

/* Two wells with a maximum between them, where the search begins: only probes leave it. */
SYNTHETIC(wells)
{
  for (size_t i = 0; i < problem->n; i++) {
    const double s = x[i] * x[i] - 1;
    psi[0] += s * s;
    gradient[i] = 4 * s * x[i];
  }
}

TEST(probes_are_journalled_too)
{
  FREED char *file = journal_name();
  const double top[2] = {0, 0};
  gradyn_search search = synthetic_search("lbfgs");
  search.journal = file;
  resume_everywhere(synthetic_make(2, -40, 40, 1, wells), &search, top);
  assert_int_equal(unlink(file), 0);
}

TEST(limits_may_be_raised)
{
  FREED char *file = journal_name();
  const double x0[2] = {-1.2, 1};
  gradyn_search_result whole, part;
  gradyn_resumed resumed;
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  gradyn_search search = synthetic_search("lbfgs");
  assert_ok(synthetic_run(&problem, &search, x0, &whole), whole.reason);
  search.journal = file;
  search.max_evaluations = 10;
  assert_status(journalled_run(&problem, &search, x0, begin, &part), GRADYN_STALLED, part.reason);
  gradyn_search_result_clear(&part);
  search.max_evaluations = 500;
  problem.evaluations = 0;
  assert_ok(
      journalled_run(&problem, &search, x0, (gradyn_recollection){.resumed = &resumed}, &part),
      part.reason);
  assert_same_result(&problem, &whole, &part);
  /* ten evaluations come from the journal; the one that verified their best point does not */
  assert_int_equal(resumed.replayed, 10);
  assert_says(resumed.note, "search.max_evaluations was 10 and is 500");
  gradyn_search_result_clear(&part);
  gradyn_search_result_clear(&whole);
  (void)unlink(file);
}

typedef struct times {
  long evaluations;
  double seconds[32]; /* of each of them */
} times;

static bool note_time(const gradyn_iteration *iteration, void *user)
{
  times *t = user;
  assert_in_range(iteration->evaluation, 1, 32);
  t->seconds[iteration->evaluation - 1] = iteration->seconds;
  t->evaluations = iteration->evaluation;
  return true;
}

static gradyn_status slow(const synthetic *problem, const double x[], double psi[],
                          double gradient[])
{
  (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  return rosenbrock(problem, x, psi, gradient);
}

/* Evaluations from the journal count with the time that they took originally towards the time limit. */
TEST(time_continues_from_the_journal)
{
  FREED char *file = journal_name();
  const double x0[2] = {-1.2, 1};
  double sum = 0;
  times before = {0}, after = {0};
  gradyn_search_result result;
  synthetic problem = synthetic_make(2, -40, 40, 1, slow);
  gradyn_search search = synthetic_search("lbfgs");
  search.journal = file;
  search.max_evaluations = 10;
  search.on_iteration = note_time;
  search.user = &before;
  (void)journalled_run(&problem, &search, x0, begin, &result);
  gradyn_search_result_clear(&result);
  search.user = &after;
  (void)journalled_run(&problem, &search, x0, (gradyn_recollection){0}, &result);
  assert_int_equal(before.evaluations, 10);
  assert_int_equal(after.evaluations, 10);
  assert_memory_equal(after.seconds, before.seconds, 10 * sizeof(double));
  for (int i = 0; i < 10; i++)
    sum += before.seconds[i];
  assert_true(sum > 0.045 && result.seconds >= sum);
  gradyn_search_result_clear(&result);
  /* no time is left for an eleventh evaluation */
  search.max_evaluations = 500;
  search.max_seconds = 0.045;
  assert_status(journalled_run(&problem, &search, x0, (gradyn_recollection){0}, &result),
                GRADYN_STALLED, result.reason);
  assert_true(after.evaluations <= 10);
  gradyn_search_result_clear(&result);
  (void)unlink(file);
}

TEST(another_tolerance_leaves_the_journal_with_a_note)
{
  FREED char *file = journal_name();
  const double x0[2] = {-1.2, 1};
  gradyn_search_result result;
  gradyn_resumed resumed;
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  gradyn_search search = synthetic_search("slsqp");
  search.journal = file;
  assert_ok(journalled_run(&problem, &search, x0, begin, &result), result.reason);
  gradyn_search_result_clear(&result);
  search.algorithm = "ccsaq";
  search.max_evaluations = 5000;
  const gradyn_recollection how = {.resumed = &resumed};
  assert_ok(journalled_run(&problem, &search, x0, how, &result), result.reason);
  assert_says(resumed.note, "search.algorithm was slsqp and is ccsaq");
  assert_says(resumed.note, "after 1 of the");
  gradyn_search_result_clear(&result);
  (void)unlink(file);
}

TEST(other_bits_are_refused)
{
  FREED char *file = journal_name();
  const double x0[2] = {-1.2, 1};
  gradyn_search_result result;
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  gradyn_search search = synthetic_search("slsqp");
  search.journal = file;
  search.max_evaluations = 8;
  (void)journalled_run(&problem, &search, x0, begin, &result);
  gradyn_search_result_clear(&result);
  const content before = journal_read(file);
  problem.factor = 1 + 0x1p-52;
  problem.functionals[0].weight = 2;
  assert_status(journalled_run(&problem, &search, x0, (gradyn_recollection){0}, &result),
                GRADYN_INVALID, result.reason);
  assert_says(result.reason, "functional f0 was");
  assert_says(result.reason, "functionals f0.weight was 1 and is 2");
  assert_null(result.rho);
  const content after = journal_read(file);
  assert_int_equal(after.size, before.size);
  assert_memory_equal(after.bytes, before.bytes, before.size);
  free(before.bytes);
  free(after.bytes);
  /* a new search does not write into an existing journal */
  assert_status(journalled_run(&problem, &search, x0, begin, &result), GRADYN_INVALID, NULL);
  assert_says(result.reason, "already holds");
  (void)unlink(file);
}

TEST(a_full_disk_costs_the_journal_but_not_the_search)
{
  FREED char *file = journal_name();
  const double x0[2] = {-1.2, 1};
  gradyn_search_result result, again;
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  gradyn_search search = synthetic_search("lbfgs");
  search.journal = file;
  struct rlimit old, small = {3000, 3000};
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small.rlim_max = old.rlim_max;
  (void)signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  const gradyn_status status = journalled_run(&problem, &search, x0, begin, &result);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  assert_ok(status, result.reason);
  assert_status(result.resumed.status, GRADYN_IO, result.reason);
  assert_says(result.reason, "cannot write the journal");
  /* with space on the disk, the stored lines are used */
  gradyn_resumed resumed;
  assert_ok(
      journalled_run(&problem, &search, x0, (gradyn_recollection){.resumed = &resumed}, &again),
      again.reason);
  assert_true(resumed.replayed > 2 && resumed.replayed < result.evaluations);
  assert_memory_equal(result.rho, again.rho, sizeof x0);
  gradyn_search_result_clear(&result);
  gradyn_search_result_clear(&again);
  (void)unlink(file);
}
