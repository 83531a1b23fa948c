/* Table of algorithms.
 *
 * A row has the name of an algorithm, and the name of the one that replaces it if the constraints of a
 * program are not accepted. Then follow the driver, the number of the algorithm in this driver, and whether
 * an augmented Lagrangian surrounds it. The last two entries state whether it accepts equality and
 * inequality constraints. */
#include "optim/drivers/algorithms.h"

#include <nlopt.h>
#include <string.h>

#include <gradyn/optimise.h>

static const gradyn_algorithm algorithms[] = {
    {"lbfgs", "auglag-lbfgs", &gradyn_nlopt_driver, NLOPT_LD_LBFGS, false, false, false},
    {"slsqp", NULL, &gradyn_nlopt_driver, NLOPT_LD_SLSQP, false, true, true},
    {"mma", "auglag-mma", &gradyn_nlopt_driver, NLOPT_LD_MMA, false, false, true},
    {"ccsaq", "auglag-ccsaq", &gradyn_nlopt_driver, NLOPT_LD_CCSAQ, false, false, true},
    {"tnewton", "auglag-tnewton", &gradyn_nlopt_driver, NLOPT_LD_TNEWTON_PRECOND_RESTART, false,
     false, false},
    {"var2", "auglag-var2", &gradyn_nlopt_driver, NLOPT_LD_VAR2, false, false, false},
    {"auglag", NULL, &gradyn_nlopt_driver, NLOPT_LD_LBFGS, true, true, true},
    {"auglag-lbfgs", NULL, &gradyn_nlopt_driver, NLOPT_LD_LBFGS, true, true, true},
    {"auglag-slsqp", NULL, &gradyn_nlopt_driver, NLOPT_LD_SLSQP, true, true, true},
    {"auglag-mma", NULL, &gradyn_nlopt_driver, NLOPT_LD_MMA, true, true, true},
    {"auglag-ccsaq", NULL, &gradyn_nlopt_driver, NLOPT_LD_CCSAQ, true, true, true},
    {"auglag-tnewton", NULL, &gradyn_nlopt_driver, NLOPT_LD_TNEWTON_PRECOND_RESTART, true, true,
     true},
    {"auglag-var2", NULL, &gradyn_nlopt_driver, NLOPT_LD_VAR2, true, true, true},
    {"ipopt", NULL, &gradyn_ipopt_driver, 0, false, true, true},
};

/* Entries of the tables below that depend on whether this build has Ipopt. */
#ifdef GRADYN_IPOPT
#define OF_IPOPT "ipopt",
static const char *const other_of_nlopt = "ipopt";
#else
#define OF_IPOPT
static const char *const other_of_nlopt = NULL;
#endif

/* Names of algorithms: with an NLopt that has all of them, and with an NLopt without Luksan's code. */
static const char *const all_names[] = {
    "lbfgs",        "slsqp",          "mma",          "ccsaq",        "tnewton",
    "var2",         "auglag",         "auglag-lbfgs", "auglag-slsqp", "auglag-mma",
    "auglag-ccsaq", "auglag-tnewton", "auglag-var2",  OF_IPOPT NULL};
static const char *const names_without_luksan[] = {
    "slsqp", "mma", "ccsaq", "auglag-slsqp", "auglag-mma", "auglag-ccsaq", OF_IPOPT NULL};

const gradyn_algorithm *gradyn_algorithm_find(const char *name)
{
  for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++)
    if (strcmp(algorithms[i].name, name) == 0)
      return &algorithms[i];
  return NULL;
}

const gradyn_algorithm *gradyn_algorithm_for(const gradyn_algorithm *algorithm, bool equalities,
                                             bool inequalities)
{
  /* an algorithm that lacks a kind of constraint is wrapped in an augmented Lagrangian, if the table
   * names one */
  const bool takes_all = (!equalities || algorithm->equalities) &&
                         (!inequalities || algorithm->inequalities);
  return takes_all || algorithm->wrapped == NULL ? algorithm
                                                 : gradyn_algorithm_find(algorithm->wrapped);
}

const char *gradyn_algorithm_unavailable_reason(const char *name)
{
  const gradyn_algorithm *algorithm = name != NULL ? gradyn_algorithm_find(name) : NULL;
  return algorithm != NULL ? algorithm->driver->lacks(algorithm) : NULL;
}

/* Number of free parameters from which a search with constraints uses ipopt. Of problems with 2 to 9,
 * slsqp was faster than ipopt or equal in 9 of 10. With 10 to 240, ipopt avoided 3 failures and needed
 * half the evaluations. */
enum { MANY_PARAMETERS = 10 };

const char *gradyn_algorithm_choose(size_t varied, bool constrained, bool segments, bool fit,
                                    const char **algorithm, const char **then)
{
  const bool many = segments || fit || (constrained && varied >= MANY_PARAMETERS);
  const char *lacking = many ? gradyn_algorithm_unavailable_reason("ipopt") : NULL;
  const bool slsqp = constrained || segments ||
                     gradyn_algorithm_unavailable_reason("lbfgs") != NULL;
  if (many && lacking == NULL) {
    *algorithm = "ipopt";
    /* with segments there is no second choice: the work of slsqp grows with the cube of the number of
     * unknowns */
    *then = segments ? NULL : slsqp ? "slsqp" : "lbfgs";
    return NULL;
  }
  *algorithm = slsqp ? "slsqp" : "lbfgs";
  *then = lacking == NULL ? other_of_nlopt : NULL;
  return lacking;
}

const char *const *gradyn_algorithm_names(void)
{
  /* NLopt without Luksan's code lacks lbfgs, tnewton and var2 together */
  const gradyn_algorithm *first = &algorithms[0];
  return first->driver->lacks(first) == NULL ? all_names : names_without_luksan;
}
