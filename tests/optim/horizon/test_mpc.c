/* Receding-horizon control: plans are optima of searches from the same state, later steps are short, and
 * failures keep the moved plan. */
#include "tests/optim/horizon/control.h"

enum {
  SEGMENTS = CONTROL_SEGMENTS,
  START = CONTROL_START,
  GOAL = CONTROL_GOAL,
  PARAMETERS = CONTROL_PARAMETERS
};

static const double first[CART_STATES] = {0.5, 0, 0.6, 0};

/* Checks that a plan is the optimum of a search with the initial x and the goal in rho. */
static void assert_optimum(const gradyn_problem *problem, const gradyn_mpc_info *info, double x,
                           double goal)
{
  bool vary[PARAMETERS] = {0};
  double rho0[PARAMETERS];
  run_local *ev = run_with(.problem = problem);
  gradyn_search search = control_search(ev);
  search.algorithm = "ipopt";
  search.hessian = true;
  search.vary = vary;
  assert_int_equal(run_initial(ev, rho0), PARAMETERS);
  for (int j = 0; j < CART_KNOTS; j++)
    vary[j] = true;
  rho0[START] = x;
  rho0[GOAL] = goal;
  LOCAL(gradyn_search_result) result;
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_close(info->objective, result.objective, 1e-6, 0);
  assert_close_array(info->rho, result.rho, CART_KNOTS, 0, 4e-3);
  assert_true(info->converged);
  assert_true(info->violation <= 1);
}

/* The first plan starts from zeros, the second one with the goal of the first. */
TEST(plans_are_optima_of_searches)
{
  static const gradyn_problem *const problems[] = {&cart_problem, &cart_problem_on_track};
  for (int i = 0; i < 2; i++) {
    const double x = i == 0 ? 0.3 : 0.4, goal = i == 0 ? 0.4 : -0.1;
    double state[CART_STATES] = {0.5, 0, 0.6, 0}, given[PARAMETERS] = {0};
    run_local *ev = run_with(.problem = problems[i]);
    control_local *mpc = control_create(ev, 1);
    gradyn_mpc_info info = control_step(mpc, state, 0, 0);
    assert_optimum(problems[i], &info, 0.5, 0);
    state[0] = x;
    given[GOAL] = goal;
    assert_ok(gradyn_mpc_step(mpc, state, given, 0, 0), gradyn_mpc_read(mpc).message);
    info = gradyn_mpc_read(mpc);
    assert_optimum(problems[i], &info, x, goal);
  }
}

/* Steps of the closed loop; the plant is integrated by another method with its own steps. */
enum { STEPS = 15 };

typedef struct loop {
  double state[CART_STATES], objective, force[STEPS];
  long evaluations; /* largest number of evaluations in a later step */
} loop;

static loop run_loop(long iterations, long jobs)
{
  loop l = {.state = {0.5, 0, 0.6, 0}};
  run_local *ev = run_with(.problem = &cart_problem);
  control_local *mpc = control_create(ev, jobs);
  for (int k = 0; k < STEPS; k++) {
    const gradyn_mpc_info info = control_step(mpc, l.state, k > 0,
                                              k > 0 && k < STEPS - 1 ? iterations : 0);
    assert_int_equal(info.state_count, CART_STATES);
    assert_string_equal(info.state[2], "angle");
    assert_close_array(info.states, l.state, CART_STATES, 0, 0);
    l.force[k] = info.rho[0];
    l.objective = info.objective;
    l.evaluations = k > 0 && k < STEPS - 1 && info.evaluations > l.evaluations ? info.evaluations
                                                                               : l.evaluations;
    cart_moves(l.state, info.rho[0], 4, l.state);
    /* the state predicted by the plan is that of the plant */
    assert_close_array(info.states + CART_STATES, l.state, CART_STATES, 0,
                       iterations ? 1e-2 : 1e-3);
  }
  return l;
}

/* 0.2209027: final objective of a loop with Ipopt on classical Runge-Kutta steps of 0.025 s. */
TEST(later_steps_are_short)
{
  const loop converged = run_loop(0, 1), once = run_loop(1, 1);
  assert_true(converged.evaluations <= 5);
  assert_int_equal(once.evaluations, 1);
  assert_close(converged.objective, 0.2209027, 2e-4, 0);
  assert_close(once.objective, converged.objective, 1e-3, 0);
  assert_close_array(once.state, converged.state, CART_STATES, 0, 2e-3);
}

THOROUGH_TEST(threads_do_not_change_a_bit)
{
  const loop one = run_loop(0, 1), two = run_loop(0, 2);
  assert_memory_equal(one.force, two.force, sizeof one.force);
}

