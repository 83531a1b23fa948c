/* Controllers of the cart. */
#ifndef GRADYN_TESTS_OPTIM_HORIZON_CONTROL_H
#define GRADYN_TESTS_OPTIM_HORIZON_CONTROL_H

#include "tests/optim/horizon/cart.h"
#include "tests/runs.h"

enum { CONTROL_SEGMENTS = 20, CONTROL_START = CART_KNOTS, CONTROL_GOAL, CONTROL_PARAMETERS };

/* Options of a search in CONTROL_SEGMENTS segments. */
gradyn_search control_search(const gradyn_evaluator *ev);

/* A controller with the initial parameters as its first plan; jobs: threads. The test fails if there is none.
 * control_local releases it at the end of its block:
 *   control_local *mpc = control_create(ev, 1); */
gradyn_mpc *control_create(gradyn_evaluator *ev, long jobs);
void control_release(gradyn_mpc **mpc);
#define control_local __attribute__((cleanup(control_release))) gradyn_mpc

/* Plans again from a state [CART_STATES], by gradyn_mpc_step(). The test fails if the step does. */
gradyn_mpc_info control_step(gradyn_mpc *mpc, const double state[], long shift, long iterations);

#endif
