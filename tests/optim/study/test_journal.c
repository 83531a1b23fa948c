/* Damaged journals: incomplete lines are dropped, wrong ones refused, and a wrong line is never accepted. */
#include "tests/optim/journalled.h"

#include "core/base/clock.h"
#include "optim/study/folder.h"
#include "optim/study/identity.h"

#include <unistd.h>

static const double x0[2] = {-1.2, 1};

/* A search of ten evaluations with a journal; the result must be cleared. */
static content make(const char *file, synthetic *problem, gradyn_search *search,
                    gradyn_search_result *result)
{
  *problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  *search = synthetic_search("lbfgs");
  search->journal = file;
  search->durability = GRADYN_DURABLE_NEVER; /* thousands of files, which need not reach the disk */
  search->max_evaluations = 10;
  (void)journalled_run(problem, search, x0, (gradyn_recollection){.fresh = true}, result);
  return journal_read(file);
}

TEST(a_journal_cut_at_any_byte_is_resumed)
{
  FREED char *file = journal_name();
  synthetic problem;
  gradyn_search search;
  gradyn_search_result whole, again;
  const content journal = make(file, &problem, &search, &whole);
  const size_t first = journal_line(journal, journal_lines(journal) - 3);
  for (size_t cut = 0; cut <= journal.size; cut += cut < first && cut > 1200 ? 37 : 1) {
    journal_write(file, journal.bytes, cut);
    (void)journalled_run(&problem, &search, x0, (gradyn_recollection){0}, &again);
    assert_same_result(&problem, &whole, &again);
    gradyn_search_result_clear(&again);
  }
  gradyn_search_result_clear(&whole);
  free(journal.bytes);
  (void)unlink(file);
}

/* Resumes from a changed file: the right result, or a refusal. */
static void expect_right_or_refused(synthetic *problem, const gradyn_search *search,
                                    const gradyn_search_result *whole, bool refused)
{
  LOCAL(gradyn_search_result) again;
  const gradyn_status status = journalled_run(problem, search, x0, (gradyn_recollection){0},
                                              &again);
  if (refused) {
    assert_status(status, GRADYN_INVALID, again.reason);
    assert_says(again.reason, "damaged");
  } else {
    assert_same_result(problem, whole, &again);
  }
}

TEST(a_changed_byte_is_noticed)
{
  FREED char *file = journal_name();
  synthetic problem;
  gradyn_search search;
  gradyn_search_result whole;
  const content journal = make(file, &problem, &search, &whole);
  /* without the newline before it, the last line is part of a torn line */
  const size_t last = journal_line(journal, journal_lines(journal) - 1) - 1;
  for (size_t i = 0; i < journal.size; i += 7) {
    journal.bytes[i] ^= 4;
    journal_write(file, journal.bytes, journal.size);
    journal.bytes[i] ^= 4;
    expect_right_or_refused(&problem, &search, &whole, i < last);
  }
  gradyn_search_result_clear(&whole);
  free(journal.bytes);
  (void)unlink(file);
}

TEST(lines_that_are_missing_or_twice_are_noticed)
{
  FREED char *file = journal_name();
  synthetic problem;
  gradyn_search search;
  gradyn_search_result whole;
  const content journal = make(file, &problem, &search, &whole);
  const size_t a = journal_line(journal, 4), b = journal_line(journal, 5);
  char *changed = calloc(2, journal.size);
  assert_non_null(changed);
  memcpy(changed, journal.bytes, a);
  memcpy(changed + a, journal.bytes + b, journal.size - b);
  journal_write(file, changed, journal.size - (b - a));
  expect_right_or_refused(&problem, &search, &whole, true);
  memcpy(changed, journal.bytes, b);
  memcpy(changed + b, journal.bytes + a, journal.size - a);
  journal_write(file, changed, journal.size + (b - a));
  expect_right_or_refused(&problem, &search, &whole, true);
  gradyn_search_result_clear(&whole);
  free(changed);
  free(journal.bytes);
  (void)unlink(file);
}

