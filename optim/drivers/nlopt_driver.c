/* Interface to NLopt: set-up, callbacks, and translation of its codes.
 *
 * A rejected point gets an infinite objective with zero gradient, and large finite constraints. In tests,
 * all algorithms continued only with these values. */
#include <math.h>
#include <nlopt.h>
#include <string.h>

#include "optim/drivers/algorithms.h"

/* Value of constraints at a rejected point: larger than any gain of the objective. */
static const double rejected_constraint = 1e10;
/* The nested optimiser of an augmented Lagrangian gets no tolerance below this. */
static const double nested_tolerance = 1e-9;

/* Data of the callbacks of one run. */
typedef struct nlopt_pass {
  const gradyn_algorithm *algorithm;
  const gradyn_nlp *nlp;
  nlopt_opt opt, nested; /* nested: optimiser in an augmented Lagrangian, otherwise NULL */
} nlopt_pass;

/* Translates a return code of NLopt to the code that all drivers use. */
static gradyn_solver_run_end translate(nlopt_result result)
{
  switch (result) {
  case NLOPT_SUCCESS:
  case NLOPT_STOPVAL_REACHED:
    return GRADYN_PASS_CONVERGED;
  case NLOPT_FTOL_REACHED:
    return GRADYN_PASS_FTOL;
  case NLOPT_XTOL_REACHED:
    return GRADYN_PASS_XTOL;
  case NLOPT_ROUNDOFF_LIMITED:
    /* the following ends are stops by limits or by the caller, not convergence */
    return GRADYN_PASS_ROUNDOFF;
  case NLOPT_FORCED_STOP:
  case NLOPT_MAXEVAL_REACHED:
  case NLOPT_MAXTIME_REACHED:
    return GRADYN_PASS_HALTED;
  case NLOPT_INVALID_ARGS:
    return GRADYN_PASS_INVALID;
  case NLOPT_OUT_OF_MEMORY:
    return GRADYN_PASS_NO_MEMORY;
  default:
    return GRADYN_PASS_FAILURE;
  }
}

/* --- Callbacks -------------------------------------------------------------------------------- */

/* Ends the run if the caller requests it. */
static void look_for_halt(const nlopt_pass *pass)
{
  if (pass->nlp->halted(pass->nlp->self))
    nlopt_force_stop(pass->opt); /* NLopt also stops a nested optimiser */
}

/* Callback of NLopt: the objective and its gradient. */
static double objective(unsigned n, const double *x, double *gradient, void *data)
{
  const nlopt_pass *pass = data;
  double f = HUGE_VAL;
  if (!pass->nlp->objective(pass->nlp->self, x, &f, gradient)) {
    f = HUGE_VAL;
    if (gradient != NULL)
      memset(gradient, 0, n * sizeof *gradient);
  }
  look_for_halt(pass);
  return f;
}

/* Computes m constraints from index `first`. */
static void rows(const nlopt_pass *pass, size_t first, unsigned m, double *c, const double *x,
                 double *gradient)
{
  const gradyn_nlp *nlp = pass->nlp;
  if (!nlp->rows(nlp->self, x, first, m, c, gradient)) {
    for (unsigned i = 0; i < m; i++)
      c[i] = rejected_constraint; /* violated; its zero gradient cannot mislead the optimiser */
    if (gradient != NULL)
      memset(gradient, 0, (size_t)m * nlp->n * sizeof *gradient);
  }
  look_for_halt(pass);
}

/* Callback of NLopt: constraints c = 0 with gradients [m][n]. */
static void equalities(unsigned m, double *c, unsigned n, const double *x, double *gradient,
                       void *data)
{
  (void)n;
  rows(data, 0, m, c, x, gradient);
}

/* Callback of NLopt: constraints c <= 0. */
static void inequalities(unsigned m, double *c, unsigned n, const double *x, double *gradient,
                         void *data)
{
  (void)n;
  const nlopt_pass *pass = data;
  rows(pass, pass->nlp->equalities, m, c, x, gradient);
}

/* --- Setting up ------------------------------------------------------------------------------- */

/* Passes the constraints to NLopt. */
static nlopt_result add_constraints(nlopt_pass *pass)
{
  const gradyn_nlp *nlp = pass->nlp;
  const unsigned equal = (unsigned)nlp->equalities, below = (unsigned)(nlp->m - nlp->equalities);
  nlopt_result result = NLOPT_SUCCESS;
  if (equal > 0)
    result = nlopt_add_equality_mconstraint(pass->opt, equal, equalities, pass, nlp->tolerance);
  if (result > 0 && below > 0)
    result = nlopt_add_inequality_mconstraint(pass->opt, below, inequalities, pass,
                                              nlp->tolerance + equal);
  return result;
}

