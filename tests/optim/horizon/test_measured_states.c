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

/* The path constraint is x <= 0.6 m. From a larger x no plan satisfies it, so the step fails and the
 * previous plan remains. */
TEST(a_state_beyond_a_path_constraint_fails)
{
  const double beyond[CART_STATES] = {1.2, 2, 0, 0};
  run_local *ev = run_with(.problem = &cart_problem_on_track);
  control_local *mpc = control_create(ev, 1);
  gradyn_mpc_info info = control_step(mpc, first, 0, 0);
  assert_int_not_equal(gradyn_mpc_step(mpc, beyond, NULL, 0, 0), GRADYN_OK);
  info = gradyn_mpc_read(mpc);
  assert_false(info.converged);
  assert_true(strlen(info.message) > 0);
  assert_true(control_step(mpc, first, 0, 0).converged);
}
