/* The nonlinear program that an optimiser receives, and the functions that the optimiser calls.
 *
 * The variables are x = rho / unit, followed by the slack variables if a maximum is minimised. The scaling
 * factors are applied only here. The optimiser gets no limits on evaluations and time. The trials count
 * evaluations for all nested optimisers together, and stop the run. */
#include "optim/program/gauss_newton.h"
#include "optim/program/hessian.h"
#include "optim/search/solver_run.h"

#include <math.h>
#include <string.h>

typedef struct gradyn_solver_run {
  const gradyn_program *program;
  gradyn_trials *trials;
  gradyn_nlp nlp;
  /* [nlp.m], index of each constraint in the program; the pieces of a maximum follow the constraints */
  size_t *row;
  double *lower, *upper; /* [nlp.n] */
  double *rho;           /* [parameters] */
  double *tolerance;     /* [nlp.m] */
  /* [stored entries of all constraints of the program], whether an entry was nonzero at some point */
  bool *nonzero;
  size_t *start, *column; /* positions of the nonzero entries by rows, in the form of the drivers */
  double *entry;          /* [nlp.n], stored entries of one gradient */
  double *slope;          /* [nlp.n], gradient of the objective by the slack variables */
  gradyn_multipliers multipliers; /* multipliers at the start, and after the run those at its end */
  gradyn_hessian hessian;         /* entries of second derivatives, if they are available */
  /* second derivatives of an objective that compares a model with data */
  gradyn_gauss_newton squares;
  /* watched: the driver relies on the list of nonzero entries; grown: a new entry was found since */
  bool watched, grown;
  gradyn_arena arena; /* memory of all arrays */
} gradyn_solver_run;

/* --- Answers ---------------------------------------------------------------------------------- */

/* Returns the trial point at x; NULL: the point is rejected. */
static const gradyn_trial *at(gradyn_solver_run *pass, const double x[])
{
  gradyn_program_parameters(pass->program, x, pass->rho);
  return gradyn_trials_at(pass->trials, pass->rho);
}

/* f = factor * sum of w_i psi_i, plus the slack variables if there are pieces. */
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
  gradyn_program_slack_gradient(program, pass->slope);
  for (size_t k = 0; k < gradyn_program_slacks(program); k++) {
    *f += pass->slope[k] * x[program->n + k];
    if (gradient != NULL)
      gradient[program->n + k] = pass->slope[k];
  }
  return true;
}

/* Piece k of a maximum as a constraint: factor * weight * psi - s <= 0; with a share, minus the excess of
 * the piece. slack: values of the slack variables. */
static double put_piece(const gradyn_solver_run *pass, const gradyn_trial *point, size_t k,
                        const double slack[], double *gradient)
{
  const gradyn_program *program = pass->program;
  const gradyn_term *piece = &program->pieces[k];
  const double weight = pass->trials->scaling->objective * piece->weight;
  if (gradient != NULL) {
    const size_t count = gradyn_program_fill_gradient(program, piece->functional, weight,
                                                      point->gradient, gradient);
    (void)gradyn_program_fill_slacks(program, gradient, count);
  }
  return weight * point->psi[piece->functional] - slack[0] -
         (program->share > 0 ? slack[1 + k] : 0);
}

/* Constraint i of the program: factor * sign * (psi - bound). */
static double put_row(const gradyn_solver_run *pass, const gradyn_trial *point, size_t i,
                      double *gradient)
{
  const gradyn_program *program = pass->program;
  const gradyn_constraint *row = &program->rows[i];
  const double factor = pass->trials->scaling->row[i];
  if (gradient != NULL)
    (void)gradyn_program_fill_gradient(program, row->functional, factor * row->sign,
                                       point->gradient, gradient);
  return factor * gradyn_program_row(program, i, point->psi);
}

