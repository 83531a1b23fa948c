/* Journals on a full disk: the search continues, and its caller gets the status, also with threads and
 * processes. A disk may report this only when data are forced onto it. */
#include "tests/optim/journalled.h"

#include "optim/jobs/multistart.h"
#include "optim/jobs/points.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

static const double x0[2] = {-1.2, 1};
enum { ENDLESS = 1000000 };
static atomic_long forced;
static long capacity = ENDLESS; /* so often it works */

/* Replaces the function of the C library. */
int fdatasync(int fd)
{
  (void)fd;
  const long now = ++forced;
  errno = ENOSPC;
  return now > capacity ? -1 : 0;
}

TEST(a_search_reports_at_its_end)
{
  for (gradyn_durability durability = 0; durability <= GRADYN_DURABLE_NEVER; durability++) {
    FREED char *file = journal_name();
    synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
    gradyn_search search = synthetic_search("lbfgs");
    gradyn_search_result result;
    search.journal = file;
    search.durability = durability;
    forced = 0;
    /* the header must be written; its failure is another case */
    capacity = durability == GRADYN_DURABLE_EACH;
    assert_ok(journalled_run(&problem, &search, x0, (gradyn_recollection){0}, &result),
              result.reason);
    assert_true(result.objective < 1e-8);
    if (durability == GRADYN_DURABLE_NEVER) {
      assert_int_equal(forced, 0);
      assert_int_equal(result.resumed.status, GRADYN_OK);
    } else {
      assert_int_equal(result.resumed.status, GRADYN_IO);
      assert_says(result.reason, "journal: cannot force to disk the journal ");
      assert_says(result.reason, "No space left");
    }
    gradyn_search_result_clear(&result);
    (void)unlink(file);
  }
}

/* A line that was written but not forced to disk keeps its number; the next line has another one. */
TEST(lines_after_a_failure_are_read)
{
  FREED char *file = journal_name();
  gradyn_journal *journal = NULL;
  double rho[2] = {1, 2}, psi[1] = {3};
  const gradyn_record record = {.rho = rho, .psi = psi};
  capacity = ENDLESS;
  assert_ok(gradyn_journal_open(file, 2, 1, GRADYN_DURABLE_EACH, &journal), NULL);
  assert_ok(gradyn_journal_begin(journal, json_object()), journal->message.text);
  capacity = 0;
  assert_status(gradyn_journal_append(journal, &record), GRADYN_IO, journal->message.text);
  capacity = ENDLESS;
  assert_ok(gradyn_journal_append(journal, &record), journal->message.text);
  gradyn_journal_close(journal);
  assert_ok(gradyn_journal_read(file, 2, 1, &journal), journal->message.text);
  assert_int_equal(journal->count, 2);
  gradyn_journal_close(journal);
  (void)unlink(file);
}

static gradyn_status start_many(size_t jobs, gradyn_multistart_result *result)
{
  char *folder = journal_folder();
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  const gradyn_objective objective = synthetic_objective(&problem);
  const gradyn_search search = synthetic_search("lbfgs");
  const gradyn_workers workers = {.jobs = jobs, .processes = jobs > 2};
  const gradyn_multistart_spec spec = {.starts = 6, .folder = folder, .workers = &workers};
  const gradyn_status status = gradyn_multistart_run(&objective, NULL, &search, &spec, x0, result);
  journal_sweep_up(folder);
  return status;
}

TEST(many_searches_report)
{
  for (size_t jobs = 1; jobs <= 3; jobs++) {
    LOCAL(gradyn_multistart_result) result;
    capacity = 0;
    assert_status(start_many(jobs, &result), GRADYN_IO, result.message);
    assert_says(result.message, "cannot force to disk the journal ");
    assert_true(result.unfinished < result.count); /* what was found is there */
    gradyn_multistart_result_clear(&result);
    capacity = ENDLESS;
    assert_ok(start_many(jobs, &result), result.message);
  }
}

/* Evaluates ten points; *known: number of points that are known afterwards. */
static gradyn_status evaluate_many(size_t jobs, size_t *known, char *message, size_t size)
{
  enum { COUNT = 10 };
  char *folder = journal_folder();
  double rho[COUNT][2];
  for (int i = 0; i < COUNT; i++)
    rho[i][0] = rho[i][1] = 0.1 * i;
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  const gradyn_objective objective = synthetic_objective(&problem);
  const gradyn_search search = synthetic_search("lbfgs");
  const gradyn_workers workers = {.jobs = jobs, .processes = jobs > 2};
  gradyn_points points = {.objective = &objective,
                          .search = &search,
                          .rho = rho[0],
                          .count = COUNT,
                          .gradient = true,
                          .folder = folder,
                          .workers = &workers};
  const gradyn_status status = gradyn_points_evaluate(&points);
  *known = 0;
  for (size_t i = 0; i < COUNT; i++)
    *known += gradyn_points_at(&points, i) != NULL;
  (void)snprintf(message, size, "%s", points.message.text);
  gradyn_points_clear(&points);
  journal_sweep_up(folder);
  return status;
}

TEST(many_points_report)
{
  char message[2048];
  size_t known = 0;
  struct rlimit before, tight;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  (void)signal(SIGXFSZ, SIG_IGN);
  for (size_t jobs = 1; jobs <= 3; jobs++) {
    capacity = 0;
    assert_status(evaluate_many(jobs, &known, message, sizeof message), GRADYN_IO, message);
    assert_says(message, "cannot force to disk the journal ");
    assert_int_equal(known, 10);
    capacity = ENDLESS;
    assert_ok(evaluate_many(jobs, &known, message, sizeof message), message);
    assert_int_equal(known, 10);
    /* space for the header and some lines only */
    tight = before;
    tight.rlim_cur = 2000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const gradyn_status status = evaluate_many(jobs, &known, message, sizeof message);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_status(status, GRADYN_IO, message);
    assert_says(message, "cannot write the journal ");
    assert_in_range(known, 1, 9);
  }
}
