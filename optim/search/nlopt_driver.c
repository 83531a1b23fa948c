/* Setting NLopt up, answering its questions, and translating its codes.
 *
 * NLopt sees x = rho / unit, followed by the slack variable of a maximum if there is one; the factors
 * of the scaling are applied here and nowhere else. A rejected point is answered by an infinite
 * objective with zero gradient and large finite constraints: measured to be the one answer that all
 * algorithms survive. NLopt gets no limits on evaluations and time: the trials count for all nested
 * optimisers together and force the stop. */
#include "optim/search/nlopt_driver.h"

#include <math.h>
#include <string.h>

/* What constraints are told to be at a point that is rejected: no merit makes up for it. */
static const double rejected_constraint = 1e10;
/* nested optimisers of an augmented Lagrangian need not be more exact than this */
static const double nested_tolerance = 1e-9;

typedef struct gradyn_pass {
  const gradyn_algorithm *algorithm;
  const gradyn_program *program;
  gradyn_trials *trials;
  nlopt_opt opt, nested; /* nested: within an augmented Lagrangian, otherwise NULL */
  size_t n;              /* variables, with the slack */
  double *x;             /* [n] */
  double *lower, *upper; /* [n] */
  double *rho;           /* [parameters] */
  double *tolerance;     /* [rows + pieces] */
  gradyn_arena arena;    /* of all arrays */
} gradyn_pass;

/* The one translation of NLopt's codes. */
static gradyn_pass_end translate(nlopt_result result)
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

/* The trial point at x; NULL: rejected. */
static const gradyn_point *at(gradyn_pass *pass, const double x[])
{
  gradyn_program_parameters(pass->program, x, pass->rho);
  const gradyn_point *point = gradyn_trials_at(pass->trials, pass->rho);
  if (pass->trials->halt != GRADYN_HALT_NONE)
    nlopt_force_stop(pass->opt); /* NLopt passes it on to a nested optimiser */
  return point;
}

/* Called by NLopt. */
static double objective(unsigned n, const double *x, double *gradient, void *data)
{
  gradyn_pass *pass = data;
  const gradyn_program *program = pass->program;
  const double factor = pass->trials->scaling->objective;
  const gradyn_point *point = at(pass, x);
  if (gradient != NULL)
    memset(gradient, 0, n * sizeof *gradient);
  if (point == NULL)
    return HUGE_VAL;

  /* f = factor sum of w_i psi_i, and s if there are pieces */
  double f = 0.0;
  for (size_t i = 0; i < program->term_count; i++) {
    const gradyn_term *term = &program->terms[i];
    f += factor * term->weight * point->psi[term->functional];
    if (gradient != NULL)
      gradyn_program_add_gradient(program, term->functional, factor * term->weight, point->gradient,
                                  gradient);
  }
  if (program->piece_count > 0) {
    f += x[program->n];
    if (gradient != NULL)
      gradient[program->n] = 1.0;
  }
  return f;
}

/* Answers for a point that is rejected. */
static void reject_constraints(unsigned m, double *c, unsigned n, double *gradient)
{
  for (unsigned i = 0; i < m; i++)
    c[i] = rejected_constraint; /* as a violation; flat, so that no slope leads astray */
  if (gradient != NULL)
    memset(gradient, 0, (size_t)m * n * sizeof *gradient);
}

/* Row i of the programme into c and its gradient [n], or NULL. */
static void put_row(const gradyn_pass *pass, const gradyn_point *point, size_t i, double *c,
                    double *gradient)
{
  const gradyn_program *program = pass->program;
  const gradyn_constraint *row = &program->rows[i];
  const double factor = pass->trials->scaling->row[i];
  *c = factor * gradyn_program_row(program, i, point->psi); /* factor sign (psi - bound) */
  if (gradient == NULL)
    return;
  memset(gradient, 0, pass->n * sizeof *gradient);
  gradyn_program_add_gradient(program, row->functional, factor * row->sign, point->gradient,
                              gradient);
}