/* Returns constraint k of the driver, and fills the stored entries of its gradient unless it is NULL. */
static double put(const gradyn_solver_run *pass, const gradyn_trial *point, const double x[],
                  size_t k, double *gradient)
{
  const gradyn_program *program = pass->program;
  const size_t i = pass->row[k];
  return i < program->row_count
             ? put_row(pass, point, i, gradient)
             : put_piece(pass, point, i - program->row_count, x + program->n, gradient);
}

/* Records the nonzero entries of the gradient of constraint k. */
static void note(gradyn_solver_run *pass, size_t k, const double gradient[])
{
  const size_t *start = pass->program->entries.start + pass->row[k];
  bool *known = pass->nonzero + start[0];
  for (size_t e = 0; e < start[1] - start[0]; e++)
    if (gradient[e] != 0 && !known[e])
      known[e] = pass->grown = true;
}

/* Copies the entries of constraint k that the driver requires: those of its list, or all n. from: the
 * stored entries. Returns the number of entries. */
static size_t pass_on(const gradyn_solver_run *pass, size_t k, const double from[], double to[])
{
  const gradyn_entries *entries = &pass->program->entries;
  const size_t first = entries->start[pass->row[k]],
               count = entries->start[pass->row[k] + 1] - first;
  size_t next = 0;
  if (!pass->watched) {
    memset(to, 0, pass->nlp.n * sizeof *to);
    for (size_t e = 0; e < count; e++)
      to[entries->column[first + e]] = from[e];
    return pass->nlp.n;
  }
  for (size_t e = 0; e < count; e++)
    if (pass->nonzero[first + e])
      to[next++] = from[e];
  return next;
}

/* Computes constraints, and their gradients unless `gradients` is NULL. */
static bool rows(void *self, const double x[], size_t first, size_t count, double c[],
                 double gradients[])
{
  gradyn_solver_run *pass = self;
  const gradyn_trial *point = at(pass, x);
  if (point == NULL)
    return false;
  for (size_t k = first; k < first + count; k++) {
    c[k - first] = put(pass, point, x, k, gradients != NULL ? pass->entry : NULL);
    if (gradients == NULL)
      continue;
    note(pass, k, pass->entry);
    if (!pass->watched || !pass->grown) /* a new entry has no place in the list of the driver */
      gradients += pass_on(pass, k, pass->entry, gradients);
  }
  return !(pass->watched && pass->grown);
}

/* Called when the driver accepts the last point that it evaluated as its next iterate. */
static void arrived(void *self)
{
  gradyn_solver_run *pass = self;
  gradyn_trials_arrive(pass->trials, pass->rho);
}

/* Sets the weights of functionals in the Lagrangian to the multipliers lam. NULL: to arbitrary multipliers,
 * so that no entry vanishes by chance. */
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

/* Whether second derivatives could be computed. If not, the search halts, to continue without them. */
static bool known(gradyn_solver_run *pass, gradyn_status status)
{
  gradyn_trials *trials = pass->trials;
  const gradyn_objective *objective = pass->program->objective;
  if (status == GRADYN_OK)
    return true;
  if (status == GRADYN_NO_MEMORY) {
    gradyn_trials_out_of_memory(trials);
    return false;
  }
  gradyn_fail(&trials->message, status, "%s", objective->message(objective->self));
  trials->halt = status != GRADYN_INTERRUPTED ? GRADYN_HALT_CURVATURE
                 : gradyn_trials_late(trials) ? GRADYN_HALT_TIME
                                              : GRADYN_HALT_WATCH;
  return false;
}

/* Computes second derivatives of the Lagrangian, or lists their entries. */
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

/* Computes the Gauss-Newton matrix of the objective. Second derivatives of constraints are neglected. */
static bool gauss_newton(void *self, const double x[], double factor, const double lam[],
                         double values[])
{
  gradyn_solver_run *pass = self;
  const gradyn_trial *point = at(pass, x);
  (void)lam;
  if (point == NULL)
    return false;
  gradyn_gauss_newton_next(&pass->squares, point, x, factor * pass->trials->scaling->objective,
                           values);
  return true;
}

