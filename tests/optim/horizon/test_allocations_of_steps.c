/* Memory of receding-horizon control: steps use the memory of earlier ones. */
#include "tests/allocations.h"
#include "tests/optim/horizon/cart.h"
#include "tests/runs.h"

enum { PARAMETERS = CART_KNOTS + 2, STEPS = 12 };

static gradyn_status create(gradyn_evaluator *ev, gradyn_mpc **mpc)
{
  double rho0[PARAMETERS];
  gradyn_search search = run_search(ev);
  search.segments = CART_KNOTS;
  run_initial(ev, rho0);
  return gradyn_mpc_create(ev, &search, rho0, mpc);
}

/* Passes if a controlled motion requests no memory; in few steps, KLU may choose other pivots. first: the
 * motion may. */
static void follow(gradyn_mpc *mpc, long iterations, bool first)
{
  double state[CART_STATES] = {0.5, 0, 0.6, 0};
  int without = 0;
  for (int k = 0; k < STEPS; k++) {
    const long all = allocations_requests(), own = allocations_requests_of_gradyn();
    assert_ok(gradyn_mpc_step(mpc, state, NULL, k > 0, k > 0 ? iterations : 0),
              gradyn_mpc_read(mpc).message);
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
      gradyn_mpc *mpc;
      run_local *ev = run_with(.problem = problems[i]);
      assert_run(create(ev, &mpc), ev);
      follow(mpc, iterations, true);
      follow(mpc, iterations, false);
      gradyn_mpc_free(mpc);
    }
}
