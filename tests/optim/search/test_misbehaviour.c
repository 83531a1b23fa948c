/* Searches over problems that fail, and searches that are stopped. */
#include "tests/optim/synthetic.h"

/* What a watching function saw. */
typedef struct notes {
  long calls, rejected, stop_at;
  double best;
  char message[128];
} notes;

static bool take_notes(const gradyn_iteration *iteration, void *user)
{
  notes *n = user;
  n->calls++;
  assert_int_equal(iteration->evaluation, n->calls);
  assert_int_equal(iteration->steps, 17);
  if (iteration->status != GRADYN_OK) {
    n->rejected++;
    assert_false(iteration->best);
    assert_true(isnan(iteration->objective));
    strncpy(n->message, iteration->message, sizeof n->message - 1);
  } else {
    assert_string_equal(iteration->message, "");
    assert_finite(iteration->objective);
  }
  if (iteration->best)
    n->best = iteration->objective;
  return n->calls != n->stop_at;
}

/* Rosenbrock's function, which cannot be evaluated outside of a box. The start (-1.2, 1), the valley and
 * the optimum are inside. */
static gradyn_status boxed(const synthetic *problem, const double x[], double psi[],
                           double gradient[])
{
  if (fabs(x[0]) > 1.5 || x[1] < -0.5 || x[1] > 1.6)
    return GRADYN_NOT_CONVERGED;
  return rosenbrock(problem, x, psi, gradient);
}

/* Returns an internal error outside of the box; the search may continue at other points. */
static gradyn_status boxed_by_faults(const synthetic *problem, const double x[], double psi[],
                                     double gradient[])
{
  if (fabs(x[0]) > 1.5 || x[1] < -0.5 || x[1] > 1.6)
    return GRADYN_INTERNAL;
  return rosenbrock(problem, x, psi, gradient);
}

SYNTHETIC(boxed_by_nan)
{
  rosenbrock(problem, x, psi, gradient);
  if (fabs(x[0]) > 1.5 || x[1] < -0.5 || x[1] > 1.6)
    gradient[1] = NAN;
}

TEST(failing_trial_points_are_rejected_and_reported)
{
  const double x0[2] = {-1.2, 1};
  static const char *const names[] = {"lbfgs", "slsqp", "var2", "tnewton", "mma", "ccsaq"};
  long rejected = 0;
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    for (int way = 0; way < 3; way++) {
      static const synthetic_fn box[] = {boxed, boxed_by_nan, boxed_by_faults};
      const bool by_nan = box[way] == boxed_by_nan;
      synthetic problem = synthetic_make(2, -40, 40, 1, box[way]);
      notes seen = {0};
      gradyn_search search = synthetic_search(names[a]);
      search.max_evaluations = 20000;
      search.on_iteration = take_notes;
      search.user = &seen;
      LOCAL(gradyn_search_result) result;
      assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
      assert_close(result.rho[0], 1, 0, 0.01);
      assert_int_equal(seen.calls, result.evaluations);
      assert_int_equal(seen.rejected, result.rejected);
      assert_close(seen.best, result.objective, 0, 0);
      if (seen.rejected > 0) {
        const char *why = by_nan ? "the derivative of functional f0 with respect to x1 is nan"
                                 : "the mechanism locks at t = 0.5 s";
        assert_string_equal(seen.message, why);
        assert_says(result.reason, why);
      }
      rejected += seen.rejected;
    }
  }
  assert_true(rejected >= 12);
}

static gradyn_status never(const synthetic *problem, const double x[], double psi[],
                           double gradient[])
{
  (void)x;
  (void)psi;
  (void)gradient;
  return problem->shape > 0 ? GRADYN_INTERNAL : GRADYN_NOT_ASSEMBLED;
}

TEST(failing_start_ends_at_once_with_its_status)
{
  const double x0[2] = {1, 1};
  for (int fault = 0; fault < 2; fault++) {
    synthetic problem = synthetic_make(2, -5, 5, 1, never);
    problem.shape = fault;
    gradyn_search search = synthetic_search("slsqp");
    LOCAL(gradyn_search_result) result;
    assert_status(synthetic_run(&problem, &search, x0, &result),
                  fault ? GRADYN_INTERNAL : GRADYN_NOT_ASSEMBLED, result.reason);
    assert_int_equal(result.termination, GRADYN_TERMINATION_FAILED);
    assert_int_equal(problem.evaluations, 1);
    assert_int_equal(result.evaluations, 1);
    assert_close(result.rho[0], 1, 0, 0);
    assert_true(isnan(result.psi[0]) && isnan(result.objective));
    assert_string_equal(result.reason, "the start point failed: the mechanism locks at t = 0.5 s");
  }
}

static gradyn_status breaks_later(const synthetic *problem, const double x[], double psi[],
                                  double gradient[])
{
  return problem->evaluations == 5 ? GRADYN_NO_MEMORY : rosenbrock(problem, x, psi, gradient);
}

TEST(fatal_failure_ends_the_search)
{
  const double x0[2] = {-1.2, 1};
  synthetic problem = synthetic_make(2, -5, 5, 1, breaks_later);
  gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) result;
  assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_NO_MEMORY, result.reason);
  assert_int_equal(problem.evaluations, 5);
  assert_true(result.objective <= 24.2);
}

