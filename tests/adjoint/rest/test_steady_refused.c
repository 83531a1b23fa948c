/* Steady states found by integration from an initial state, and starts that are refused. */
#include "tests/runs.h"

#include "tests/adjoint/rest/steady_models.h"

TEST(the_state_is_the_one_that_the_motion_reaches)
{
  /* near the unstable steady state 0.4 the motion is slow at first */
  static const double first[] = {0.39, 0.39999, 0.40001, 3, -0.5}, last[] = {0, 0, 1, 1, 0};
  for (int k = 0; k < 5; k++) {
    run_local *ev = run_with(&steady_problem, .method = "explicit", .setting = "model",
                             .value = TOGGLE);
    OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
    double rho[P], psi[2], y[3];
    (void)run_initial(ev, rho);
    rho[FIRST] = first[k];
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
    (void)gradyn_trajectory_step(trajectory, 0, y);
    for (int i = 0; i < 3; i++)
      assert_close(y[i], last[k], 0, 1e-12);
  }
}

/* From one of these starts, a Newton step would lead to the other steady state, -1. */
TEST(the_motion_passes_where_it_is_slow)
{
  run_local *ev = run_with(&steady_problem, .method = "explicit", .setting = "model",
                           .value = GHOST);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  for (int k = -200; k < 200; k++) {
    double rho[P], psi[2], y[3];
    (void)run_initial(ev, rho);
    rho[FIRST] = 1 + 2e-6 * k;
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
    (void)gradyn_trajectory_step(trajectory, 0, y);
    assert_close(y[A], 2, 0, 1e-12);
  }
}

TEST(starts_that_do_not_exist_are_refused)
{
  const struct {
    int model;
    double first;
    gradyn_status status;
    const char *says;
  } cases[] = {{TOGGLE, 0.4, GRADYN_NOT_CONVERGED, "not stable, disturbances grow by exp(0.24 t)"},
               {CYCLE, 1.5, GRADYN_NOT_CONVERGED, "none was reached"},
               {CYCLE, 0, GRADYN_NOT_CONVERGED, "none was reached"},
               {UNDAMPED, 1.5, GRADYN_NOT_CONVERGED, "steady state before the run"},
               {SUPPLIED, 1.5, GRADYN_NOT_CONVERGED, "the total A + C changes by 1 per second"},
               {DOUBLED, -1, GRADYN_NOT_CONVERGED, "none was reached, A still moves"},
               {CASCADE, 1.5, GRADYN_NOT_CONVERGED, "none was reached"}};
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
    run_local *ev = run_with(&steady_problem, .method = "explicit", .setting = "model",
                             .value = cases[k].model);
    double rho[P], psi[2];
    (void)run_initial(ev, rho);
    rho[FIRST] = cases[k].first;
    if (cases[k].model == CASCADE)
      rho[BEFORE_PUMP] = -1; /* B^2 = -1/k2 */
    assert_refused(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev, cases[k].status,
                   cases[k].says);
    /* the object can be used again */
    (void)run_initial(ev, rho);
    if (cases[k].model == CASCADE)
      assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  }
}

/* A supply equals a drain. */
TEST(totals_of_one_value_have_no_derivatives_by_it)
{
  static const char *const routes[] = {"direct", "adjoint"};
  for (int r = 0; r < 2; r++) {
    run_local *ev = run_with(&steady_problem, .method = "radau", .sensitivity = routes[r],
                             .setting = "model", .value = BALANCED);
    double rho[P], psi[2], slope[2 * P];
    (void)run_initial(ev, rho);
    rho[K1] = rho[K2];
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    assert_refused(gradyn_evaluator_gradient(ev, rho, psi, slope), ev, GRADYN_UNSUPPORTED,
                   "the total A + C is conserved only for the present value of k1");
  }
}

TEST(second_derivatives_are_refused)
{
  run_local *ev = run_with(&steady_problem, .method = "explicit");
  double rho[P], out[P];
  const double direction[P] = {1}, weight[2] = {1, 0};
  (void)run_initial(ev, rho);
  assert_refused(gradyn_evaluator_hessian_product(ev, weight, rho, 1, direction, out), ev,
                 GRADYN_UNSUPPORTED, "starts in a steady state");
}

/* A = B = x and C = k1 x with x (2 + V k1) = first + 0.2 + 0.1 V. Changes of the total by V lose digits as
 * rates differ. */
TEST(totals_of_different_rates_have_accurate_derivatives_or_none)
{
  static const char *const routes[] = {"direct", "adjoint"};
  for (int r = 0; r < 2; r++)
    for (int which = STIFF; which <= RIGID; which++) {
      run_local *ev = run_with(&steady_problem, .method = "radau", .sensitivity = routes[r],
                               .setting = "model", .value = which);
      double rho[P], psi[2], slope[2 * P];
      (void)run_initial(ev, rho);
      const gradyn_status status = gradyn_evaluator_gradient(ev, rho, psi, slope);
      if (which == RIGID) {
        assert_refused(status, ev, GRADYN_UNSUPPORTED, "changes of the total");
        continue;
      }
      assert_run(status, ev);
      const double k1 = rho[K1], sum = 2 + rho[VOLUME] * k1,
                   x = (rho[FIRST] + 0.2 + 0.1 * rho[VOLUME]) / sum;
      assert_close(psi[0], 1.5 * 3 * (1 + k1) * x, 1e-12, 0);
      assert_close(slope[VOLUME], 1.5 * 3 * (1 + k1) * (0.1 - k1 * x) / sum, 1e-8, 0);
    }
}