/* Adds the entries of second derivatives at the best point to the list of entries. */
static bool find_hessian(gradyn_solver_run *pass)
{
  if (pass->nlp.hessian != hessian)
    return true;
  weigh(pass, 1, NULL);
  const gradyn_status status = gradyn_hessian_find(&pass->hessian, pass->trials->best.rho);
  pass->hessian.grown = false;
  pass->nlp.hessian_row = pass->hessian.row;
  pass->nlp.hessian_column = pass->hessian.column;
  pass->nlp.hessian_count = pass->hessian.count;
  return known(pass, status);
}

/* Numbers of iterations with second derivatives and of evaluations without them, to compare their costs.
 * They are known for motions in segments only. Of 78 searches of 25 problems with second derivatives, the
 * median is 16 iterations. Without them, 59 of 77 searches that end optimal take at most EVALUATIONS
 * (docs/theory/segments.md). */
enum { ITERATIONS = 20, EVALUATIONS = 60 };

/* The number of evaluations if there are path constraints, for which second derivatives save less. With
 * EVALUATIONS, the container crane takes 461 evaluations instead of 203. */
enum { EVALUATIONS_OF_SAMPLES = 150 };

/* Whether a search with second derivatives from the start would have taken less time by now. If their price
 * is not known, a block costs a gradient of its segment for each parameter that acts there, and one more.
 * The number of these parameters is estimated by the average number of entries of a constraint. */
static bool outbid(const gradyn_solver_run *pass)
{
  const gradyn_program *program = pass->program;
  if (!pass->watched || pass->trials->curvature != GRADYN_CURVATURE_ESTIMATED ||
      program->objective->curve == NULL || program->piece_count > 0 || pass->nlp.m == 0)
    return false;
  const double acting = (double)pass->start[pass->nlp.m] / (double)pass->nlp.m;
  const double price = program->objective->blocks.price > 0 ? program->objective->blocks.price
                                                            : acting + 1;
  const double least = program->objective->sampling == GRADYN_NOT_SAMPLED ? EVALUATIONS
                                                                          : EVALUATIONS_OF_SAMPLES;
  return (double)pass->trials->evaluations > fmax(least, ITERATIONS * (1 + price));
}

/* If an automatic change to second derivatives has not led to an optimum after this number of evaluations,
 * the search continues with limited memory. Of 78 searches with second derivatives from the start that end
 * optimal, 76 take fewer. */
enum { VAIN_EVALUATIONS = 60 };

/* Whether second derivatives, which the user has not requested, have not led to an optimum. */
static bool is_misled(const gradyn_solver_run *pass)
{
  gradyn_trials *trials = pass->trials;
  if (trials->curvature != GRADYN_CURVATURE_TAKEN || trials->search->hessian ||
      trials->evaluations - trials->changed <= VAIN_EVALUATIONS)
    return false;
  gradyn_fail(&trials->message, GRADYN_STALLED, "no optimum in %d evaluations", VAIN_EVALUATIONS);
  return true;
}

/* Whether the run must stop: the trials have halted, or a gradient has an entry that the driver does not
 * know. */
static bool halted(void *self)
{
  gradyn_solver_run *pass = self;
  if (pass->trials->halt == GRADYN_HALT_NONE && (outbid(pass) || is_misled(pass)))
    pass->trials->halt = GRADYN_HALT_CURVATURE;
  return pass->trials->halt != GRADYN_HALT_NONE || (pass->watched && pass->grown);
}

/* --- Setting up ------------------------------------------------------------------------------- */

/* Whether second derivatives are available and requested. */
static bool curves(const gradyn_solver_run *pass)
{
  const gradyn_program *program = pass->program;
  for (size_t j = 0; j < program->n; j++) /* second derivatives by logarithms are not available */
    if (program->objective->parameters[program->varied[j]].logarithmic)
      return false;
  return pass->trials->curvature == GRADYN_CURVATURE_TAKEN && program->objective->curve != NULL &&
         program->piece_count == 0;
}

