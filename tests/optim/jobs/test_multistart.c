/* Searches from many starts find all six optima of a function. */
#include "tests/optim/journalled.h"

#include "optim/jobs/multistart.h"

#include <signal.h>
#include <unistd.h>

/* The six-hump camel (Dixon & Szego 1978): two global minima, four others. */
SYNTHETIC(camel)
{
  const double a = x[0] * x[0], b = x[1] * x[1];
  psi[0] = (4 - 2.1 * a + a * a / 3) * a + x[0] * x[1] + (4 * b - 4) * b;
  gradient[0] = 8 * x[0] - 8.4 * a * x[0] + 2 * a * a * x[0] + x[1];
  gradient[1] = x[0] + 16 * b * x[1] - 8 * x[1];
}

/* The same function, but evaluations on one side end their process. */
static gradyn_status deadly(const synthetic *problem, const double x[], double psi[],
                            double gradient[])
{
  if (x[0] > 2 && x[1] > 1)
    (void)raise(SIGKILL);
  return camel(problem, x, psi, gradient);
}

/* The same function, but evaluations on one side fail with a fatal status. */
static gradyn_status hungry(const synthetic *problem, const double x[], double psi[],
                            double gradient[])
{
  return x[0] > 2 ? GRADYN_NO_MEMORY : camel(problem, x, psi, gradient);
}

static const double x0[2] = {0.5, 0.5};
static const double minima[6] = {-1.0316284534898774,  -1.0316284534898774, -0.21546382438371693,
                                 -0.21546382438371693, 2.1042503103112,     2.1042503103112};

static gradyn_status run(synthetic_fn fill, gradyn_multistart_spec spec, const char *folder,
                         gradyn_multistart_result *result, long *evaluations)
{
  synthetic problem = synthetic_make(2, -2, 2, 1, fill);
  problem.parameters[0].lower = -3;
  problem.parameters[0].upper = 3;
  const gradyn_objective objective = synthetic_objective(&problem);
  gradyn_search search = synthetic_search("lbfgs");
  search.durability = GRADYN_DURABLE_NEVER;
  spec.folder = folder;
  spec.seed = 1;
  const gradyn_status status = gradyn_multistart_run(&objective, NULL, &search, &spec, x0, result);
  if (evaluations != NULL)
    *evaluations = problem.evaluations;
  return status;
}

TEST(all_optima_are_found_and_counted)
{
  char *folder = journal_folder();
  gradyn_multistart_result result;
  assert_ok(run(camel, (gradyn_multistart_spec){.starts = 64}, folder, &result, NULL),
            result.message);
  assert_int_equal(result.count, 64);
  assert_int_equal(result.unfinished, 0);
  assert_int_equal(result.optimum_count, 6);
  size_t reached = 0;
  for (size_t k = 0; k < 6; k++) {
    assert_close(result.local[result.optimum[k].local].objective, minima[k], 1e-6, 0);
    assert_int_equal(result.local[result.optimum[k].local].optimum, k);
    reached += result.optimum[k].count;
  }
  assert_true(reached >= 60 && reached <= 64);
  assert_close(result.best.objective, minima[0], 1e-9, 0);
  assert_memory_equal(result.best.rho, result.local[0].rho, 2 * sizeof(double));
  gradyn_multistart_result_clear(&result);
  journal_sweep_up(folder);
}

/* One search has one optimum: the largest number is that of the searches. */
TEST(one_search_has_one_optimum)
{
  char *folder = journal_folder();
  gradyn_multistart_result result;
  assert_ok(run(camel, (gradyn_multistart_spec){.starts = 1}, folder, &result, NULL),
            result.message);
  assert_true(result.optimum_count == 1 && result.optimum[0].count == 1);
  gradyn_multistart_result_clear(&result);
  journal_sweep_up(folder);
}

