/* What an optimiser is asked to do, and its questions answered.
 *
 * It sees x = rho / unit, followed by the slack variable of a maximum if there is one; the factors of
 * the scaling are applied here and nowhere else. It gets no limits on evaluations and time: the trials
 * count for all nested optimisers together and halt. */
#include "optim/program/hessian.h"
#include "optim/search/solver_run.h"

#include <math.h>
#include <string.h>

typedef struct gradyn_solver_run {
  const gradyn_program *program;
  gradyn_trials *trials;
  gradyn_nlp nlp;
  size_t *row;            /* [nlp.m], of the programme; pieces of a maximum stand behind its rows */
  double *lower, *upper;  /* [nlp.n] */
  double *rho;            /* [parameters] */
  double *tolerance;      /* [nlp.m] */
  bool *nonzero;          /* [nlp.m][nlp.n] entries of gradients that have been other than zero */
  size_t *start, *column; /* of the same by rows, as drivers are told */
  gradyn_hessian hessian; /* of second derivatives, where there are some */
  bool watched, grown;    /* a driver counts on these; another entry has turned up since */
  gradyn_arena arena;     /* of all arrays */
} gradyn_solver_run;

/* --- Answers ---------------------------------------------------------------------------------- */

/* The trial point at x; NULL: rejected. */
static const gradyn_trial *at(gradyn_solver_run *pass, const double x[])
{
  gradyn_program_parameters(pass->program, x, pass->rho);
  return gradyn_trials_at(pass->trials, pass->rho);
}

/* f = factor sum of w_i psi_i, and s if there are pieces. */
static bool objective(void *self, const double x[], double *f, double gradient[])
{
  gradyn_solver_run *pass = self;
  const gradyn_program *program = pass->program;
  const double factor = pass->trials->scaling->objective;
  const gradyn_trial *point = at(pass, x);
  if (point == NULL)
    return false;
  if (gradient != NULL)
    memset(gradient, 0, pass->nlp.n * sizeof *gradient);
  *f = 0.0;
  for (size_t i = 0; i < program->term_count; i++) {
    const gradyn_term *term = &program->terms[i];
    *f += factor * term->weight * point->psi[term->functional];
    if (gradient != NULL)
      gradyn_program_add_gradient(program, term->functional, factor * term->weight, point->gradient,
                                  gradient);
  }
  if (program->piece_count > 0) {
    *f += x[program->n];
    if (gradient != NULL)
      gradient[program->n] = 1.0;
  }
  return true;
}

/* Piece k of a maximum: factor weight psi - s <= 0. */
static double put_piece(const gradyn_solver_run *pass, const gradyn_trial *point, size_t k,
                        double s, double *gradient)
{
  const gradyn_program *program = pass->program;
  const gradyn_term *piece = &program->pieces[k];
  const double weight = pass->trials->scaling->objective * piece->weight;
  if (gradient != NULL) {
    gradyn_program_add_gradient(program, piece->functional, weight, point->gradient, gradient);
    gradient[program->n] = -1.0; /* d/ds */
  }
  return weight * point->psi[piece->functional] - s;
}

/* Row i of the programme: factor sign (psi - bound). */
static double put_row(const gradyn_solver_run *pass, const gradyn_trial *point, size_t i,
                      double *gradient)
{
  const gradyn_program *program = pass->program;
  const gradyn_constraint *row = &program->rows[i];
  const double factor = pass->trials->scaling->row[i];
  if (gradient != NULL)
    gradyn_program_add_gradient(program, row->functional, factor * row->sign, point->gradient,
                                gradient);
  return factor * gradyn_program_row(program, i, point->psi);
}

/* Notes which entries of a row's gradient are other than zero. */
static void note(gradyn_solver_run *pass, size_t k, const double gradient[])
{
  bool *known = pass->nonzero + k * pass->nlp.n;
  for (size_t j = 0; j < pass->nlp.n; j++)
    if (gradient[j] != 0 && !known[j])
      known[j] = pass->grown = true;
}

