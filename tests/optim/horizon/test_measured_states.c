/* Measured states for which the plan changes slightly, or which it cannot reach. */
#include "tests/optim/horizon/control.h"

static const double first[CART_STATES] = {0.5, 0, 0.6, 0};

TEST(the_same_state_takes_no_iteration)
{
  double before[CART_KNOTS];
  run_local *ev = run_with(.problem = &cart_problem);
  control_local *mpc = control_create(ev, 1);
  gradyn_mpc_info info = control_step(mpc, first, 0, 0);
  memcpy(before, info.rho, sizeof before);
  info = control_step(mpc, first, 0, 0);
  assert_int_equal(info.iterations, 0);
  assert_int_equal(info.evaluations, 1);
  assert_true(info.converged);
  assert_memory_equal(info.rho, before, sizeof before);
}

/* For a nearby state one iteration suffices, since the barrier parameter follows the error. */
TEST(a_state_nearby_takes_one_iteration)
{
  const double near[CART_STATES] = {0.5 + 1e-6, 0, 0.6, -1e-6};
  run_local *ev = run_with(.problem = &cart_problem);
  control_local *mpc = control_create(ev, 1);
  control_step(mpc, first, 0, 0);
  const gradyn_mpc_info info = control_step(mpc, near, 0, 0);
  assert_true(info.converged);
  assert_true(info.iterations <= 1);
}

TEST(repeated_single_iterations_converge)
{
  const double state[CART_STATES] = {0.45, 0.1, 0.5, -0.1};
  run_local *ev = run_with(.problem = &cart_problem);
  control_local *mpc = control_create(ev, 1);
  control_step(mpc, first, 0, 0);
  gradyn_mpc_info info = control_step(mpc, state, 0, 1);
  for (int k = 0; k < 8 && !info.converged; k++)
    info = control_step(mpc, state, 0, 1);
  assert_true(info.converged);
  assert_int_equal(info.iterations, 0);
}

/* Returns the largest violation of x <= 0.6 m after the start, for forces [CART_KNOTS] from a state. */
static double violation(const double state[CART_STATES], const double force[CART_KNOTS])
{
  enum { PARTS = 3 }; /* samples of an interval */
  double y[CART_STATES], most = 0;
  memcpy(y, state, sizeof y);
  for (int k = 0; k < CART_KNOTS * PARTS; k++) {
    cart_moves_for(0.1 / PARTS, y, force[k / PARTS], 6, y);
    most = fmax(most, y[0] - 0.6);
  }
  return most;
}

/* x is at most 0.6 m. From a state that is beyond, or that cannot stop before, the plan violates this. */
THOROUGH_TEST(a_plan_beyond_a_path_constraint_reports_its_violation)
{
  static const double states[][CART_STATES] = {{1.2, 2, 0, 0}, {0.5, 3, 0.1, 0}};
  run_local *ev = run_with(.problem = &cart_problem_on_track);
  control_local *mpc = control_create(ev, 1);
  gradyn_mpc_info info = control_step(mpc, first, 0, 0);
  const double objective = info.objective;
  assert_true(info.violation <= 1);
  for (int i = 0; i < 2; i++) {
    if (!support_takes(i, 2))
      continue;
    info = control_step(mpc, states[i], 0, 0);
    assert_true(info.converged);
    /* samples have half the tolerance */
    assert_close(0.5e-7 * info.violation, violation(states[i], info.rho), 0, 2e-4);
    assert_says(info.message, "path constraint track.over at t = ");
    assert_says(info.message, "no plan nearby satisfies it");
  }
  /* from a state that permits to satisfy the constraint, the plan is that of before */
  info = control_step(mpc, first, 0, 0);
  assert_true(info.converged && info.violation <= 1);
  assert_string_equal(info.message, "");
  assert_close(info.objective, objective, 1e-7, 0);
}