/* Called by NLopt: rows c = 0 with gradients [m][n]. */
static void equalities(unsigned m, double *c, unsigned n, const double *x, double *gradient,
                       void *data)
{
  gradyn_pass *pass = data;
  const gradyn_point *point = at(pass, x);
  if (point == NULL) {
    reject_constraints(m, c, n, gradient);
    return;
  }
  /* k counts rows that were not left out as dependent */
  for (size_t i = 0, k = 0; i < pass->program->equality_count; i++)
    if (!pass->trials->scaling->dropped[i]) {
      put_row(pass, point, i, &c[k], gradient != NULL ? gradient + k * n : NULL);
      k++;
    }
}

/* Called by NLopt: rows c <= 0. */
static void inequalities(unsigned m, double *c, unsigned n, const double *x, double *gradient,
                         void *data)
{
  gradyn_pass *pass = data;
  const gradyn_program *program = pass->program;
  const double factor = pass->trials->scaling->objective;
  const gradyn_point *point = at(pass, x);
  if (point == NULL) {
    reject_constraints(m, c, n, gradient);
    return;
  }
  size_t k = 0;
  /* rows first, in the programme's order, then the pieces */
  for (size_t i = program->equality_count; i < program->row_count; i++, k++)
    put_row(pass, point, i, &c[k], gradient != NULL ? gradient + k * n : NULL);
  /* factor weight psi - s <= 0 */
  for (size_t i = 0; i < program->piece_count; i++, k++) {
    const gradyn_term *piece = &program->pieces[i];
    c[k] = factor * piece->weight * point->psi[piece->functional] - x[program->n];
    if (gradient == NULL)
      continue;
    memset(gradient + k * n, 0, n * sizeof *gradient);
    gradyn_program_add_gradient(program, piece->functional, factor * piece->weight, point->gradient,
                                gradient + k * n);
    gradient[k * n + program->n] = -1.0; /* d/ds */
  }
}

/* --- Setting up ------------------------------------------------------------------------------- */

/* Vectors in NLopt's variables. */
static bool allocate(gradyn_pass *pass)
{
  const gradyn_program *program = pass->program;
  /* one more variable if a maximum is minimised */
  pass->n = program->n + (program->piece_count > 0);
  pass->x = gradyn_arena_numbers(&pass->arena, pass->n);
  pass->lower = gradyn_arena_numbers(&pass->arena, pass->n);
  pass->upper = gradyn_arena_numbers(&pass->arena, pass->n);
  pass->rho = gradyn_arena_numbers(&pass->arena, program->objective->parameter_count);
  pass->tolerance = gradyn_arena_numbers(&pass->arena, program->row_count + program->piece_count);
  return gradyn_arena_status(&pass->arena) == GRADYN_OK;
}

/* With both optimisers. */
static void release(gradyn_pass *pass)
{
  nlopt_destroy(pass->opt);
  nlopt_destroy(pass->nested);
  gradyn_arena_clear(&pass->arena);
}

/* Start and bounds from the best point. */
static void place(gradyn_pass *pass)
{
  const gradyn_program *program = pass->program;
  const gradyn_point *best = &pass->trials->best;
  for (size_t j = 0; j < program->n; j++) {
    pass->x[j] = best->rho[program->varied[j]] / program->unit[j]; /* x = rho / unit */
    pass->lower[j] = program->lower[j];
    pass->upper[j] = program->upper[j];
  }
  if (program->piece_count == 0)
    return;
  /* the slack starts at the maximum itself */
  double largest = -HUGE_VAL;
  for (size_t k = 0; k < program->piece_count; k++)
    largest = fmax(largest, program->pieces[k].weight * best->psi[program->pieces[k].functional]);
  pass->x[program->n] = pass->trials->scaling->objective * largest;
  pass->lower[program->n] = -HUGE_VAL;
  pass->upper[program->n] = HUGE_VAL;
}

