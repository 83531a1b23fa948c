/* Memory: a failed allocation of gradyn, Jansson or the C library, while a journal is read or written, does
 * not damage the journal. */
#include "tests/allocations.h"
#include "tests/optim/fronts.h"

#include "core/files/json_read.h"
#include "optim/jobs/multistart.h"
#include "optim/jobs/points.h"

#include <unistd.h>

static const double x0[2] = {-1.2, 1};

/* A search whose evaluations sometimes fail, so that its journal has lines of both kinds. */
static gradyn_status rough(const synthetic *problem, const double x[], double psi[],
                           double gradient[])
{
  return x[0] > 1.05 ? GRADYN_NOT_CONVERGED : rosenbrock(problem, x, psi, gradient);
}

/* Makes a journal with this number of evaluations. */
static content make(const char *file, long evaluations)
{
  synthetic problem = synthetic_make(2, -40, 40, 1, rough);
  gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) result;
  search.journal = file;
  search.max_evaluations = evaluations;
  (void)journalled_run(&problem, &search, x0, (gradyn_recollection){.fresh = true}, &result);
  return journal_read(file);
}

typedef struct reading {
  const char *file;
  content whole;
  bool torn, writes;
  size_t count;
} reading;

/* Opens the journal and checks that all evaluations are known and that the file is unchanged. A torn end,
 * which is removed, is restored before. */
static gradyn_status open_journal(const void *user, char *message)
{
  const reading *r = user;
  gradyn_journal *journal = NULL;
  if (r->torn && truncate(r->file, (off_t)r->whole.size - 9) != 0)
    return GRADYN_IO;
  const gradyn_status status = r->writes ? gradyn_journal_open(r->file, 2, 1, GRADYN_DURABLE_NEVER,
                                                               &journal)
                                         : gradyn_journal_read(r->file, 2, 1, &journal);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s",
                 journal == NULL       ? "out of memory"
                 : status == GRADYN_OK ? "memory"
                                       : journal->message.text);
  const bool known = journal != NULL && journal->count == r->count;
  gradyn_journal_close(journal);
  return status == GRADYN_OK && !known ? GRADYN_INVALID : status;
}

/* Only a torn end may be removed from a file, and only after all of it has been read. */
TEST(want_of_memory_is_no_damage)
{
  FREED char *file = journal_name();
  const content journal = make(file, 12);
  for (int k = 0; k < 4; k++) {
    const reading r = {.file = file,
                       .whole = journal,
                       .torn = k & 1,
                       .writes = k & 2,
                       .count = journal_lines(journal) - 1 - (k & 1)};
    journal_write(file, journal.bytes, journal.size);
    allocations_check(open_journal, &r, r.torn ? "a torn journal" : "a journal");
    const content now = journal_read(file);
    const size_t last = journal_line(journal, journal_lines(journal) - 1);
    assert_int_equal(now.size, !r.torn ? journal.size : r.writes ? last : journal.size - 9);
    assert_memory_equal(now.bytes, journal.bytes, now.size);
    free(now.bytes);
  }
  (void)unlink(file);
  free(journal.bytes);
}

/* Looks up known points after a failed allocation. */
static gradyn_status look_up(const void *user, char *message)
{
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  const gradyn_objective objective = synthetic_objective(&problem);
  const gradyn_search search = synthetic_search("lbfgs");
  const double rho[3][2] = {{0, 0}, {0.5, 1}, {1, 1}};
  gradyn_points points = {
      .objective = &objective, .search = &search, .rho = rho[0], .count = 3, .folder = user};
  gradyn_status status = gradyn_points_evaluate(&points);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s",
                 status == GRADYN_OK ? "memory" : points.message.text);
  for (size_t i = 0; i < 3; i++)
    if (gradyn_points_at(&points, i) == NULL && status == GRADYN_OK)
      status = GRADYN_INTERNAL;
  gradyn_points_clear(&points);
  return status;
}

/* Collects known searches again. */
static gradyn_status gather_starts(const void *user, char *message)
{
  synthetic problem = synthetic_make(2, -4, 4, 1, rosenbrock);
  const gradyn_objective objective = synthetic_objective(&problem);
  gradyn_search search = synthetic_search("lbfgs");
  const gradyn_multistart_spec spec = {.starts = 3, .screen = 2, .folder = user};
  LOCAL(gradyn_multistart_result) result;
  search.max_evaluations = 2;
  gradyn_status status = gradyn_multistart_run(&objective, NULL, &search, &spec, x0, &result);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s%s", result.message, result.best.reason);
  if (status == GRADYN_STALLED && result.unfinished == 0 && result.evaluations == 4) {
    (void)snprintf(message, ALLOCATIONS_MESSAGE, "memory");
    status = GRADYN_OK; /* the right result, by limits */
  }
  return status;
}

static gradyn_status gather_front(const void *user, char *message)
{
  LOCAL(gradyn_pareto_result) result;
  gradyn_status status = front_run(
      (front_setup){
          .fill = paraboloids, .n = 1, .points = 2, .from = SECOND_UNIT, .to = 2 * SECOND_UNIT},
      user, &result, NULL);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s",
                 status == GRADYN_OK ? "memory" : result.message);
  if (status == GRADYN_OK && result.front != 2)
    status = GRADYN_INTERNAL;
  return status;
}

/* Known results are found again, or the status is a lack of memory and the second attempt finds them. */
TEST(known_studies_are_gathered_or_memory_is_short)
{
  static const struct {
    allocations_work work;
    const char *name;
  } cases[] = {{look_up, "points"}, {gather_starts, "starts"}, {gather_front, "a front"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *folder = journal_folder(), message[ALLOCATIONS_MESSAGE];
    assert_ok(cases[i].work(folder, message), message);
    allocations_check(cases[i].work, folder, cases[i].name);
    journal_sweep_up(folder);
  }
}

static gradyn_status read_text(const void *text, char *message)
{
  json_t *value = NULL;
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "memory");
  const gradyn_status status = gradyn_json_read(text, strlen(text), &value, message,
                                                ALLOCATIONS_MESSAGE);
  const bool right = status == GRADYN_OK ? json_object_size(value) == 5 : value == NULL;
  json_decref(value);
  return right ? status : GRADYN_INTERNAL;
}

TEST(the_reader_reports_lack_of_memory)
{
  allocations_check(
      read_text,
      "{\"a text that is longer than a small buffer\": 0.12345678901234567e-100,"
      "\"b\": [1, 2, 3, 4, 5, 6, 7, 8, 9, {}], \"c\": {\"d\": [[]]}, \"e\": \"\\u20ac\","
      "\"f\": null}",
      "text");
}

BEFORE_TESTS(libraries_that_fail)
{
  allocations_include("libjansson");
  allocations_include("libc.so");
}
