/* Replaces the driver of Ipopt if gradyn is built without Ipopt. */
#include "optim/drivers/driver.h"

/* Not called: a search asks lacks() first. */
static gradyn_solver_run_end run(const struct gradyn_algorithm *algorithm, const gradyn_nlp *nlp)
{
  (void)algorithm, (void)nlp;
  return GRADYN_PASS_INVALID;
}

static const char *lacks(const struct gradyn_algorithm *algorithm)
{
  (void)algorithm;
  return "this gradyn was built without Ipopt: install coinor-libipopt-dev and build it again";
}

const gradyn_driver gradyn_ipopt_driver = {.name = "ipopt", .run = run, .lacks = lacks};