/* Rows with gradients [count][n]. */
static bool rows(void *self, const double x[], size_t first, size_t count, double c[],
                 double gradients[])
{
  gradyn_solver_run *pass = self;
  const gradyn_program *program = pass->program;
  const size_t n = pass->nlp.n;
  const gradyn_trial *point = at(pass, x);
  if (point == NULL)
    return false;
  if (gradients != NULL)
    memset(gradients, 0, count * n * sizeof *gradients);
  for (size_t k = 0; k < count; k++) {
    const size_t i = pass->row[first + k];
    double *gradient = gradients != NULL ? gradients + k * n : NULL;
    c[k] = i < program->row_count
               ? put_row(pass, point, i, gradient)
               : put_piece(pass, point, i - program->row_count, x[program->n], gradient);
    if (gradient != NULL)
      note(pass, first + k, gradient);
  }
  return !(pass->watched && pass->grown);
}

/* A driver goes on from the point that it has asked for last. */
static void arrived(void *self)
{
  gradyn_solver_run *pass = self;
  gradyn_trials_arrive(pass->trials, pass->rho);
}

/* Weights of functionals in the Lagrangian; lam NULL: of no special kind. */
static void weigh(gradyn_solver_run *pass, double factor, const double lam[])
{
  const gradyn_program *program = pass->program;
  const gradyn_scaling *scaling = pass->trials->scaling;
  double *weight = pass->hessian.weight;
  memset(weight, 0, program->objective->functional_count * sizeof *weight);
  for (size_t i = 0; i < program->term_count; i++)
    weight[program->terms[i].functional] += factor * scaling->objective * program->terms[i].weight;
  for (size_t k = 0; k < pass->nlp.m; k++) {
    const gradyn_constraint *row = &program->rows[pass->row[k]];
    const double own = lam != NULL ? lam[k] : 1 + 0.5 * sin(1 + 1.7 * (double)k);
    weight[row->functional] += own * scaling->row[pass->row[k]] * row->sign;
  }
}

/* Whether second derivatives are known; where they are not, the search goes on without. */
static bool known(gradyn_solver_run *pass, gradyn_status status)
{
  gradyn_trials *trials = pass->trials;
  const gradyn_objective *objective = pass->program->objective;
  if (status == GRADYN_OK)
    return true;
  if (status == GRADYN_NO_MEMORY) {
    gradyn_trials_starve(trials);
    return false;
  }
  gradyn_fail(&trials->message, status, "%s", objective->message(objective->self));
  trials->halt = status != GRADYN_INTERRUPTED ? GRADYN_HALT_CURVATURE
                 : gradyn_trials_late(trials) ? GRADYN_HALT_TIME
                                              : GRADYN_HALT_WATCH;
  return false;
}

/* Second derivatives, by the weights of the programme's functionals. */
static bool hessian(void *self, const double x[], double factor, const double lam[],
                    double values[])
{
  gradyn_solver_run *pass = self;
  weigh(pass, factor, lam);
  gradyn_program_parameters(pass->program, x, pass->rho);
  const gradyn_status status = gradyn_hessian_values(&pass->hessian, pass->rho, values);
  pass->grown = pass->grown || pass->hessian.grown;
  return known(pass, status) && !pass->grown;
}

/* Joins their entries at the best point to those that are known. */
static bool find_hessian(gradyn_solver_run *pass)
{
  if (pass->nlp.hessian == NULL)
    return true;
  weigh(pass, 1, NULL);
  const gradyn_status status = gradyn_hessian_find(&pass->hessian, pass->trials->best.rho);
  pass->hessian.grown = false;
  pass->nlp.hessian_row = pass->hessian.row;
  pass->nlp.hessian_column = pass->hessian.column;
  pass->nlp.hessian_count = pass->hessian.count;
  return known(pass, status);
}

/* Iterations in which searches with second derivatives come to their end: of motions in segments, whose
 * curvature alone is known, 10 to 28; and evaluations in which those without have, where they do, 13 to 81
 * (docs/theory/segments.md). */
