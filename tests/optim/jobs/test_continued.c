/* Searches that a second algorithm continues after an early end of the first one: with path constraints,
 * from many starts, along a front, and stopped and resumed. */
#include "tests/optim/journalled.h"
#include "tests/runs.h"

#include "optim/jobs/multistart.h"
#include "optim/jobs/pareto.h"
#include "problems/builtin.h"

/* Rosenbrock's function, for which ccsaq needs many evaluations, and a conflicting parameter. */
SYNTHETIC(valley)
{
  (void)rosenbrock(problem, x, psi, gradient);
  if (problem->m > 1) {
    psi[1] = x[0];
    gradient[problem->n] = 1;
  }
}

static const double x0[2] = {-1.2, 1};
static const char *const second[] = {"slsqp", "ipopt"};
enum { FIRST = 500, ALL = 2000 };

static bool offered(const char *name)
{
  return gradyn_algorithm_unavailable_reason(name) == NULL;
}

static gradyn_search continued(const char *then)
{
  gradyn_search search = synthetic_search("ccsaq");
  search.then = then;
  search.max_evaluations = ALL;
  search.durability = GRADYN_DURABLE_NEVER;
  return search;
}

static bool until(const gradyn_iteration *iteration, void *user)
{
  return iteration->evaluation < *(const long *)user;
}

/* Stopped within the first algorithm, where the second one begins, and within the second one. */
TEST(a_stopped_search_is_resumed_to_the_bit)
{
  for (size_t k = 0; k < GRADYN_COUNT(second); k++)
    for (long last = FIRST - 1; offered(second[k]) && last <= FIRST + 7; last += 4) {
      FREED char *file = journal_name();
      LOCAL(gradyn_search_result) whole, stopped, resumed;
      synthetic problem = synthetic_make(2, -5, 5, 1, valley);
      gradyn_search search = continued(second[k]);
      assert_ok(synthetic_run(&problem, &search, x0, &whole), whole.reason);
      assert_non_null(strstr(whole.reason, "because ccsaq ended before an optimum"));
      search.journal = file;
      search.on_iteration = until;
      search.user = &last;
      assert_int_equal(
          journalled_run(&problem, &search, x0, (gradyn_recollection){.fresh = true}, &stopped),
          GRADYN_INTERRUPTED);
      search.on_iteration = NULL;
      gradyn_resumed told;
      assert_ok(
          journalled_run(&problem, &search, x0, (gradyn_recollection){.resumed = &told}, &resumed),
          resumed.reason);
      assert_int_equal(told.replayed, last);
      assert_same_result(&problem, &whole, &resumed);
    }
}

TEST(from_many_starts)
{
  for (size_t k = 0; k < GRADYN_COUNT(second); k++) {
    char *folder = journal_folder();
    synthetic problem = synthetic_make(2, -2, 2, 1, valley);
    const gradyn_objective objective = synthetic_objective(&problem);
    const gradyn_search search = continued(second[k]);
    const gradyn_multistart_spec spec = {.starts = 3, .seed = 1, .folder = folder};
    LOCAL(gradyn_multistart_result) result = {0};
    if (offered(second[k]))
      assert_ok(gradyn_multistart_run(&objective, NULL, &search, &spec, x0, &result),
                result.message);
    for (size_t i = 0; i < result.count; i++) {
      assert_in_range(result.local[i].evaluations, FIRST + 1, ALL - 1);
      assert_int_equal(result.local[i].termination, GRADYN_TERMINATION_OPTIMAL);
      assert_close(result.local[i].rho[0], 1, 1e-5, 0);
    }
    journal_sweep_up(folder);
  }
}