TEST(a_measured_state_is_moved_into_its_bounds)
{
  const double far[CART_STATES] = {3.5, 0, 0.1, 0}, bound[CART_STATES] = {3, 0, 0.1, 0};
  run_local *ev = run_with(.problem = &cart_problem);
  control_local *mpc = control_create(ev, 1);
  gradyn_mpc_info info = control_step(mpc, far, 0, 0);
  const double objective = info.objective;
  assert_close(info.moved, 0.5, 1e-12, 0);
  assert_int_equal(info.moved_state, 0);
  assert_close(info.states[0], 3, 0, 0);
  assert_says(info.message, "state x: measured 3.5; moved to its bound 3");
  info = control_step(mpc, bound, 0, 0);
  assert_close(info.objective, objective, 1e-7, 0);
  assert_close(info.moved, 0, 0, 0);
  assert_string_equal(info.message, "");
}

/* Checks that a step fails and keeps the previous plan, moved by one segment. */
static void assert_moved(gradyn_mpc *mpc, const double state[], gradyn_status expected,
                         const char *says)
{
  double before[PARAMETERS], ahead[SEGMENTS * CART_STATES];
  gradyn_mpc_info info = gradyn_mpc_read(mpc);
  memcpy(before, info.rho, sizeof before);
  memcpy(ahead, info.states, sizeof ahead);
  assert_int_equal(gradyn_mpc_step(mpc, state, NULL, 1, 0), expected);
  info = gradyn_mpc_read(mpc);
  assert_says(info.message, says);
  assert_false(info.converged);
  assert_close_array(info.rho, before + 1, CART_KNOTS - 1, 1e-14, 0);
  assert_close(info.rho[CART_KNOTS - 1], before[CART_KNOTS - 1], 1e-14, 0);
  assert_close_array(info.states + CART_STATES, ahead + 2 * CART_STATES,
                     (SEGMENTS - 2) * CART_STATES, 1e-13, 1e-14);
}

TEST(a_failed_step_leaves_the_moved_plan)
{
  const double none[CART_STATES] = {0.5, NAN, 0.6, 0}, huge[CART_STATES] = {0.5, 0, 0.6, 1e200};
  double state[CART_STATES];
  run_local *ev = run_with(.problem = &cart_problem);
  control_local *mpc = control_create(ev, 1);
  control_step(mpc, first, 0, 0);
  assert_moved(mpc, none, GRADYN_INVALID, "state v: nan; must be finite");
  assert_moved(mpc, huge, GRADYN_NON_FINITE, "segment 1 of 20");
  /* control goes on from there */
  memcpy(state, gradyn_mpc_read(mpc).states + CART_STATES, sizeof state);
  const gradyn_mpc_info info = control_step(mpc, state, 1, 0);
  assert_true(info.converged);
}

TEST(wrong_arguments_are_refused)
{
  double rho0[PARAMETERS];
  gradyn_mpc *none;
  run_local *ev = run_with(.problem = &cart_problem);
  gradyn_search search = control_search(ev);
  run_initial(ev, rho0);
  search.segments = 1;
  assert_refused(gradyn_mpc_create(ev, &search, rho0, &none), ev, GRADYN_INVALID,
                 "at least 2 segments");
  assert_null(none);
  search.segments = SEGMENTS;
  search.optimality = 0;
  assert_refused(gradyn_mpc_create(ev, &search, rho0, &none), ev, GRADYN_INVALID, "optimality");
  assert_refused(gradyn_mpc_create(ev, NULL, rho0, &none), ev, GRADYN_INVALID, "search is NULL");
  control_local *mpc = control_create(ev, 1);
  assert_int_equal(gradyn_mpc_step(mpc, NULL, NULL, 0, 0), GRADYN_INVALID);
  assert_says(gradyn_mpc_read(mpc).message, "measured state is NULL");
  assert_int_equal(gradyn_mpc_step(mpc, first, NULL, SEGMENTS + 1, 0), GRADYN_INVALID);
  assert_says(gradyn_mpc_read(mpc).message, "shift");
  assert_int_equal(gradyn_mpc_step(mpc, first, NULL, 0, -1), GRADYN_INVALID);
  assert_says(gradyn_mpc_read(mpc).message, "iterations");
  double given[PARAMETERS] = {0};
  given[GOAL] = INFINITY;
  assert_int_equal(gradyn_mpc_step(mpc, first, given, 0, 0), GRADYN_INVALID);
  assert_says(gradyn_mpc_read(mpc).message, "parameter goal: inf");
  assert_int_equal(gradyn_mpc_read(NULL).segments, 0);
}