static void assert_same_locals(const gradyn_multistart_result *a, const gradyn_multistart_result *b)
{
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->optimum_count, b->optimum_count);
  assert_int_equal(a->evaluations, b->evaluations);
  for (size_t i = 0; i < a->count; i++) {
    assert_int_equal(a->local[i].start, b->local[i].start);
    assert_memory_equal(a->local[i].rho, b->local[i].rho, 2 * sizeof(double));
    assert_memory_equal(a->local[i].start_rho, b->local[i].start_rho, 2 * sizeof(double));
    assert_memory_equal(&a->local[i].objective, &b->local[i].objective, sizeof(double));
    assert_int_equal(a->local[i].optimum, b->local[i].optimum);
  }
}

/* The number of workers changes no result, and no file stays open. */
TEST(the_number_of_workers_changes_nothing)
{
  gradyn_multistart_result alone, together;
  const gradyn_multistart_spec spec = {.starts = 30, .screen = 12};
  const size_t files = journal_open_files();
  char *folder = journal_folder();
  assert_ok(run(camel, spec, folder, &alone, NULL), alone.message);
  assert_int_equal(alone.count, 12);
  journal_sweep_up(folder);
  for (size_t jobs = 2; jobs < 9; jobs++) {
    const gradyn_workers workers = {.jobs = jobs, .processes = SUPPORT_FORKS && jobs % 2};
    gradyn_multistart_spec with = spec;
    long evaluations = 0;
    with.workers = &workers;
    folder = journal_folder();
    assert_ok(run(camel, with, folder, &together, NULL), together.message);
    assert_same_locals(&alone, &together);
    gradyn_multistart_result_clear(&together);
    /* repeated: all is known except for the two evaluations that verify the optima */
    with.workers = NULL;
    assert_ok(run(camel, with, folder, &together, &evaluations), together.message);
    assert_int_equal(evaluations, 2);
    assert_same_locals(&alone, &together);
    gradyn_multistart_result_clear(&together);
    journal_sweep_up(folder);
    assert_int_equal(journal_open_files(), files);
  }
  gradyn_multistart_result_clear(&alone);
}

TEST(parts_of_the_work_make_up_the_whole)
{
  gradyn_multistart_result alone, part;
  const gradyn_multistart_spec spec = {.starts = 20};
  char *folder = journal_folder();
  assert_ok(run(camel, spec, folder, &alone, NULL), alone.message);
  journal_sweep_up(folder);
  folder = journal_folder();
  for (size_t shard = 0; shard < 3; shard++) {
    const gradyn_workers workers = {.shard = shard, .shards = 3};
    gradyn_multistart_spec with = spec;
    with.workers = &workers;
    assert_status(run(camel, with, folder, &part, NULL), shard < 2 ? GRADYN_INTERRUPTED : GRADYN_OK,
                  part.message);
    assert_int_equal(part.unfinished, shard == 0 ? 13 : shard == 1 ? 6 : 0);
    if (shard == 2)
      assert_same_locals(&alone, &part);
    gradyn_multistart_result_clear(&part);
  }
  gradyn_multistart_result_clear(&alone);
  journal_sweep_up(folder);
}

TEST(a_damaged_journal_is_named)
{
  char *folder = journal_folder(), file[128];
  gradyn_multistart_result result;
  const gradyn_multistart_spec spec = {.starts = 5};
  assert_ok(run(camel, spec, folder, &result, NULL), result.message);
  gradyn_multistart_result_clear(&result);
  (void)snprintf(file, sizeof file, "%s/start-000003.jsonl", folder);
  const content journal = journal_read(file);
  journal.bytes[journal_line(journal, 2) + 20] ^= 1;
  journal_write(file, journal.bytes, journal.size);
  assert_status(run(camel, spec, folder, &result, NULL), GRADYN_INVALID, result.message);
  assert_says(result.message, "line 3 of the journal '");
  assert_says(result.message, "start-000003.jsonl' is damaged");
  assert_int_equal(result.unfinished, 1);
  assert_int_equal(result.count, 5);
  gradyn_multistart_result_clear(&result);
  /* as the message says */
  assert_int_equal(unlink(file), 0);
  assert_ok(run(camel, spec, folder, &result, NULL), result.message);
  assert_int_equal(result.unfinished, 0);
  gradyn_multistart_result_clear(&result);
  free(journal.bytes);
  journal_sweep_up(folder);
}

