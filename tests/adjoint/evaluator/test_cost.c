/* Statistics of a run count the actual work: calls of a user's function, rows of the trajectory, steps of
 * the backward integration. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

static long calls;

/* A spring and a weight; counts its calls. */
static gradyn_status pull(const gradyn_at *at, gradyn_scalar force[])
{
  force[0] = -30 * at->pos[0];
  force[1] = -9;
  calls++;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const int p = gradyn_point(model, "p", 1, 0);
  gradyn_point_mass(model, "mass", p, rho[0]);
  declare_force(model, "pull", p, pull, NULL, 0);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", p, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{"m", "kg", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem problem = PROBLEM("weight", build, params, .t_end = 1);

/* Counts of a run until t_end. The trajectory has a row for each step. */
static gradyn_statistics run_until(const char *method, double step, double t_end, long *called)
{
  const double m = 1;
  double psi, gradient;
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  run_local *ev = run_with(&problem, .method = method, .step = step, .t_end = t_end,
                           .sensitivity = "adjoint");
  assert_run(gradyn_evaluator_simulate(ev, &m, &psi, NULL),
             ev); /* the first run also determines the tolerances, which later runs reuse */
  calls = 0;
  assert_run(gradyn_evaluator_simulate(ev, &m, &psi, NULL), ev);
  *called = calls;
  const gradyn_statistics s = gradyn_evaluator_statistics(ev);
  assert_int_equal(s.steps_backward, 0);
  assert_run(gradyn_evaluator_simulate(ev, &m, &psi, trajectory), ev);
  if (strcmp(method, "explicit") != 0) /* explicit also has rows inside of its steps */
    assert_int_equal(gradyn_trajectory_read(trajectory).steps, s.steps + 1);
  assert_run(gradyn_evaluator_gradient(ev, &m, &psi, &gradient), ev);
  const gradyn_statistics back = gradyn_evaluator_statistics(ev);
  if (strcmp(method, "idas") != 0) /* the backward integration of idas chooses its own steps */
    assert_int_equal(back.steps_backward, back.steps);
  return s;
}

TEST(costs_count_the_work)
{
  static const struct {
    const char *method;
    double step;
  } of[] = {
      {"explicit", -1}, {"explicit", 0.01}, {"idas", -1}, {"ali3p", 0.01}, {"variational", 0.01}};
  for (size_t k = 0; k < GRADYN_COUNT(of); k++) {
    long called[2];
    const gradyn_statistics brief = run_until(of[k].method, of[k].step, 1, &called[0]);
    const gradyn_statistics more = run_until(of[k].method, of[k].step, 3, &called[1]);
    const long by = called[1] - called[0];
    assert_true(by > 0 && more.steps > brief.steps);
    if (of[k].step > 0) {
      assert_int_equal(brief.steps, 100);
      assert_int_equal(more.steps, 300);
    }
    /* explicit: the force is called once for each evaluation of the rates; the difference of two runs
     * removes the calls of the start */
    if (strcmp(of[k].method, "explicit") == 0)
      assert_int_equal(more.residual_calls - brief.residual_calls, by);
    if (strcmp(of[k].method, "ali3p") == 0) /* ali3p: each Newton iteration calls the force once */
      assert_int_equal(more.newton_iterations - brief.newton_iterations, by);
  }
}

static gradyn_status build_of_some(gradyn_model *model, const gradyn_scalar rho[])
{
  return creal(rho[0]) < 0 ? GRADYN_CALLBACK : build(model, rho);
}

/* After a failed build() all counts are zero, also if the call before was a gradient of several runs. */
TEST(a_build_that_fails_has_no_cost)
{
  static const gradyn_problem of_some = PROBLEM("weight", build_of_some, params, .t_end = 1);
  static const char *const routes[] = {"adjoint", "differences"};
  for (size_t i = 0; i < GRADYN_COUNT(routes); i++) {
    run_local *ev = run_with(&of_some, .sensitivity = routes[i]);
    double psi, slope;
    assert_run(gradyn_evaluator_gradient(ev, &(double){1.2}, &psi, &slope), ev);
    assert_true(gradyn_evaluator_statistics(ev).steps > 0);
    assert_status(gradyn_evaluator_gradient(ev, &(double){-1}, &psi, &slope), GRADYN_CALLBACK,
                  NULL);
    const gradyn_statistics none = gradyn_evaluator_statistics(ev);
    assert_true(none.steps == 0 && none.simulations == 0 && none.time_simulate == 0);
    assert_string_not_equal(none.method, "");
    assert_run(gradyn_evaluator_simulate(ev, &(double){1.2}, &psi, NULL), ev);
    assert_true(gradyn_evaluator_statistics(ev).steps > 0);
  }
}