enum { ITERATIONS = 30, EVALUATIONS = 100 };

/* Whether second derivatives, had they been taken from the start, would be paid by now: each of their blocks
 * costs a gradient of its part for each parameter that acts there, as many as a row has entries, and two
 * more. */
static bool outbid(const gradyn_solver_run *pass)
{
  const gradyn_program *program = pass->program;
  if (!pass->watched || pass->trials->curvature != GRADYN_CURVATURE_ESTIMATED ||
      program->objective->curve == NULL || program->piece_count > 0 || pass->nlp.m == 0)
    return false;
  const double acting = (double)pass->start[pass->nlp.m] / (double)pass->nlp.m;
  return (double)pass->trials->evaluations > fmax(EVALUATIONS, ITERATIONS * (acting + 2));
}

/* The trials have had enough, or what the driver knows of gradients is not true. */
static bool halted(void *self)
{
  gradyn_solver_run *pass = self;
  if (pass->trials->halt == GRADYN_HALT_NONE && outbid(pass))
    pass->trials->halt = GRADYN_HALT_CURVATURE;
  return pass->trials->halt != GRADYN_HALT_NONE || (pass->watched && pass->grown);
}

/* --- Setting up ------------------------------------------------------------------------------- */

/* Whether second derivatives are to be had, and asked for. */
static bool curves(const gradyn_solver_run *pass)
{
  const gradyn_program *program = pass->program;
  return pass->trials->curvature == GRADYN_CURVATURE_TAKEN && program->objective->curve != NULL &&
         program->piece_count == 0;
}

/* Room for all rows, whether they count or not. */
static bool allocate(gradyn_solver_run *pass)
{
  const gradyn_program *program = pass->program;
  const size_t m = program->row_count + program->piece_count;
  /* one more variable if a maximum is minimised */
  const size_t n = program->n + (program->piece_count > 0);
  pass->nlp.n = n;
  pass->nlp.x = gradyn_arena_numbers(&pass->arena, n);
  pass->lower = gradyn_arena_numbers(&pass->arena, n);
  pass->upper = gradyn_arena_numbers(&pass->arena, n);
  pass->rho = gradyn_arena_numbers(&pass->arena, program->objective->parameter_count);
  pass->tolerance = gradyn_arena_numbers(&pass->arena, m);
  pass->row = gradyn_arena_take(&pass->arena, m, sizeof *pass->row);
  if (curves(pass)) {
    if (gradyn_hessian_create(program, &pass->hessian) != GRADYN_OK)
      return false;
    pass->nlp.hessian = hessian;
  }
  pass->nonzero = gradyn_arena_take(&pass->arena, m * n, sizeof *pass->nonzero);
  pass->start = gradyn_arena_take(&pass->arena, m + 1, sizeof *pass->start);
  pass->column = gradyn_arena_take(&pass->arena, m * n, sizeof *pass->column);
  return gradyn_arena_status(&pass->arena) == GRADYN_OK;
}

/* Start and bounds from the best point. */
static void place(gradyn_solver_run *pass)
{
  const gradyn_program *program = pass->program;
  const gradyn_trial *best = &pass->trials->best;
  double *x = pass->nlp.x;
  for (size_t j = 0; j < program->n; j++) {
    x[j] = best->rho[program->varied[j]] / program->unit[j]; /* x = rho / unit */
    pass->lower[j] = program->lower[j];
    pass->upper[j] = program->upper[j];
  }
  if (program->piece_count == 0)
    return;
  /* the slack starts at the maximum itself */
  double largest = -HUGE_VAL;
  for (size_t k = 0; k < program->piece_count; k++)
    largest = fmax(largest, program->pieces[k].weight * best->psi[program->pieces[k].functional]);
  x[program->n] = pass->trials->scaling->objective * largest;
  pass->lower[program->n] = -HUGE_VAL;
  pass->upper[program->n] = HUGE_VAL;
}

/* Equalities that were not left out as dependent, inequalities, pieces; in the scaling of the answers,
 * with half the tolerance, so that what an optimiser accepts is feasible. */