/* Allocates memory for all constraints, whether they are used or not. */
static bool allocate(gradyn_solver_run *pass)
{
  const gradyn_program *program = pass->program;
  const size_t m = program->row_count + program->piece_count;
  /* with a maximum, its slack variables are variables, too */
  const size_t n = program->n + gradyn_program_slacks(program);
  pass->nlp.n = n;
  pass->nlp.x = gradyn_arena_numbers(&pass->arena, n);
  pass->lower = gradyn_arena_numbers(&pass->arena, n);
  pass->upper = gradyn_arena_numbers(&pass->arena, n);
  pass->rho = gradyn_arena_numbers(&pass->arena, program->objective->parameter_count);
  pass->tolerance = gradyn_arena_numbers(&pass->arena, m);
  pass->row = gradyn_arena_take(&pass->arena, m, sizeof *pass->row);
  pass->multipliers.row = gradyn_arena_numbers(&pass->arena, m);
  pass->multipliers.lower = gradyn_arena_numbers(&pass->arena, n);
  pass->multipliers.upper = gradyn_arena_numbers(&pass->arena, n);
  if (curves(pass)) {
    if (gradyn_hessian_create(program, &pass->hessian) != GRADYN_OK)
      return false;
    pass->nlp.hessian = hessian;
  } else if (pass->trials->curvature != GRADYN_CURVATURE_LOST &&
             gradyn_gauss_newton_applies(program)) {
    gradyn_gauss_newton_create(&pass->arena, program, &pass->squares);
    pass->nlp.hessian_row = pass->squares.row;
    pass->nlp.hessian_column = pass->squares.column;
    pass->nlp.hessian_count = n * (n + 1) / 2;
    pass->nlp.hessian = gauss_newton;
    pass->nlp.squares = true;
  }
  const size_t entries = gradyn_program_entries(program);
  pass->nonzero = gradyn_arena_take(&pass->arena, entries, sizeof *pass->nonzero);
  pass->start = gradyn_arena_take(&pass->arena, m + 1, sizeof *pass->start);
  pass->column = gradyn_arena_take(&pass->arena, entries, sizeof *pass->column);
  pass->entry = gradyn_arena_numbers(&pass->arena, n);
  pass->slope = gradyn_arena_numbers(&pass->arena, n);
  return gradyn_arena_status(&pass->arena) == GRADYN_OK;
}

/* Sets start and bounds from the best point. */
static void position(gradyn_solver_run *pass)
{
  const gradyn_program *program = pass->program;
  const gradyn_trial *best = &pass->trials->best;
  double *x = pass->nlp.x;
  for (size_t j = 0; j < program->n; j++) {
    x[j] = gradyn_program_variable(program, j, best->rho[program->varied[j]]);
    pass->lower[j] = program->lower[j];
    pass->upper[j] = program->upper[j];
  }
  if (program->piece_count == 0)
    return;
  /* the slack variables start at the values of the maximum at the best point */
  gradyn_program_slack_values(program, pass->trials->scaling->objective, best->psi, x + program->n);
  for (size_t k = 0; k < gradyn_program_slacks(program); k++) {
    pass->lower[program->n + k] = k == 0 ? -HUGE_VAL : 0;
    pass->upper[program->n + k] = HUGE_VAL;
  }
}

/* Selects equality constraints that are not dependent, inequality constraints, and pieces, in this order.
 * The tolerances have the scaling of the constraints. They are halved, so that points that an optimiser
 * accepts are feasible. */
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
    /* relative to the slack variable s */
    pass->tolerance[k] = 1e-9 * fmax(1.0, fabs(pass->nlp.x[program->n]));
  }
}

/* Lists the nonzero entries of the constraints by rows, beginning with those at the best point. */
static void list_entries(gradyn_solver_run *pass)
{
  const gradyn_entries *entries = &pass->program->entries;
  const gradyn_trial *point = at(pass, pass->nlp.x);
  size_t count = 0;
  for (size_t k = 0; k < pass->nlp.m; k++) {
    if (point != NULL) {
      (void)put(pass, point, pass->nlp.x, k, pass->entry);
      note(pass, k, pass->entry);
    }
    for (size_t e = entries->start[pass->row[k]]; e < entries->start[pass->row[k] + 1]; e++)
      if (pass->nonzero[e])
        pass->column[count++] = entries->column[e];
    pass->start[k + 1] = count;
  }
}

