/* Table of algorithms.
 *
 * A row: name, the row that takes its place where a programme has constraints that it does not
 * take, NLopt's algorithm, whether an augmented Lagrangian is put around that, whether
 * equalities and inequalities are taken, whether it is from Luksan's code, which some builds of
 * NLopt lack although its headers name it: a trial tells. */
#include "optim/search/algorithms.h"

#include <string.h>

#include <gradyn/optimise.h>

static const gradyn_algorithm algorithms[] = {
    {"lbfgs", "auglag-lbfgs", NLOPT_LD_LBFGS, false, false, false, true},
    {"slsqp", NULL, NLOPT_LD_SLSQP, false, true, true, false},
    {"mma", "auglag-mma", NLOPT_LD_MMA, false, false, true, false},
    {"ccsaq", "auglag-ccsaq", NLOPT_LD_CCSAQ, false, false, true, false},
    {"tnewton", "auglag-tnewton", NLOPT_LD_TNEWTON_PRECOND_RESTART, false, false, false, true},
    {"var2", "auglag-var2", NLOPT_LD_VAR2, false, false, false, true},
    {"auglag", NULL, NLOPT_LD_LBFGS, true, true, true, true},
    {"auglag-lbfgs", NULL, NLOPT_LD_LBFGS, true, true, true, true},
    {"auglag-slsqp", NULL, NLOPT_LD_SLSQP, true, true, true, false},
    {"auglag-mma", NULL, NLOPT_LD_MMA, true, true, true, false},
    {"auglag-ccsaq", NULL, NLOPT_LD_CCSAQ, true, true, true, false},
    {"auglag-tnewton", NULL, NLOPT_LD_TNEWTON_PRECOND_RESTART, true, true, true, true},
    {"auglag-var2", NULL, NLOPT_LD_VAR2, true, true, true, true},
};

/* Names for the two ways of building NLopt. */
static const char *const all_names[] = {
    "lbfgs",        "slsqp",      "mma",          "ccsaq",
    "tnewton",      "var2",       "auglag",       "auglag-lbfgs",
    "auglag-slsqp", "auglag-mma", "auglag-ccsaq", "auglag-tnewton",
    "auglag-var2",  NULL};
static const char *const names_without_luksan[] = {
    "slsqp", "mma", "ccsaq", "auglag-slsqp", "auglag-mma", "auglag-ccsaq", NULL};

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
  /* an algorithm that lacks a kind of constraint is wrapped in an augmented Lagrangian, if one
     is named */
  const bool takes_all = (!equalities || algorithm->equalities) &&
                         (!inequalities || algorithm->inequalities);
  return takes_all || algorithm->wrapped == NULL ? algorithm
                                                 : gradyn_algorithm_find(algorithm->wrapped);
}

/* x^2, for the trial. */
static double parabola(unsigned n, const double *x, double *gradient, void *data)
{
  (void)n;
  (void)data;
  if (gradient != NULL)
    gradient[0] = 2 * x[0];
  return x[0] * x[0];
}

bool gradyn_algorithm_available(const gradyn_algorithm *algorithm)
{
  /* a part that was left out shows only when it is asked to work */
  nlopt_opt opt = nlopt_create(algorithm->local, 1);
  /* what a lack of memory leaves unknown is there; the search tells of the lack */
  if (opt == NULL)
    return true;
  double x = 1.0, f = 0.0;
  nlopt_set_min_objective(opt, parabola, NULL);
  nlopt_set_maxeval(opt, 2); /* two evaluations: a step, not only the start */
  const nlopt_result result = nlopt_optimize(opt, &x, &f);
  nlopt_destroy(opt);
  return result != NLOPT_INVALID_ARGS;
}

const char *const *gradyn_algorithms(void)
{
  /* NLopt without Luksan's code lacks lbfgs, tnewton and var2 together */
  return gradyn_algorithm_available(&algorithms[0]) ? all_names : names_without_luksan;
}