static gradyn_status remembers(const synthetic *problem, const double x[], double psi[],
                               double gradient[])
{
  const gradyn_status status = bowl(problem, x, psi, gradient);
  psi[0] += 1e-3 * (double)problem->evaluations + 1;
  return status;
}

TEST(a_best_point_that_cannot_be_repeated_is_no_optimum)
{
  const double x0[2] = {0, 0};
  synthetic problem = synthetic_make(2, -5, 5, 1, remembers);
  gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) result;
  assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_STALLED, result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_FAILED);
  assert_says(result.reason, "it must depend on the parameters alone");
  gradyn_search_result_clear(&result);
  /* nor if only the gradients that the search has used are requested once more */
  const bool used[1] = {true};
  gradyn_objective objective = synthetic_objective(&problem);
  objective.used = used;
  assert_int_equal(gradyn_search_run(&objective, &search, x0, &result), GRADYN_STALLED);
  assert_says(result.reason, "it must depend on the parameters alone");
}

TEST(callback_stops_every_algorithm)
{
  const double x0[4] = {-1.2, 1, -1.2, 1};
  for (const char *const *name = gradyn_algorithm_names(); *name != NULL; name++) {
    for (long stop_at = 1; stop_at <= 9; stop_at += 4) {
      synthetic problem = synthetic_make(4, -5, 5, 1, rosenbrock);
      notes seen = {.stop_at = stop_at};
      gradyn_search search = synthetic_search(*name);
      search.on_iteration = take_notes;
      search.user = &seen;
      LOCAL(gradyn_search_result) result;
      assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_INTERRUPTED,
                    result.reason);
      assert_int_equal(result.termination, GRADYN_TERMINATION_STOPPED);
      assert_int_equal(problem.evaluations, stop_at);
      assert_close(result.objective, seen.best, 0, 0);
    }
  }
}

TEST(limits_are_kept_by_every_algorithm)
{
  const double x0[4] = {-1.2, 1, -1.2, 1};
  for (const char *const *name = gradyn_algorithm_names(); *name != NULL; name++) {
    for (long limit = 1; limit <= 15; limit += 7) {
      synthetic problem = synthetic_make(4, -5, 5, 1, rosenbrock);
      gradyn_search search = synthetic_search(*name);
      search.max_evaluations = limit;
      LOCAL(gradyn_search_result) result;
      assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_STALLED, result.reason);
      assert_int_equal(result.termination, GRADYN_TERMINATION_EVALUATIONS);
      assert_int_equal(result.evaluations, limit);
      assert_int_equal(problem.evaluations, limit + 1); /* with the verification */
    }
    synthetic problem = synthetic_make(4, -5, 5, 1, rosenbrock);
    gradyn_search search = synthetic_search(*name);
    search.max_seconds = 1e-9;
    LOCAL(gradyn_search_result) result;
    assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_STALLED, result.reason);
    assert_int_equal(result.termination, GRADYN_TERMINATION_TIME);
    assert_int_equal(result.evaluations, 1);
  }
}

static gradyn_status endless(const synthetic *problem, const double x[], double psi[],
                             double gradient[])
{
  (void)problem, (void)x, (void)psi, (void)gradient;
  return GRADYN_INTERRUPTED;
}

/* Evaluations end themselves at the time limit, even the first one. */
TEST(time_may_be_over_at_the_start)
{
  const double x0[] = {1};
  synthetic problem = synthetic_make(1, -5, 5, 1, endless);
  gradyn_search search = synthetic_search("slsqp");
  search.max_seconds = 1e-9;
  LOCAL(gradyn_search_result) result;
  assert_status(synthetic_run(&problem, &search, x0, &result), GRADYN_STALLED, result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_TIME);
  assert_says(result.reason, "the time limit was reached before the start was evaluated");
}

/* The evaluation fails directly next to the start, in the direction of descent. */
static gradyn_status walled(const synthetic *problem, const double x[], double psi[],
                            double gradient[])
{
  (void)problem;
  if (x[0] > 0.001)
    return GRADYN_STEP_LIMIT;
  psi[0] = (x[0] + 1) * (x[0] + 1) * 0.01 + (x[1] - 3) * (x[1] - 3) + 0.1 * x[0] * x[1];
  gradient[0] = 0.02 * (x[0] + 1) + 0.1 * x[1];
  gradient[1] = 2 * (x[1] - 3) + 0.1 * x[0];
  return GRADYN_OK;
}

TEST(a_search_stopped_by_a_wall_does_not_claim_an_optimum)
{
  const double x0[2] = {0, -4};
  static const char *const names[] = {"lbfgs", "slsqp", "var2", "tnewton"};
  for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
    synthetic problem = synthetic_make(2, -5, 5, 1, walled);
    gradyn_search search = synthetic_search(names[a]);
    LOCAL(gradyn_search_result) result;
    const gradyn_status status = synthetic_run(&problem, &search, x0, &result);
    assert_true(status == GRADYN_STALLED || result.projected_gradient <= 1e-3);
    if (status == GRADYN_STALLED)
      assert_says(result.reason, "tighten bounds");
    gradyn_search_result_clear(&result);
    /* the advice works: at x0 = -5, d/dx1 = 0 gives x1 = 3.25, and d/dx0 > 0 */
    problem.parameters[0].upper = 0;
    assert_ok(synthetic_run(&problem, &search, x0, &result), result.reason);
    assert_close(result.rho[0], -5, 0, 1e-6);
    assert_close(result.rho[1], 3.25, 0, 1e-4);
  }
}