TEST(numbers_come_back_to_the_bit)
{
  FREED char *file = journal_name();
  gradyn_journal *journal = NULL;
  double rho[2] = {0x1.fffffffffffffp-1, -0.0}, psi[1] = {5e-324}, gradient[2] = {HUGE_VAL, 1e308};
  const gradyn_record written = {
      .rho = rho, .psi = psi, .gradient = gradient, .seconds = 0.1, .steps = 17};
  gradyn_record failed = {.message = "it locks", .rho = rho, .seconds = 0.1, .steps = 3};
  assert_ok(gradyn_journal_open(file, 2, 1, GRADYN_DURABLE_EACH, &journal), NULL);
  assert_ok(gradyn_journal_begin(journal, json_object()), journal->message.text);
  assert_ok(gradyn_journal_append(journal, &written), journal->message.text);
  for (int k = 1; k <= (int)GRADYN_INTERNAL; k++) { /* every failure there is */
    failed.status = (gradyn_status)k;
    assert_ok(gradyn_journal_append(journal, &failed), journal->message.text);
  }
  /* another process cannot open it at the same time */
  gradyn_journal *other = NULL;
  assert_status(gradyn_journal_open(file, 2, 1, GRADYN_DURABLE_EACH, &other), GRADYN_INVALID, NULL);
  assert_says(other->message.text, "another process");
  gradyn_journal_close(other);
  char why[256];
  assert_status(gradyn_journal_remove(file, why, sizeof why), GRADYN_INVALID, why);
  gradyn_journal_close(journal);

  assert_ok(gradyn_journal_open(file, 2, 1, GRADYN_DURABLE_NEVER, &journal), NULL);
  assert_int_equal(journal->count, 1 + GRADYN_INTERNAL);
  const gradyn_record *read = &journal->records[0];
  assert_memory_equal(read->rho, rho, sizeof rho);
  assert_memory_equal(read->psi, psi, sizeof psi);
  assert_memory_equal(read->gradient, gradient, sizeof gradient);
  assert_int_equal(read->steps, 17);
  for (int k = 1; k <= (int)GRADYN_INTERNAL; k++) {
    assert_int_equal(journal->records[k].status, k);
    assert_string_equal(journal->records[k].message, "it locks");
  }
  gradyn_journal_close(journal);
  /* a problem with another number of parameters is another problem */
  assert_status(gradyn_journal_open(file, 3, 1, GRADYN_DURABLE_NEVER, &journal), GRADYN_INVALID,
                NULL);
  gradyn_journal_close(journal);
  assert_ok(gradyn_journal_remove(file, why, sizeof why), why);
  assert_ok(gradyn_journal_remove(file, why, sizeof why), why);
}

/* Journals are removed, other files stay, and no file stays open; a missing folder is reported. */
TEST(journals_of_a_folder_are_removed)
{
  static const char *const name[] = {"a.jsonl", ".jsonl", "b.json"};
  char *path = journal_folder(), file[3][FILENAME_MAX];
  const size_t before = journal_open_files();
  gradyn_folder study = {0};
  for (int k = 0; k < 3; k++) {
    (void)snprintf(file[k], sizeof file[k], "%s/%s", path, name[k]);
    journal_write(file[k], "", 0);
  }
  assert_ok(gradyn_folder_remove_journals(&study, path), study.message);
  for (int k = 0; k < 3; k++)
    assert_int_equal(access(file[k], F_OK), k == 0 ? -1 : 0);
  assert_status(gradyn_folder_remove_journals(&study, file[0]), GRADYN_NOT_FOUND, study.message);
  assert_says(study.message, "cannot be read");
  assert_int_equal(journal_open_files(), before);
  journal_sweep_up(path);
}

