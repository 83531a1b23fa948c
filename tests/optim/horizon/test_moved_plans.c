/* Plans that move from step to step, and the first plan from a warm start. */
#include "tests/optim/horizon/control.h"

/* Moves the plan by a step that fails on purpose. */
static gradyn_mpc_info move_only(gradyn_mpc *mpc, long shift)
{
  const double none[CART_STATES] = {NAN, 0, 0, 0};
  assert_int_equal(gradyn_mpc_step(mpc, none, NULL, shift, 0), GRADYN_INVALID);
  return gradyn_mpc_read(mpc);
}

/* Checks that the plan for a state equals that of a controller without an earlier plan. */
static void assert_plan(const gradyn_problem *problem, const double state[],
                        const gradyn_mpc_info *info)
{
  run_local *ev = run_with(.problem = problem);
  control_local *mpc = control_create(ev, 1);
  const gradyn_mpc_info fresh = control_step(mpc, state, 0, 0);
  assert_true(info->converged);
  assert_close(info->objective, fresh.objective, 1e-7, 0);
  assert_close_array(info->rho, fresh.rho, CART_KNOTS, 0, 1e-3);
}

TEST(plans_move_by_several_segments)
{
  enum { SHIFT = 3 };
  const double state[CART_STATES] = {0.5, 0, 0.3, 0};
  double before[CART_KNOTS], ahead[CONTROL_SEGMENTS * CART_STATES];
  run_local *ev = run_with(.problem = &cart_problem);
  control_local *mpc = control_create(ev, 1);
  gradyn_mpc_info info = control_step(mpc, state, 0, 0);
  memcpy(before, info.rho, sizeof before);
  memcpy(ahead, info.states, sizeof ahead);
  info = move_only(mpc, SHIFT);
  assert_close_array(info.rho, before + SHIFT, CART_KNOTS - SHIFT, 1e-14, 0);
  for (int k = CART_KNOTS - SHIFT; k < CART_KNOTS; k++)
    assert_close(info.rho[k], before[CART_KNOTS - 1], 1e-14, 0);
  assert_close_array(info.states + CART_STATES, ahead + (1 + SHIFT) * CART_STATES,
                     (CONTROL_SEGMENTS - 1 - SHIFT) * CART_STATES, 1e-13, 1e-14);
  const double *later = ahead + SHIFT * CART_STATES;
  info = control_step(mpc, later, 0, 0);
  assert_plan(&cart_problem, later, &info);
}

/* Knots at distances of 2/19 s: a segment of 0.1 s is 0.95 of an interval. */
TEST(values_between_knots_are_interpolated)
{
  const double state[CART_STATES] = {0.5, 0, 0.3, 0}, share = 0.95;
  double before[CART_KNOTS], later[CART_STATES];
  run_local *ev = run_with(.problem = &cart_problem_in_lines);
  control_local *mpc = control_create(ev, 1);
  gradyn_mpc_info info = control_step(mpc, state, 0, 0);
  memcpy(before, info.rho, sizeof before);
  memcpy(later, info.states + CART_STATES, sizeof later);
  info = move_only(mpc, 1);
  for (int k = 0; k + 1 < CART_KNOTS; k++)
    assert_close(info.rho[k], (1 - share) * before[k] + share * before[k + 1], 1e-12, 1e-12);
  assert_close(info.rho[CART_KNOTS - 1], before[CART_KNOTS - 1], 1e-14, 0);
  info = control_step(mpc, later, 0, 0);
  assert_plan(&cart_problem_in_lines, later, &info);
}

TEST(the_first_plan_is_that_of_a_warm_start)
{
  const double state[CART_STATES] = {0.5, 0, 0.6, 0};
  double rho0[CONTROL_PARAMETERS];
  bool vary[CONTROL_PARAMETERS] = {0};
  gradyn_mpc *warm;
  run_local *ev = run_with(.problem = &cart_problem);
  control_local *cold = control_create(ev, 1);
  const gradyn_mpc_info first = control_step(cold, state, 0, 0);
  gradyn_search search = control_search(ev);
  LOCAL(gradyn_search_result) result;
  for (int j = 0; j < CART_KNOTS; j++)
    vary[j] = true;
  search.algorithm = "ipopt";
  search.hessian = true;
  search.vary = vary;
  run_initial(ev, rho0);
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  search.warm_start = result.warm.text;
  assert_run(gradyn_mpc_create(ev, &search, result.rho, &warm), ev);
  gradyn_mpc_info info = gradyn_mpc_read(warm);
  assert_close_array(info.rho, result.rho, CONTROL_PARAMETERS, 1e-14, 0);
  /* the planned states are those of the search, not of a simulation or of the guesses */
  assert_close_array(info.states + CART_STATES, first.states + CART_STATES,
                     (CONTROL_SEGMENTS - 1) * CART_STATES, 0, 1e-3);
  info = control_step(warm, state, 0, 0);
  gradyn_mpc_free(warm);
  assert_true(info.iterations < first.iterations);
  assert_close(info.objective, first.objective, 1e-7, 0);
}
