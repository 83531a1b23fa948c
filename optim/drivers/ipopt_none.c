/* In the place of Ipopt where gradyn is built without it. */
#include "optim/drivers/driver.h"

/* Nobody gets here: a search asks first. */
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