/* Sets the stopping criteria and the memory of an optimiser. */
static void set_options(const gradyn_nlp *nlp, nlopt_opt opt, double least)
{
  /* ftol is relative; xtol is absolute in units of the parameters, x = rho / unit */
  nlopt_set_ftol_rel(opt, fmax(nlp->ftol, least));
  nlopt_set_xtol_abs1(opt, fmax(nlp->xtol, least));
  /* number of quasi-Newton pairs: n, but at least 10 and at most 30 */
  nlopt_set_vector_storage(opt, (unsigned)(nlp->n < 10 ? 10 : nlp->n > 30 ? 30 : nlp->n));
}

/* Returns the outer algorithm: the local one, or an augmented Lagrangian around it. The augmented
 * Lagrangian gets all constraints, also those that the local one accepts. NLopt's AUGLAG_EQ leaves
 * inequalities to the local one. With MMA or CCSAQ it needed more than ten times the evaluations (Hock &
 * Schittkowski 71). */
static nlopt_algorithm outer_algorithm(const nlopt_pass *pass)
{
  return pass->algorithm->lagrangian && pass->nlp->m > 0 ? NLOPT_AUGLAG
                                                         : (nlopt_algorithm)pass->algorithm->local;
}

/* Creates the optimiser with bounds and constraints. */
static gradyn_solver_run_end set_up(nlopt_pass *pass)
{
  const unsigned n = (unsigned)pass->nlp->n;
  const nlopt_algorithm outer = outer_algorithm(pass),
                        local = (nlopt_algorithm)pass->algorithm->local;
  pass->opt = nlopt_create(outer, n);
  if (pass->opt == NULL)
    return GRADYN_PASS_NO_MEMORY;
  /* options of the outer problem */
  set_options(pass->nlp, pass->opt, 0.0);
  /* the augmented Lagrangian has a nested optimiser */
  if (outer != local) {
    pass->nested = nlopt_create(local, n);
    if (pass->nested == NULL)
      return GRADYN_PASS_NO_MEMORY;
    set_options(pass->nlp, pass->nested, nested_tolerance);
    const nlopt_result result = nlopt_set_local_optimizer(pass->opt, pass->nested);
    if (result < 0)
      return translate(result);
  }
  nlopt_result result = nlopt_set_min_objective(pass->opt, objective, pass);
  /* positive results of NLopt are successes: the chain ends at the first failure */
  if (result > 0)
    result = nlopt_set_lower_bounds(pass->opt, pass->nlp->lower);
  if (result > 0)
    result = nlopt_set_upper_bounds(pass->opt, pass->nlp->upper);
  if (result > 0)
    result = add_constraints(pass);
  return translate(result);
}

static gradyn_solver_run_end run(const gradyn_algorithm *algorithm, const gradyn_nlp *nlp)
{
  nlopt_pass pass = {.algorithm = algorithm, .nlp = nlp};
  gradyn_solver_run_end end = set_up(&pass);
  /* a set-up that has succeeded ends with NLOPT_SUCCESS, which is translated to CONVERGED */
  if (end == GRADYN_PASS_CONVERGED) {
    double f = HUGE_VAL;
    end = translate(nlopt_optimize(pass.opt, nlp->x, &f));
  }
  nlopt_destroy(pass.opt);
  nlopt_destroy(pass.nested);
  return end;
}

/* --- Availability ------------------------------------------------------------------------------- */

/* x^2, the objective of the test run. */
static double parabola(unsigned n, const double *x, double *gradient, void *data)
{
  (void)n;
  (void)data;
  if (gradient != NULL)
    gradient[0] = 2 * x[0];
  return x[0] * x[0];
}

/* Some builds of NLopt lack Luksan's code although the headers declare it. The lack is noticed only when an
 * algorithm runs. */
static const char *lacks(const gradyn_algorithm *algorithm)
{
  nlopt_opt opt = nlopt_create((nlopt_algorithm)algorithm->local, 1);
  /* without memory for the test, the algorithm counts as available; the search will report the lack */
  if (opt == NULL)
    return NULL;
  double x = 1.0, f = 0.0;
  nlopt_set_min_objective(opt, parabola, NULL);
  nlopt_set_maxeval(opt, 2); /* two evaluations: the start and a step */
  const nlopt_result result = nlopt_optimize(opt, &x, &f);
  nlopt_destroy(opt);
  return result != NLOPT_INVALID_ARGS ? NULL
                                      : "the NLopt library of this system was built without it: "
                                        "use slsqp or ccsaq";
}

const gradyn_driver gradyn_nlopt_driver = {.name = "nlopt", .run = run, .lacks = lacks};
