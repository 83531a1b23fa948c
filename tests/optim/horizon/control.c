/* Controllers of the cart. */
#include "tests/optim/horizon/control.h"

gradyn_search control_search(const gradyn_evaluator *ev)
{
  gradyn_search search = run_search(ev);
  search.segments = CONTROL_SEGMENTS;
  return search;
}

gradyn_mpc *control_create(gradyn_evaluator *ev, long jobs)
{
  double rho0[CONTROL_PARAMETERS];
  gradyn_mpc *mpc;
  gradyn_search search = control_search(ev);
  search.jobs = jobs;
  assert_int_equal(run_initial(ev, rho0), CONTROL_PARAMETERS);
  assert_run(gradyn_mpc_create(ev, &search, rho0, &mpc), ev);
  return mpc;
}

void control_release(gradyn_mpc **mpc)
{
  gradyn_mpc_free(*mpc);
}

gradyn_mpc_info control_step(gradyn_mpc *mpc, const double state[], long shift, long iterations)
{
  assert_ok(gradyn_mpc_step(mpc, state, NULL, shift, iterations), gradyn_mpc_read(mpc).message);
  return gradyn_mpc_read(mpc);
}
