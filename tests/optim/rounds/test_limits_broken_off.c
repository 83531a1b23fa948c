/* Searches with path constraints that are stopped from outside. The reported violations are those of the
 * whole run of the best point, or unknown. Values at sampled points alone are not reported. */
#include "core/base/clock.h"
#include "tests/runs.h"

#include <time.h>

extern const gradyn_problem gradyn_problem_van_der_pol;

/* How a search is stopped after some evaluations. */
typedef enum ender {
  BY_WATCH,
  BY_CANCEL,      /* a request that stays */
  BY_ONE_CANCEL,  /* one that is withdrawn */
  BY_TWO_CANCELS, /* a second request, during the evaluation of final values */
  BY_TIME,
  ENDERS
} ender;

typedef struct ending {
  ender by;
  long after;  /* evaluations */
  bool asked;  /* the first request has been made */
  int answers; /* to requests since */
} ending;

static const double allowed = 0.5; /* s, by time */

static bool watch(const gradyn_iteration *iteration, void *user)
{
  ending *e = user;
  if (iteration->evaluation < e->after)
    return true;
  const double start = gradyn_seconds();
  while (e->by == BY_TIME && gradyn_seconds() < start + 1.1 * allowed)
    (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  e->asked = e->by != BY_TIME;
  return e->by != BY_WATCH;
}

static bool cancel(void *user)
{
  ending *e = user;
  if (!e->asked)
    return false;
  e->answers++;
  return e->by == BY_CANCEL || (e->by == BY_ONE_CANCEL && e->answers == 1) ||
         (e->by == BY_TWO_CANCELS && (e->answers == 1 || e->answers > 10));
}

static void assert_known_along_the_run(const gradyn_search_result *result, size_t functionals)
{
  run_local *fresh = run_with(&gradyn_problem_van_der_pol, .method = "explicit");
  double psi[8];
  assert_run(gradyn_evaluator_simulate(fresh, result->rho, psi, NULL), fresh);
  for (size_t f = 0; f < functionals; f++)
    assert_close(result->psi[f], psi[f], 1e-9, 1e-12);
}

static double largest_row(const gradyn_search_result *result)
{
  double most = -HUGE_VAL;
  for (size_t i = 0; i < result->path_point_count; i++)
    most = fmax(most, result->path_points[i].value);
  return most;
}

/* *between: a path constraint is violated between the sampled points. */
static void end_one(ender by, long segments, bool *between)
{
  *between = false;
  ending e = {.by = by, .after = 40};
  double rho[64];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&gradyn_problem_van_der_pol, .cancel = cancel, .cancel_user = &e);
  const gradyn_options before = gradyn_evaluator_options(ev);
  gradyn_search search = run_search(ev);
  search.on_iteration = watch;
  search.user = &e;
  search.segments = segments;
  search.algorithm = "slsqp";
  search.max_seconds = by == BY_TIME ? allowed : 0;
  run_initial(ev, rho);
  const gradyn_status status = gradyn_optimise(ev, &search, rho, &result);
  const size_t functionals = gradyn_functional_count(ev);
  assert_int_equal(result.termination,
                   by == BY_TIME ? GRADYN_TERMINATION_TIME : GRADYN_TERMINATION_STOPPED);
  assert_true((status == GRADYN_INTERRUPTED) == (by != BY_TIME));
  assert_true(result.path_point_count > 0);
  double side = -HUGE_VAL;
  for (size_t f = 0; f < functionals; f++)
    if (gradyn_functional_at(ev, f).use == GRADYN_PATH_CONSTRAINT) {
      assert_true(isnan(result.psi[f]) == (by == BY_TWO_CANCELS));
      assert_true(isnan(result.gradient[f * gradyn_parameter_count(ev)]));
      side = fmax(side, result.psi[f]);
    }
  if (by == BY_TWO_CANCELS) {
    assert_true(run_found(&result, GRADYN_WARNING_PATH_UNCHECKED).value ==
                (double)result.path_point_count);
    assert_true(!(result.violation <= 1));
  } else {
    assert_true(result.violation > 1 || status != GRADYN_INFEASIBLE);
    assert_true(side >= largest_row(&result) - 1e-9);
    *between = side > largest_row(&result) + 1e-6;
    if (segments == 0)
      assert_known_along_the_run(&result, functionals);
  }
  /* requests are the caller's again */
  const gradyn_options after = gradyn_evaluator_options(ev);
  assert_true(after.cancel == before.cancel && after.cancel_user == before.cancel_user);
}

TEST(values_of_limits_are_those_of_the_whole_run_or_none)
{
  bool between;
  for (ender by = BY_WATCH; by < ENDERS; by++) {
    end_one(by, 0, &between);
    assert_true(between || by == BY_TWO_CANCELS);
    end_one(by, 3, &between);
  }
}
