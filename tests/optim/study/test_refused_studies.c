/* Impossible studies: the error is named, and nothing is evaluated. */
#include "tests/optim/journalled.h"

#include "optim/jobs/multistart.h"
#include "optim/jobs/pareto.h"

#include <pthread.h>
#include <semaphore.h>

static const double x0[2] = {0.5, 0.5};

TEST(starts_without_sense_are_refused)
{
  const struct {
    gradyn_multistart_spec spec;
    bool no_folder;
    const char *why;
  } table[] = {
      {{.starts = 0}, false, "starts: 0; must be 1 to 4294967295"},
      {{.starts = 5000000000}, false, "starts: 5000000000; must be"},
      {{.starts = 3}, true, "folder: NULL; it is required"},
      {{.starts = 3, .spread = -1}, false, "spread: -1; must be finite and not negative"},
      {{.starts = 3, .spread = NAN}, false, "spread: nan; must"},
      {{.starts = 3, .spread = HUGE_VAL}, false, "spread: inf; must"},
      {{.starts = 3, .merge_distance = -0.5}, false, "merge_distance: -0.5; must not be negative"},
      {{.starts = 3, .merge_distance = NAN}, false, "merge_distance: nan; must"},
  };
  char *folder = journal_folder();
  const gradyn_search search = synthetic_search("lbfgs");
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    synthetic problem = synthetic_make(2, -2, 2, 1, bowl);
    const gradyn_objective objective = synthetic_objective(&problem);
    gradyn_multistart_spec spec = table[i].spec;
    LOCAL(gradyn_multistart_result) result;
    spec.folder = table[i].no_folder ? NULL : folder;
    assert_status(gradyn_multistart_run(&objective, NULL, &search, &spec, x0, &result),
                  GRADYN_INVALID, result.message);
    assert_says(result.message, table[i].why);
    assert_int_equal(problem.evaluations, 0);
  }
  journal_sweep_up(folder);
}

/* A problem that a search refuses is refused by all studies. */
TEST(problems_without_sense_are_refused)
{
  char *folder = journal_folder();
  const gradyn_search search = synthetic_search("lbfgs");
  const gradyn_multistart_spec spec = {.starts = 3, .folder = folder};
  synthetic problem = synthetic_make(2, -2, 2, 1, bowl);
  problem.parameters[1].lower = 5;
  const gradyn_objective objective = synthetic_objective(&problem);
  gradyn_multistart_result result;
  assert_status(gradyn_multistart_run(&objective, NULL, &search, &spec, x0, &result),
                GRADYN_INVALID, result.message);
  assert_says(result.message, "x1 has the lower bound 5");
  assert_int_equal(problem.evaluations, 0);
  gradyn_multistart_result_clear(&result);
  journal_sweep_up(folder);
}

/* f0 = |x - 1|^2, f1 = 3 + 2 f0: both are smallest at the same point. */
SYNTHETIC(agreeing)
{
  for (size_t j = 0; j < problem->n; j++) {
    psi[0] += (x[j] - 1) * (x[j] - 1);
    gradient[j] = 2 * (x[j] - 1);
    gradient[problem->n + j] = 2 * gradient[j];
  }
  psi[1] = 3 + 2 * psi[0];
}

static gradyn_status locked(const synthetic *problem, const double x[], double psi[],
                            double gradient[])
{
  (void)problem;
  (void)x;
  (void)psi;
  (void)gradient;
  return GRADYN_NOT_CONVERGED;
}

static gradyn_status front(synthetic *problem, gradyn_pareto_spec spec,
                           gradyn_pareto_result *result)
{
  const gradyn_objective objective = synthetic_objective(problem);
  const gradyn_search search = synthetic_search("lbfgs");
  return gradyn_pareto_run(&objective, NULL, &search, &spec, x0, result);
}

