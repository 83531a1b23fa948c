/* Journals that cannot be read at present, for example without free descriptors: the call fails with this
 * reason, and a later call finds all evaluations. */
#include "tests/optim/journalled.h"

#include "optim/jobs/multistart.h"
#include "optim/jobs/points.h"
#include "tests/optim/fronts.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const double x0[2] = {-1.2, 1};

/* Shared by all processes: number of requests for a descriptor, and the one that fails; 0: none. */
static struct shared {
  long asked, fails;
} * shared;

/* Replaces the function of the C library. */
int dup(int fd)
{
  if (__atomic_add_fetch(&shared->asked, 1, __ATOMIC_RELAXED) != shared->fails)
    return fcntl(fd, F_DUPFD, 0);
  errno = EMFILE;
  return -1;
}

/* Result of a study of several searches or points: the best objective, or all of them. */
typedef struct outcome {
  gradyn_status status;
  double objective;
  char message[2048];
} outcome;

typedef void (*study_fn)(const char *folder, size_t jobs, outcome *out);

static void search_once(const char *folder, size_t jobs, outcome *out)
{
  (void)jobs;
  char file[FILENAME_MAX];
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) result;
  (void)snprintf(file, sizeof file, "%s/journal.jsonl", folder);
  search.journal = file;
  out->status = journalled_run(&problem, &search, x0, (gradyn_recollection){0}, &result);
  out->objective = result.objective;
  (void)snprintf(out->message, sizeof out->message, "%s", result.reason);
}

/* Two valleys: the problem's own start leads to the higher one. */
SYNTHETIC(valleys)
{
  psi[0] = pow(x[0] * x[0] - 1, 2) + 0.3 * x[0] + x[1] * x[1];
  gradient[0] = 4 * x[0] * (x[0] * x[0] - 1) + 0.3;
  gradient[1] = 2 * x[1];
}

static void start_many(const char *folder, size_t jobs, outcome *out)
{
  synthetic problem = synthetic_make(2, -2, 2, 1, valleys);
  const gradyn_objective objective = synthetic_objective(&problem);
  const gradyn_search search = synthetic_search("lbfgs");
  const gradyn_workers workers = {.jobs = jobs, .processes = jobs > 2};
  const gradyn_multistart_spec spec = {
      .starts = 8, .screen = 3, .folder = folder, .workers = &workers};
  const double right[2] = {1.5, 1};
  LOCAL(gradyn_multistart_result) result;
  out->status = gradyn_multistart_run(&objective, NULL, &search, &spec, right, &result);
  out->objective = result.best.objective;
  (void)snprintf(out->message, sizeof out->message, "%s%s", result.message, result.best.reason);
}

static void evaluate_many(const char *folder, size_t jobs, outcome *out)
{
  enum { COUNT = 7 };
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
                          .folder = folder,
                          .workers = &workers};
  out->status = gradyn_points_evaluate(&points);
  out->objective = 0;
  for (size_t i = 0; i < COUNT; i++) {
    const gradyn_record *record = gradyn_points_at(&points, i);
    out->objective += record != NULL ? record->psi[0] : NAN;
  }
  (void)snprintf(out->message, sizeof out->message, "%s", points.message.text);
  gradyn_points_clear(&points);
}

static void find_front(const char *folder, size_t jobs, outcome *out)
{
  const gradyn_workers workers = {.jobs = jobs, .processes = jobs > 2};
  const front_setup setup = {.fill = concave, .n = 2, .points = 3, .workers = &workers};
  LOCAL(gradyn_pareto_result) result;
  out->status = front_run(setup, folder, &result, NULL);
  out->objective = 0;
  for (size_t i = 0; i < result.count; i++)
    out->objective += result.point[i].first;
  (void)snprintf(out->message, sizeof out->message, "%s", result.message);
}

/* While descriptor k is refused, the failure is reported, or the result is right. */
static void without_one(study_fn study, const char *folder, size_t jobs, long k,
                        const outcome *right)
{
  outcome now;
  shared->asked = 0;
  shared->fails = k;
  study(folder, jobs, &now);
  if (now.status != GRADYN_OK || now.objective != right->objective) {
    assert_status(now.status, GRADYN_IO, now.message);
    assert_says(now.message, "cannot read the journal");
  }
  shared->fails = 0;
  study(folder, jobs, &now);
  assert_ok(now.status, now.message);
  assert_true(now.objective == right->objective);
}

/* New studies, and studies that are completely known. */
TEST(want_of_descriptors_is_no_damage)
{
  static const study_fn studies[] = {search_once, start_many, evaluate_many, find_front};
  for (size_t i = 0; i < sizeof studies / sizeof *studies; i++)
    for (size_t jobs = 1; jobs <= 3; jobs++) {
      char *known = journal_folder();
      outcome right;
      shared->asked = shared->fails = 0;
      studies[i](known, jobs, &right);
      assert_ok(right.status, right.message);
      const long asked = shared->asked;
      assert_true(asked > 0 && isfinite(right.objective));
      for (long k = 1; k <= asked; k += (long)jobs) {
        char *folder = journal_folder();
        without_one(studies[i], folder, jobs, k, &right);
        journal_sweep_up(folder);
        without_one(studies[i], known, jobs, k, &right);
      }
      journal_sweep_up(known);
    }
}

/* A pipe with the name of a journal: no call waits for its other end. */
TEST(a_pipe_is_no_journal)
{
  static const struct {
    study_fn study;
    const char *name;
  } cases[] = {{search_once, "journal.jsonl"},
               {start_many, "start-000000.jsonl"},
               {evaluate_many, "points-00007.jsonl"},
               {find_front, "point-00000-1.jsonl"}};
  shared->fails = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *folder = journal_folder(), file[FILENAME_MAX], message[256];
    outcome now;
    (void)snprintf(file, sizeof file, "%s/%s", folder, cases[i].name);
    assert_int_equal(mkfifo(file, 0666), 0);
    (void)alarm(600); /* should one wait for ever */
    cases[i].study(folder, 1, &now);
    assert_status(now.status, GRADYN_INVALID, now.message);
    assert_says(now.message, "is not a file");
    assert_false(gradyn_journal_busy(file));
    (void)gradyn_journal_remove(file, message, sizeof message);
    (void)alarm(0);
    journal_sweep_up(folder);
  }
}

BEFORE_TESTS(shared_memory)
{
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}