/* Hands the constraints to NLopt. Half the tolerance, so that what NLopt accepts is feasible. */
static nlopt_result add_constraints(gradyn_pass *pass)
{
  const gradyn_program *program = pass->program;
  const gradyn_scaling *scaling = pass->trials->scaling;
  nlopt_result result = NLOPT_SUCCESS;
  unsigned k = 0;
  /* in NLopt's scaling, as the callbacks answer */
  for (size_t i = 0; i < program->equality_count; i++)
    if (!scaling->dropped[i])
      pass->tolerance[k++] = 0.5 * scaling->row[i] * program->rows[i].tolerance;
  if (k > 0)
    result = nlopt_add_equality_mconstraint(pass->opt, k, equalities, pass, pass->tolerance);
  if (result < 0)
    return result;

  /* inequalities, then pieces, in the callbacks' order */
  k = 0;
  for (size_t i = program->equality_count; i < program->row_count; i++)
    pass->tolerance[k++] = 0.5 * scaling->row[i] * program->rows[i].tolerance;
  for (size_t i = 0; i < program->piece_count; i++)
    /* of the size of s itself */
    pass->tolerance[k++] = 1e-9 * fmax(1.0, fabs(pass->x[program->n]));
  if (k > 0)
    result = nlopt_add_inequality_mconstraint(pass->opt, k, inequalities, pass, pass->tolerance);
  return result;
}

/* Stopping criteria and memory of an optimiser. */
static void set_options(const gradyn_pass *pass, nlopt_opt opt, double least)
{
  const gradyn_search *search = pass->trials->search;
  /* ftol is relative; xtol absolute in units of the parameters, as x = rho / unit */
  nlopt_set_ftol_rel(opt, fmax(search->ftol, least));
  nlopt_set_xtol_abs1(opt, fmax(search->xtol, least));
  /* of quasi-Newton pairs: between 10 and 30, n if that lies between */
  nlopt_set_vector_storage(opt, (unsigned)(pass->n < 10 ? 10 : pass->n > 30 ? 30 : pass->n));
}

/* The outer algorithm: the local one itself or an augmented Lagrangian around it. The latter takes
 * all constraints itself, also those that the local one could: NLopt's other form, AUGLAG_EQ around
 * MMA or CCSAQ, needed more than ten times the evaluations (Hock & Schittkowski 71). */
static nlopt_algorithm outer_algorithm(const gradyn_pass *pass)
{
  const bool constrained = pass->program->row_count + pass->program->piece_count > 0;
  return pass->algorithm->lagrangian && constrained ? NLOPT_AUGLAG : pass->algorithm->local;
}

/* The optimiser with bounds and constraints. */
static gradyn_pass_end set_up(gradyn_pass *pass)
{
  const unsigned n = (unsigned)pass->n;
  const nlopt_algorithm outer = outer_algorithm(pass);
  pass->opt = nlopt_create(outer, n);
  if (pass->opt == NULL)
    return GRADYN_PASS_NO_MEMORY;
  /* bounds and tolerances of the outer problem */
  set_options(pass, pass->opt, 0.0);
  /* the augmented Lagrangian has an optimiser of its own */
  if (outer != pass->algorithm->local) {
    pass->nested = nlopt_create(pass->algorithm->local, n);
    if (pass->nested == NULL)
      return GRADYN_PASS_NO_MEMORY;
    set_options(pass, pass->nested, nested_tolerance);
    const nlopt_result result = nlopt_set_local_optimizer(pass->opt, pass->nested);
    if (result < 0)
      return translate(result);
  }
  nlopt_result result = nlopt_set_min_objective(pass->opt, objective, pass);
  /* NLopt's successes are positive: the first failure ends the chain */
  if (result > 0)
    result = nlopt_set_lower_bounds(pass->opt, pass->lower);
  if (result > 0)
    result = nlopt_set_upper_bounds(pass->opt, pass->upper);
  if (result > 0)
    result = add_constraints(pass);
  return translate(result);
}

gradyn_pass_end gradyn_nlopt_run(const gradyn_algorithm *algorithm, gradyn_trials *trials)
{
  gradyn_pass pass = {.algorithm = algorithm, .program = trials->program, .trials = trials};
  gradyn_pass_end end = GRADYN_PASS_NO_MEMORY;
  if (allocate(&pass)) {
    place(&pass);
    trials->halt = GRADYN_HALT_NONE;
    trials->idle = 0; /* each pass has its own idle trials */
    end = set_up(&pass);
    /* NLOPT_SUCCESS of the set-up translates to CONVERGED */
    if (end == GRADYN_PASS_CONVERGED) {
      double f = HUGE_VAL;
      end = translate(nlopt_optimize(pass.opt, pass.x, &f));
    }
  }
  release(&pass);
  /* why the trials halted outweighs what NLopt makes of it */
  return trials->halt != GRADYN_HALT_NONE ? GRADYN_PASS_HALTED : end;
}
