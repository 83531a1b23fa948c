/* Memory of receding-horizon control: later steps reuse the memory of earlier ones. */
#include "tests/allocations.h"
#include "tests/optim/horizon/control.h"

enum { STEPS = 12 };

/* Checks that a controlled motion requests no memory; within few steps, KLU may select other pivots. first:
 * requests are permitted. */
static void follow(gradyn_mpc *mpc, long iterations, bool first)
{
  double state[CART_STATES] = {0.5, 0, 0.6, 0};
  int without = 0;
  for (int k = 0; k < STEPS; k++) {
    const long all = allocations_requests(), own = allocations_requests_of_gradyn();
    control_step(mpc, state, k > 0, k > 0 ? iterations : 0);
    assert_true(first || allocations_requests_of_gradyn() == own);
    without += allocations_requests() == all;
    cart_moves(state, gradyn_mpc_read(mpc).rho[0], 4, state);
  }
  assert_true(first || without >= STEPS / 2);
}

TEST(steps_request_no_memory)
{
  static const gradyn_problem *const problems[] = {&cart_problem, &cart_problem_on_track};
  for (int i = 0; i < 2; i++)
    for (long iterations = 0; iterations < 2; iterations++) {
      if (!support_takes(i + (int)iterations, 2))
        continue;
      run_local *ev = run_with(.problem = problems[i]);
      control_local *mpc = control_create(ev, 1);
      follow(mpc, iterations, true);
      /* the second motion begins with a change of the state from the end to the start */
      follow(mpc, iterations, true);
      follow(mpc, iterations, false);
    }
}

/* A short horizon, since the work is repeated for each request. */
static gradyn_status control(const void *user, char *message)
{
  const double state[CART_STATES] = {0.4, 0, 0.1, 0};
  double rho0[CONTROL_PARAMETERS];
  gradyn_mpc *mpc;
  run_local *ev = NULL;
  gradyn_status status = run_try(&ev, .problem = user);
  if (status == GRADYN_OK) {
    gradyn_search search = run_search(ev);
    search.segments = 2;
    run_initial(ev, rho0);
    status = gradyn_mpc_create(ev, &search, rho0, &mpc);
  }
  if (status != GRADYN_OK) {
    (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s", gradyn_evaluator_message(ev));
    return status;
  }
  for (int k = 0; k < 2 && status == GRADYN_OK; k++)
    status = gradyn_mpc_step(mpc, state, NULL, k, 1);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s", gradyn_mpc_read(mpc).message);
  gradyn_mpc_free(mpc);
  return status;
}

TEST(failed_requests_do_no_harm)
{
  allocations_check(control, &cart_problem_on_track, "control");
}