/* Sets the multipliers at the start of the first run of a search, if an earlier search has left some. */
static void start_warm(gradyn_solver_run *pass, const gradyn_driver *driver)
{
  const gradyn_warm_start *warm = pass->trials->warm;
  pass->nlp.warm = warm != NULL && warm->barrier > 0 && driver->warm && !pass->nlp.again &&
                   pass->trials->runs == 0 && pass->program->piece_count == 0;
  pass->multipliers.barrier = 0;
  if (pass->nlp.warm)
    gradyn_warm_start_scale(warm, pass->program, pass->trials->scaling, pass->row, pass->nlp.m,
                            &pass->multipliers);
}

/* Stores the multipliers at the end for a subsequent search. */
static void keep_multipliers(gradyn_solver_run *pass)
{
  gradyn_warm_start *warm = pass->trials->warm;
  if (warm == NULL)
    return;
  warm->optimum = NAN;
  warm->barrier = 0;
  if (pass->multipliers.barrier > 0 && pass->program->piece_count == 0)
    gradyn_warm_start_take(warm, pass->program, pass->trials->scaling, pass->row, pass->nlp.m,
                           &pass->multipliers);
}

/* Runs the driver from the best point. Repeats the run if a gradient has an entry that was zero before. The
 * list of entries only grows, so that the repetitions end. */
static gradyn_solver_run_end run(gradyn_solver_run *pass, const gradyn_algorithm *algorithm)
{
  gradyn_solver_run_end end = GRADYN_PASS_FAILURE;
  pass->watched = algorithm->driver->sparse;
  do {
    position(pass);
    if (pass->watched)
      list_entries(pass);
    pass->trials->halt = GRADYN_HALT_NONE;
    if (!find_hessian(pass))
      return GRADYN_PASS_HALTED;
    pass->grown = false;
    pass->trials->idle = 0; /* each run counts its repeated requests separately */
    start_warm(pass, algorithm->driver);
    end = algorithm->driver->run(algorithm, &pass->nlp);
  } while (pass->watched && pass->grown && pass->trials->halt == GRADYN_HALT_NONE);
  pass->trials->runs++;
  keep_multipliers(pass);
  return end;
}

gradyn_solver_run_end gradyn_solver_run_start(const gradyn_algorithm *algorithm,
                                              gradyn_trials *trials, bool again)
{
  gradyn_solver_run pass = {.program = trials->program, .trials = trials};
  gradyn_solver_run_end end = GRADYN_PASS_NO_MEMORY;
  if (allocate(&pass)) {
    position(&pass);
    choose_rows(&pass);
    pass.nlp.lower = pass.lower;
    pass.nlp.upper = pass.upper;
    pass.nlp.tolerance = pass.tolerance;
    pass.nlp.multipliers = &pass.multipliers;
    pass.nlp.ftol = trials->search->ftol;
    pass.nlp.xtol = trials->search->xtol;
    pass.nlp.optimality = trials->search->optimality;
    pass.nlp.again = again;
    pass.nlp.residual = trials->best.filled ? trials->best.residual : NAN;
    pass.nlp.limited = trials->program->objective->sampling != GRADYN_NOT_SAMPLED;
    pass.nlp.start = pass.start;
    pass.nlp.column = pass.column;
    pass.nlp.objective = objective;
    pass.nlp.rows = rows;
    pass.nlp.arrived = arrived;
    pass.nlp.halted = halted;
    pass.nlp.self = &pass;
    end = run(&pass, algorithm);
  }
  gradyn_hessian_clear(&pass.hessian);
  gradyn_arena_clear(&pass.arena);
  /* the halt of the trials is the cause of the reported end */
  return trials->halt != GRADYN_HALT_NONE ? GRADYN_PASS_HALTED : end;
}