TEST(fronts_without_sense_are_refused)
{
  const struct {
    gradyn_pareto_spec spec;
    gradyn_functional_use first;
    bool no_folder;
    const char *why;
  } table[] = {
      {{.second = 1, .points = 3}, GRADYN_OBJECTIVE, true, "a front needs a folder"},
      {{.second = 1, .points = 100001}, GRADYN_OBJECTIVE, false, "at most 100000"},
      {{.second = 2, .points = 3}, GRADYN_OBJECTIVE, false, "functionals 0 and 2 of 2"},
      {{.first = 2, .points = 3}, GRADYN_OBJECTIVE, false, "functionals 2 and 0 of 2"},
      {{.first = 1, .second = 1, .points = 3},
       GRADYN_OBJECTIVE,
       false,
       "two different functionals"},
      {{.second = 1, .points = 3, .from = NAN, .to = NAN},
       GRADYN_EQUAL,
       false,
       "f0 has an equality constraint"},
      {{.second = 1, .points = 3, .from = NAN, .to = 5}, GRADYN_OBJECTIVE, false, "from nan to 5"},
      {{.second = 1, .points = 3, .from = 6, .to = 5},
       GRADYN_OBJECTIVE,
       false,
       "the smaller one first"},
      {{.second = 1, .points = 3}, GRADYN_OBJECTIVE, false, "from 0 to 0"},
  };
  char *folder = journal_folder();
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    synthetic problem = synthetic_make(2, -4, 4, 2, agreeing);
    gradyn_pareto_spec spec = table[i].spec;
    LOCAL(gradyn_pareto_result) result;
    problem.functionals[0].use = table[i].first;
    problem.functionals[0].tolerance = 1e-6;
    spec.folder = table[i].no_folder ? NULL : folder;
    assert_status(front(&problem, spec, &result), GRADYN_INVALID, result.message);
    if (strstr(result.message, table[i].why) == NULL)
      fail_msg("\"%s\" does not contain \"%s\"", result.message, table[i].why);
    assert_int_equal(problem.evaluations, 0);
  }
  journal_sweep_up(folder);
}

/* Without a conflict, the front is one point. */
TEST(a_front_may_be_a_point)
{
  char *folder = journal_folder();
  synthetic problem = synthetic_make(2, -4, 4, 2, agreeing);
  gradyn_pareto_result result;
  const gradyn_pareto_spec spec = {
      .second = 1, .points = 5, .from = NAN, .to = NAN, .folder = folder};
  assert_ok(front(&problem, spec, &result), result.message);
  assert_int_equal(result.count, 1);
  assert_int_equal(result.front, 1);
  assert_true(result.point[0].on_front && result.point[0].finished);
  assert_close(result.point[0].first, 0, 0, 1e-9);
  assert_close(result.point[0].second, 3, 1e-9, 0);
  assert_close(result.point[0].trade_off, 0, 0, 0);
  gradyn_pareto_result_clear(&result);
  journal_sweep_up(folder);
}

TEST(a_front_needs_a_point_to_begin_from)
{
  char *folder = journal_folder();
  synthetic problem = synthetic_make(2, -4, 4, 2, locked);
  gradyn_pareto_result result;
  const gradyn_pareto_spec spec = {
      .second = 1, .points = 5, .from = NAN, .to = NAN, .folder = folder};
  assert_status(front(&problem, spec, &result), GRADYN_NOT_CONVERGED, result.message);
  assert_says(result.message,
              "functional f0: the search for its minimum found no feasible point. Relax");
  gradyn_pareto_result_clear(&result);
  journal_sweep_up(folder);
}

static void *wait_to_end(void *told)
{
  (void)sem_wait(told);
  return NULL;
}

/* Several processes are refused if the program has other threads: nothing is evaluated, and the call does
 * not wait. */
TEST(jobs_beside_other_threads_are_refused)
{
  if (!SUPPORT_FORKS)
    skip();
  char *folder = journal_folder();
  sem_t told;
  pthread_t thread;
  synthetic problem = synthetic_make(2, -4, 4, 2, agreeing);
  const gradyn_objective objective = synthetic_objective(&problem);
  const gradyn_search search = synthetic_search("lbfgs");
  const gradyn_workers workers = {.jobs = 2, .processes = true};
  const gradyn_multistart_spec starts = {.starts = 3, .folder = folder, .workers = &workers};
  const gradyn_pareto_spec points = {
      .second = 1, .points = 3, .from = NAN, .to = NAN, .folder = folder, .workers = &workers};
  gradyn_multistart_result many;
  gradyn_pareto_result front_result;
  assert_int_equal(sem_init(&told, 0, 0), 0);
  assert_int_equal(pthread_create(&thread, NULL, wait_to_end, &told), 0);
  assert_status(gradyn_multistart_run(&objective, NULL, &search, &starts, x0, &many),
                GRADYN_UNSUPPORTED, many.message);
  assert_says(many.message, "jobs: processes are made by fork()");
  assert_says(many.message, "1 other thread");
  assert_status(front(&problem, points, &front_result), GRADYN_UNSUPPORTED, front_result.message);
  assert_says(front_result.message, "jobs: processes are made by fork()");
  assert_int_equal(problem.evaluations, 0);
  gradyn_multistart_result_clear(&many);
  gradyn_pareto_result_clear(&front_result);
  assert_int_equal(sem_post(&told), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  journal_sweep_up(folder);
}
