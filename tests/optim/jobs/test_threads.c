/* Studies by threads have the bits of a single thread, also next to other threads with their own
 * evaluators. */
#include "tests/optim/journalled.h"
#include "tests/runs.h"

#include <pthread.h>
#include <stdatomic.h>

#include <gradyn/study.h>

extern const gradyn_problem gradyn_problem_bouncing_five_bar, gradyn_problem_five_bar,
    gradyn_problem_robertson;

/* A mechanism with events, general equations, and a smooth mechanism. */
static const struct {
  const gradyn_problem *problem;
  const char *method;
} cases[] = {{&gradyn_problem_bouncing_five_bar, "explicit"},
             {&gradyn_problem_robertson, "idas"},
             {&gradyn_problem_five_bar, "ali3p"},
             {&gradyn_problem_five_bar, "auto"}};
enum { CASES = sizeof cases / sizeof *cases };

static gradyn_evaluator *open(size_t k)
{
  return run_with(cases[k].problem, .method = cases[k].method);
}

/* Returns the initial rho [parameters], to be freed. */
static double *start_of(const gradyn_evaluator *evaluator)
{
  const size_t p = gradyn_parameter_count(evaluator);
  double *rho = support_zeros(p + 1, sizeof *rho);
  for (size_t j = 0; j < p; j++)
    rho[j] = gradyn_parameter_at(evaluator, j).init;
  return rho;
}

static void search_from_many(size_t k, size_t jobs, gradyn_multistart_result *result)
{
  char *folder = journal_folder();
  run_local *evaluator = open(k);
  double *rho = start_of(evaluator);
  gradyn_search search = run_search(evaluator);
  search.max_evaluations = 3;
  search.verify_discretisation = false;
  search.durability = GRADYN_DURABLE_NEVER;
  const gradyn_workers workers = {.jobs = jobs};
  const gradyn_multistart_spec spec = {
      .starts = 4, .seed = 3, .spread = 0.05, .folder = folder, .workers = &workers};
  const gradyn_status status = gradyn_multistart(evaluator, &search, &spec, rho, result);
  /* three evaluations do not reach an optimum, which is not an error */
  assert_true(gradyn_status_describe((int)status).kind != GRADYN_CLASS_FATAL);
  assert_int_equal(result->unfinished, 0);
  free(rho);
  journal_sweep_up(folder);
}

static void evaluate_at_many(size_t k, size_t jobs, gradyn_sweep_result *result)
{
  char *folder = journal_folder();
  run_local *evaluator = open(k);
  double *rho = start_of(evaluator);
  const gradyn_range range = {.from = rho[0], .to = 1.01 * rho[0] + 1e-3};
  const gradyn_workers workers = {.jobs = jobs};
  const gradyn_sweep_spec spec = {.range = &range,
                                  .range_count = 1,
                                  .points = 5,
                                  .gradient = true,
                                  .folder = folder,
                                  .durability = GRADYN_DURABLE_NEVER,
                                  .workers = &workers};
  assert_ok(gradyn_sweep(evaluator, &spec, rho, result), result->message);
  assert_int_equal(result->missing, 0);
  free(rho);
  journal_sweep_up(folder);
}

static void assert_same_sweep(const gradyn_sweep_result *a, const gradyn_sweep_result *b, size_t p,
                              size_t f)
{
  assert_memory_equal(a->status, b->status, a->count * sizeof *a->status);
  assert_memory_equal(a->psi, b->psi, a->count * f * sizeof(double));
  assert_memory_equal(a->gradient, b->gradient, a->count * f * p * sizeof(double));
}

static void assert_same_searches(const gradyn_multistart_result *a,
                                 const gradyn_multistart_result *b, size_t p)
{
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->evaluations, b->evaluations);
  for (size_t i = 0; i < a->count; i++) {
    assert_int_equal(a->local[i].start, b->local[i].start);
    assert_int_equal(a->local[i].termination, b->local[i].termination);
    assert_memory_equal(a->local[i].rho, b->local[i].rho, p * sizeof(double));
    assert_memory_equal(&a->local[i].objective, &b->local[i].objective, sizeof(double));
  }
}

static void compare(size_t k, size_t jobs)
{
  run_local *evaluator = open(k);
  const size_t p = gradyn_parameter_count(evaluator), f = gradyn_functional_count(evaluator);
  gradyn_multistart_result alone, together;
  LOCAL(gradyn_sweep_result) one, many;
  search_from_many(k, 1, &alone);
  search_from_many(k, jobs, &together);
  assert_same_searches(&alone, &together, p);
  gradyn_multistart_result_clear(&alone);
  gradyn_multistart_result_clear(&together);
  evaluate_at_many(k, 0, &one);
  evaluate_at_many(k, jobs, &many);
  assert_same_sweep(&one, &many, p, f);
}

TEST(threads_give_the_bits_of_one)
{
  for (size_t k = 0; k < CASES; k++)
    if (support_takes((int)k, 2))
      compare(k, 2 + k % 2);
}

/* Computes gradients on its own evaluator until it is told to end. */
static atomic_bool enough;

static void *be_busy(void *told)
{
  gradyn_evaluator *evaluator = told;
  double *rho = start_of(evaluator);
  double psi[16], gradient[16 * 64];
  while (!atomic_load(&enough))
    if (gradyn_evaluator_gradient(evaluator, rho, psi, gradient) != GRADYN_OK)
      break;
  free(rho);
  return NULL;
}

THOROUGH_TEST(other_threads_change_nothing)
{
  enum { OTHERS = 2 };
  pthread_t thread[OTHERS];
  gradyn_evaluator *busy[OTHERS];
  atomic_store(&enough, false);
  for (size_t i = 0; i < OTHERS; i++) {
    busy[i] = open(CASES - 1);
    assert_true(gradyn_functional_count(busy[i]) <= 16 && gradyn_parameter_count(busy[i]) <= 64);
    assert_int_equal(pthread_create(&thread[i], NULL, be_busy, busy[i]), 0);
  }
  compare(0, 2);
  atomic_store(&enough, true);
  for (size_t i = 0; i < OTHERS; i++) {
    assert_int_equal(pthread_join(thread[i], NULL), 0);
    gradyn_evaluator_free(busy[i]);
  }
}

/* The user's cancel callback is called only by the thread that called the library. */
typedef struct caller {
  pthread_t self;
  int left;
} caller;

static bool go_on(void *user)
{
  caller *c = user;
  assert_true(pthread_equal(pthread_self(), c->self));
  return --c->left > 0;
}

static void told(size_t done, size_t tasks, void *user)
{
  assert_true(pthread_equal(pthread_self(), ((const caller *)user)->self));
  assert_true(done <= tasks);
}

TEST(callbacks_run_in_the_calling_thread)
{
  char *folder = journal_folder();
  run_local *evaluator = open(0);
  double *rho = start_of(evaluator);
  caller c = {.self = pthread_self(), .left = 3};
  gradyn_sweep_result result;
  const gradyn_range range = {.from = rho[0], .to = 1.01 * rho[0]};
  const gradyn_workers workers = {.jobs = 2, .go_on = go_on, .progress = told, .user = &c};
  const gradyn_sweep_spec spec = {
      .range = &range, .range_count = 1, .points = 10000, .folder = folder, .workers = &workers};
  assert_status(gradyn_sweep(evaluator, &spec, rho, &result), GRADYN_INTERRUPTED, result.message);
  assert_true(result.missing > 0);
  gradyn_sweep_result_clear(&result);
  free(rho);
  journal_sweep_up(folder);
}
