/* Setting NLopt up, putting its questions on, and translating its codes.
 *
 * A rejected point is answered by an infinite objective with zero gradient and large finite
 * constraints: measured to be the one answer that all algorithms survive. */
#include <math.h>
#include <nlopt.h>
#include <string.h>

#include "optim/drivers/algorithms.h"

/* What constraints are told to be at a point that is rejected: no merit makes up for it. */
static const double rejected_constraint = 1e10;
/* nested optimisers of an augmented Lagrangian need not be more exact than this */
static const double nested_tolerance = 1e-9;

/* NLopt's arguments for one run. */
typedef struct nlopt_pass {
  const gradyn_algorithm *algorithm;
  const gradyn_nlp *nlp;
  nlopt_opt opt, nested; /* nested: within an augmented Lagrangian, otherwise NULL */
} nlopt_pass;

/* The one translation of NLopt's codes. */
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
    return GRADYN_PASS_ROUNDOFF; /* end by the user or by us: not a matter of convergence */
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

/* Ends the run where that is asked for. */
static void look_for_halt(const nlopt_pass *pass)
{
  if (pass->nlp->halted(pass->nlp->self))
    nlopt_force_stop(pass->opt); /* NLopt passes it on to a nested optimiser */
}

/* Called by NLopt. */
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

/* Rows from `first` on. */
static void rows(const nlopt_pass *pass, size_t first, unsigned m, double *c, const double *x,
                 double *gradient)
{
  const gradyn_nlp *nlp = pass->nlp;
  if (!nlp->rows(nlp->self, x, first, m, c, gradient)) {
    for (unsigned i = 0; i < m; i++)
      c[i] = rejected_constraint; /* as a violation; flat, so that no slope leads astray */
    if (gradient != NULL)
      memset(gradient, 0, (size_t)m * nlp->n * sizeof *gradient);
  }
  look_for_halt(pass);
}

/* Called by NLopt: rows c = 0 with gradients [m][n]. */
static void equalities(unsigned m, double *c, unsigned n, const double *x, double *gradient,
                       void *data)
{
  (void)n;
  rows(data, 0, m, c, x, gradient);
}

/* Called by NLopt: rows c <= 0. */
static void inequalities(unsigned m, double *c, unsigned n, const double *x, double *gradient,
                         void *data)
{
  (void)n;
  const nlopt_pass *pass = data;
  rows(pass, pass->nlp->equalities, m, c, x, gradient);
}

/* --- Setting up ------------------------------------------------------------------------------- */

/* Hands the constraints to NLopt. */
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

/* Stopping criteria and memory of an optimiser. */
static void set_options(const gradyn_nlp *nlp, nlopt_opt opt, double least)
{
  /* ftol is relative; xtol absolute in units of the parameters, as x = rho / unit */
  nlopt_set_ftol_rel(opt, fmax(nlp->ftol, least));
  nlopt_set_xtol_abs1(opt, fmax(nlp->xtol, least));
  /* of quasi-Newton pairs: between 10 and 30, n if that lies between */
  nlopt_set_vector_storage(opt, (unsigned)(nlp->n < 10 ? 10 : nlp->n > 30 ? 30 : nlp->n));
}

/* The outer algorithm: the local one itself or an augmented Lagrangian around it. The latter takes
 * all constraints itself, also those that the local one could: NLopt's other form, AUGLAG_EQ around
 * MMA or CCSAQ, needed more than ten times the evaluations (Hock & Schittkowski 71). */
static nlopt_algorithm outer_algorithm(const nlopt_pass *pass)
{
  return pass->algorithm->lagrangian && pass->nlp->m > 0 ? NLOPT_AUGLAG
                                                         : (nlopt_algorithm)pass->algorithm->local;
}

/* The optimiser with bounds and constraints. */
static gradyn_solver_run_end set_up(nlopt_pass *pass)
{
  const unsigned n = (unsigned)pass->nlp->n;
  const nlopt_algorithm outer = outer_algorithm(pass),
                        local = (nlopt_algorithm)pass->algorithm->local;
  pass->opt = nlopt_create(outer, n);
  if (pass->opt == NULL)
    return GRADYN_PASS_NO_MEMORY;
  /* bounds and tolerances of the outer problem */
  set_options(pass->nlp, pass->opt, 0.0);
  /* the augmented Lagrangian has an optimiser of its own */
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
  /* NLopt's successes are positive: the first failure ends the chain */
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
  /* NLOPT_SUCCESS of the set-up translates to CONVERGED */
  if (end == GRADYN_PASS_CONVERGED) {
    double f = HUGE_VAL;
    end = translate(nlopt_optimize(pass.opt, nlp->x, &f));
  }
  nlopt_destroy(pass.opt);
  nlopt_destroy(pass.nested);
  return end;
}

/* --- What is there ---------------------------------------------------------------------------- */

/* x^2, for the trial. */
static double parabola(unsigned n, const double *x, double *gradient, void *data)
{
  (void)n;
  (void)data;
  if (gradient != NULL)
    gradient[0] = 2 * x[0];
  return x[0] * x[0];
}

/* Some builds lack Luksan's code although the headers name it: a part that was left out shows only when
 * it is asked to work. */
static const char *lacks(const gradyn_algorithm *algorithm)
{
  nlopt_opt opt = nlopt_create((nlopt_algorithm)algorithm->local, 1);
  /* what a lack of memory leaves unknown is there; the search tells of the lack */
  if (opt == NULL)
    return NULL;
  double x = 1.0, f = 0.0;
  nlopt_set_min_objective(opt, parabola, NULL);
  nlopt_set_maxeval(opt, 2); /* two evaluations: a step, not only the start */
  const nlopt_result result = nlopt_optimize(opt, &x, &f);
  nlopt_destroy(opt);
  return result != NLOPT_INVALID_ARGS ? NULL
                                      : "the NLopt of this system was built without it: take slsqp "
                                        "or ccsaq";
}

const gradyn_driver gradyn_nlopt_driver = {.name = "nlopt", .run = run, .lacks = lacks};