/* Each line is forced to disk, or once a second and at the end, or never. */
TEST(lines_are_forced_to_disk_as_requested)
{
  FREED char *file = journal_name();
  double rho[2] = {1, 2}, psi[1] = {3}, gradient[2] = {4, 5};
  const gradyn_record record = {.rho = rho, .psi = psi, .gradient = gradient};
  for (int k = 0; k < 3; k++) {
    const gradyn_durability how = k == 0   ? GRADYN_DURABLE_EACH
                                  : k == 1 ? GRADYN_DURABLE_SECOND
                                           : GRADYN_DURABLE_NEVER;
    gradyn_journal *journal = NULL;
    assert_ok(gradyn_journal_open(file, 2, 1, how, &journal), NULL);
    assert_ok(gradyn_journal_begin(journal, json_object()), journal->message.text);
    const double now = gradyn_seconds();
    journal->synced = now + 100; /* just before */
    assert_ok(gradyn_journal_append(journal, &record), journal->message.text);
    assert_int_equal(journal->synced < now + 50, how == GRADYN_DURABLE_EACH);
    assert_int_equal(journal->pending, how == GRADYN_DURABLE_SECOND);
    journal->synced = now - 1.5;
    assert_ok(gradyn_journal_append(journal, &record), journal->message.text);
    assert_int_equal(journal->synced >= now, how != GRADYN_DURABLE_NEVER);
    assert_false(journal->pending);
    journal->synced = now + 100;
    assert_ok(gradyn_journal_append(journal, &record), journal->message.text);
    assert_ok(gradyn_journal_finish(journal), journal->message.text);
    assert_int_equal(journal->synced < now + 50, how != GRADYN_DURABLE_NEVER);
    gradyn_journal_close(journal);
    assert_int_equal(unlink(file), 0);
  }
}

/* Gradients of mostly zeros are written with indices; every bit is restored, the sign of a zero, too. */
TEST(rows_of_zeros_are_short_and_are_restored)
{
  enum { ROWS = 3, COLUMNS = 20 };
  double rho[COLUMNS] = {1}, psi[ROWS] = {4, 5, 6}, gradient[ROWS * COLUMNS] = {0};
  for (int j = 0; j < COLUMNS; j++)
    gradient[j] = 1.0 / (j + 3);
  gradient[COLUMNS + 7] = -0.0;
  gradient[COLUMNS + 19] = -1.0 / 3;
  const gradyn_journal journal = {.p = COLUMNS, .f = ROWS};
  const gradyn_record record = {.rho = rho, .psi = psi, .gradient = gradient, .message = NULL};
  char *text = gradyn_journal_encode(&journal, &record);
  assert_non_null(text);
  assert_says(text, "{\"7\":-0.0,\"19\":-0.33333333333333331},{}]");
  json_t *line = json_loads(text, 0, NULL);
  gradyn_record back;
  assert_int_equal(gradyn_journal_decode(&journal, line, &back), GRADYN_OK);
  double whole[ROWS * COLUMNS];
  assert_true(gradyn_record_copy(&back, NULL, COLUMNS, ROWS, whole));
  assert_memory_equal(whole, gradient, sizeof gradient);
  gradyn_record_clear(&back);
  json_decref(line);
  free(text);
  /* an invalid index counts as damage */
  static const char *const places[] = {"20", "-1", "x", ""};
  for (size_t i = 0; i < 4; i++) {
    json_t *damaged = json_pack("{s:s,s:i,s:f,s:f,s:[],s:[],s:[{s:f}]}", "status", "ok", "steps", 1,
                                "seconds", 0.0, "elapsed", 0.0, "rho", "psi", "gradient", places[i],
                                1.0);
    json_t *numbers = json_object_get(damaged, "rho");
    for (int j = 0; j < COLUMNS; j++)
      (void)json_array_append_new(numbers, json_real(0));
    (void)json_array_append_new(json_object_get(damaged, "psi"), json_real(0));
    const gradyn_journal small = {.p = COLUMNS, .f = 1};
    assert_int_equal(gradyn_journal_decode(&small, damaged, &back), GRADYN_INVALID);
    gradyn_record_clear(&back);
    json_decref(damaged);
  }
}

/* Replaces a function of OpenBLAS, whatever BLAS is installed. */
__attribute__((visibility("default"))) int openblas_get_num_threads(void);
int openblas_get_num_threads(void)
{
  return 7;
}

/* Sums of a library depend on its number of threads, so a journal states this number. */
TEST(threads_of_the_library_are_counted)
{
  synthetic problem = synthetic_make(2, -40, 40, 1, rosenbrock);
  const gradyn_objective objective = synthetic_objective(&problem);
  const gradyn_search search = synthetic_search("lbfgs");
  json_t *identity = gradyn_identity(&objective, NULL, &search, x0);
  const json_t *build = json_object_get(identity, "build");
  assert_int_equal(json_integer_value(json_object_get(build, "lapack_threads")), 7);
  json_decref(identity);
}