/* With x0 at most 1 - c, the least value is (1 - c)^2 of the distance. */
TEST(along_a_front)
{
  for (size_t k = 0; k < GRADYN_COUNT(second); k++) {
    char *folder = journal_folder();
    synthetic problem = synthetic_make(2, -5, 5, 2, valley);
    problem.functionals[1].tolerance = 1e-8;
    const gradyn_objective objective = synthetic_objective(&problem);
    const gradyn_search search = continued(second[k]);
    const gradyn_pareto_spec spec = {
        .first = 0, .second = 1, .points = 4, .from = -1, .to = 0.5, .folder = folder};
    LOCAL(gradyn_pareto_result) result = {0};
    if (offered(second[k]))
      assert_ok(gradyn_pareto_run(&objective, NULL, &search, &spec, x0, &result), result.message);
    for (size_t i = 0; i < result.count; i++) {
      const double c = result.point[i].limit;
      assert_true(result.point[i].on_front);
      assert_close(result.point[i].first, (1 - c) * (1 - c), 1e-6, 0);
    }
    assert_true(result.count == 0 || result.evaluations > FIRST);
    journal_sweep_up(folder);
  }
}

/* Bryson, Denham and Dreyfus (1963): the least energy is 4/(9 l) for the bound l = 1/9. */
TEST(with_limits)
{
  for (size_t k = 0; k < GRADYN_COUNT(second); k++) {
    double rho[8];
    run_local *ev = run_with(.problem = &gradyn_problem_bryson_denham);
    gradyn_search search = run_search(ev);
    LOCAL(gradyn_search_result) result = {0};
    search.algorithm = "ccsaq";
    search.then = second[k];
    run_initial(ev, rho);
    if (!offered(second[k]))
      continue;
    assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
    assert_string_equal(result.algorithm, second[k]);
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    assert_close(result.objective, 4, 1e-7, 0);
  }
}

enum { END_TIME, TURNS = 30 };

/* Zermelo's problem: across a current that increases with y. */
static gradyn_status cross(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - cos(at->u[1]) + at->y[1];
  F[1] = at->yp[1] - sin(at->u[1]);
  return GRADYN_OK;
}

static gradyn_status end(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user];
  return GRADYN_OK;
}

static gradyn_status build_crossing(gradyn_model *m, const gradyn_scalar rho[])
{
  static int which[] = {0, 1};
  gradyn_end_time(m, rho[END_TIME]);
  gradyn_signal(
      m, &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_LINEAR, .count = TURNS, .knots = rho + 1});
  gradyn_state(m, "x", "", 3.66);
  gradyn_state(m, "y", "", -1.86);
  gradyn_equations(m, &(gradyn_equations_spec){.residual = cross});
  gradyn_minimise(m, gradyn_end_time_functional(m, "time"), 1);
  for (int i = 0; i < 2; i++)
    gradyn_constrain(
        m,
        gradyn_custom_functional(m, &(gradyn_custom_functional_spec){.name = i ? "y_end" : "x_end",
                                                                     .unit = "",
                                                                     .terminal = end,
                                                                     .user = &which[i]}),
        0, 0, 1e-8);
  return gradyn_build_status(m);
}

static const gradyn_param crossing_params[] = {
    {"T", "s", .init = 5, .lower = 0.5, .upper = 50, .role = GRADYN_TIME},
    {"u", "", .init = 2, .lower = -10, .upper = 10, .scale = 1, .role = GRADYN_CONTROL,
     .count = TURNS}};

/* Bryson and Ho (1975), section 2.7: 5.46. Ipopt ends at the shortest time, where no point is feasible. */
THOROUGH_TEST(a_search_without_progress_is_continued)
{
  const gradyn_problem problem = PROBLEM("crossing", build_crossing, crossing_params, .rtol = 1e-9);
  double rho[TURNS + 1];
  run_local *ev = run_with(.problem = &problem);
  LOCAL(gradyn_search_result) result = {0};
  const gradyn_search search = run_search(ev);
  run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_close(result.objective, 5.4578657, 1e-7, 0);
  assert_in_range(result.evaluations, 1, 300);
}