static void choose_rows(gradyn_solver_run *pass)
{
  const gradyn_program *program = pass->program;
  const gradyn_scaling *scaling = pass->trials->scaling;
  for (size_t i = 0; i < program->row_count; i++) {
    if (i < program->equality_count && scaling->dropped[i])
      continue;
    const size_t k = pass->nlp.m++;
    pass->nlp.equalities += i < program->equality_count;
    pass->row[k] = i;
    pass->tolerance[k] = 0.5 * scaling->row[i] * program->rows[i].tolerance;
  }
  for (size_t i = 0; i < program->piece_count; i++) {
    const size_t k = pass->nlp.m++;
    pass->row[k] = program->row_count + i;
    /* of the size of s itself */
    pass->tolerance[k] = 1e-9 * fmax(1.0, fabs(pass->nlp.x[program->n]));
  }
}

/* By rows. */
static void list_entries(gradyn_solver_run *pass)
{
  const size_t n = pass->nlp.n;
  size_t count = 0;
  for (size_t i = 0; i < pass->nlp.m; i++) {
    for (size_t j = 0; j < n; j++)
      if (pass->nonzero[i * n + j])
        pass->column[count++] = j;
    pass->start[i + 1] = count;
  }
}

/* Runs of the driver, each from the best point, until no more entries of gradients turn up that were zero
 * where it had been asked for them: they never come back, so that this ends. */
static gradyn_solver_run_end run(gradyn_solver_run *pass, const gradyn_algorithm *algorithm,
                                 double gradient[])
{
  gradyn_solver_run_end end = GRADYN_PASS_FAILURE;
  pass->watched = algorithm->driver->sparse;
  do {
    double c;
    place(pass);
    /* what is known of gradients begins with those of the best point */
    for (size_t k = 0; k < pass->nlp.m && pass->watched; k++) {
      pass->grown = false;
      (void)rows(pass, pass->nlp.x, k, 1, &c, gradient);
    }
    list_entries(pass);
    pass->trials->halt = GRADYN_HALT_NONE;
    if (!find_hessian(pass))
      return GRADYN_PASS_HALTED;
    pass->grown = false;
    pass->trials->idle = 0; /* each run has its own idle trials */
    end = algorithm->driver->run(algorithm, &pass->nlp);
  } while (pass->watched && pass->grown && pass->trials->halt == GRADYN_HALT_NONE);
  return end;
}

gradyn_solver_run_end gradyn_solver_run_start(const gradyn_algorithm *algorithm,
                                              gradyn_trials *trials, bool again)
{
  gradyn_solver_run pass = {.program = trials->program, .trials = trials};
  gradyn_solver_run_end end = GRADYN_PASS_NO_MEMORY;
  if (allocate(&pass)) {
    double *gradient = gradyn_arena_numbers(&pass.arena, pass.nlp.n);
    place(&pass);
    choose_rows(&pass);
    pass.nlp.lower = pass.lower;
    pass.nlp.upper = pass.upper;
    pass.nlp.tolerance = pass.tolerance;
    pass.nlp.ftol = trials->search->ftol;
    pass.nlp.xtol = trials->search->xtol;
    pass.nlp.optimality = trials->search->optimality;
    pass.nlp.again = again;
    pass.nlp.residual = trials->best.filled ? trials->best.residual : NAN;
    pass.nlp.limited = trials->program->objective->limited;
    pass.nlp.start = pass.start;
    pass.nlp.column = pass.column;
    pass.nlp.objective = objective;
    pass.nlp.rows = rows;
    pass.nlp.arrived = arrived;
    pass.nlp.halted = halted;
    pass.nlp.self = &pass;
    if (gradient != NULL)
      end = run(&pass, algorithm, gradient);
  }
  gradyn_hessian_clear(&pass.hessian);
  gradyn_arena_clear(&pass.arena);
  /* why the trials halted outweighs what an optimiser makes of it */
  return trials->halt != GRADYN_HALT_NONE ? GRADYN_PASS_HALTED : end;
}