TEST(a_process_that_dies_costs_one_search)
{
  if (!SUPPORT_FORKS)
    skip();
  char *folder = journal_folder();
  gradyn_multistart_result result;
  const gradyn_workers workers = {.jobs = 2, .processes = true};
  const gradyn_multistart_spec spec = {.starts = 40, .workers = &workers};
  assert_status(run(deadly, spec, folder, &result, NULL), GRADYN_CALLBACK, result.message);
  size_t fatal = 0; /* searches that start in the fatal corner; others may step into it */
  for (size_t i = 0; i < result.count; i++)
    fatal += result.local[i].start_rho[0] > 2 && result.local[i].start_rho[1] > 1;
  assert_true(fatal > 0);
  assert_in_range(result.unfinished, fatal, 10);
  assert_says(result.message, "died: Killed");
  assert_int_equal(result.optimum_count, 6);
  gradyn_multistart_result_clear(&result);
  /* with the correct function, only missing searches are run */
  long evaluations = 0;
  assert_ok(run(camel, (gradyn_multistart_spec){.starts = 40}, folder, &result, &evaluations),
            result.message);
  assert_int_equal(result.unfinished, 0);
  assert_true(evaluations < result.evaluations / 2);
  gradyn_multistart_result_clear(&result);
  journal_sweep_up(folder);
}

/* A journal stores no failure that ends a search; the failure must not look like an interruption. */
TEST(a_search_with_a_fatal_failure_is_reported)
{
  for (size_t jobs = 0; jobs < 4; jobs++) {
    char *folder = journal_folder();
    gradyn_multistart_result result;
    const gradyn_workers workers = {.jobs = jobs, .processes = SUPPORT_FORKS && jobs > 2};
    const gradyn_multistart_spec spec = {.starts = 40, .workers = &workers};
    assert_status(run(hungry, spec, folder, &result, NULL), GRADYN_NO_MEMORY, result.message);
    assert_says(result.message, "the mechanism locks");
    size_t failed = 0; /* searches that start on the failing side; others may step there */
    for (size_t i = 0; i < result.count; i++)
      failed += result.local[i].start_rho[0] > 2;
    assert_true(failed > 0);
    assert_in_range(result.unfinished, failed, 30);
    assert_in_range(result.optimum_count, 5, 6); /* the others were searched */
    gradyn_multistart_result_clear(&result);
    journal_sweep_up(folder);
  }
}

TEST(studies_of_nothing)
{
  gradyn_search search = {.struct_size = sizeof search};
  gradyn_search_result result;
  gradyn_sweep_result sweep;
  LOCAL(gradyn_multistart_result) starts;
  char message[128] = "";
  assert_status(gradyn_optimise(NULL, NULL, NULL, NULL), GRADYN_INVALID, NULL);
  search.resume = true;
  assert_status(gradyn_optimise(NULL, &search, NULL, &result), GRADYN_INVALID, result.reason);
  search.journal = "/nowhere/journal.jsonl";
  assert_status(gradyn_optimise(NULL, &search, NULL, &result), GRADYN_INVALID, result.reason);
  assert_status(gradyn_journal_best(NULL, NULL, NULL, NULL, 0), GRADYN_INVALID, NULL);
  assert_status(gradyn_journal_best(NULL, &search, NULL, message, sizeof message), GRADYN_INVALID,
                message);
  assert_says(message, "NULL");
  assert_false(gradyn_journal_busy(NULL));
  assert_status(gradyn_journal_remove(NULL, NULL, 0), GRADYN_INVALID, NULL);
  assert_status(gradyn_sweep(NULL, NULL, NULL, NULL), GRADYN_INVALID, NULL);
  assert_status(gradyn_sweep(NULL, NULL, NULL, &sweep), GRADYN_INVALID, sweep.message);
  gradyn_sweep_result_clear(&sweep);
  gradyn_sweep_result_clear(NULL);
  assert_status(gradyn_multistart(NULL, NULL, NULL, NULL, NULL), GRADYN_INVALID, NULL);
  assert_status(gradyn_multistart(NULL, NULL, NULL, NULL, &starts), GRADYN_INVALID, starts.message);
  gradyn_multistart_result_clear(NULL);
}
