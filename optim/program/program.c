/* Sets up the nonlinear program of a search: free parameters, objective, constraints.
 *
 * Minimise the sum of w_i psi_i plus the maximum of w_k psi_k, subject to lower <= x <= upper and to
 * constraints. Here x are the free parameters, divided by their units. A parameter with equal bounds is
 * fixed. The maximum of a single piece is a term. A start outside the bounds is moved to the nearest
 * bound, and this is noted. */
#include "optim/program/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"

double gradyn_power_of_two(double value)
{
  int exponent = 0;
  const double mantissa = frexp(value, &exponent); /* in [1/2, 1) */
  if (!(value > 0) || !isfinite(value))
    return 1.0;
  /* the power with the nearest ratio; inverses or squares of larger ones would overflow */
  exponent -= mantissa < 0.70710678118654752; /* below 1/sqrt 2, the next smaller power is nearer */
  return ldexp(1.0, exponent < -400 ? -400 : exponent > 400 ? 400 : exponent);
}

/* --- Parameters ------------------------------------------------------------------------------- */

/* Whether parameter i is free. The list of the search, if it has one, replaces the choice of the problem. */
static bool is_varied(const gradyn_parameter_info *info, const gradyn_search *search, size_t i)
{
  const bool requested = search->vary != NULL ? search->vary[i] : !info->fixed;
  return requested && info->lower != info->upper; /* equal bounds fix a parameter */
}

double gradyn_program_unit(const gradyn_parameter_info *info, double value)
{
  if (info->logarithmic)
    return gradyn_power_of_two(info->scale / fabs(info->init));
  if (info->scale > 0)
    /* scaling by a power of two is exact */
    return gradyn_power_of_two(info->scale);
  if (isfinite(info->lower) && isfinite(info->upper))
    return gradyn_power_of_two((info->upper - info->lower) / 8);
  double size = fmax(fabs(value), fabs(info->init));
  if (isfinite(info->lower))
    size = fmax(size, value - info->lower); /* the distance from a bound is a typical size too */
  if (isfinite(info->upper))
    size = fmax(size, info->upper - value);
  return size > 0 ? gradyn_power_of_two(size / 4) : 1.0;
}

/* Checks start and bounds. */
static gradyn_status check_parameter(gradyn_program *program, const gradyn_parameter_info *info,
                                     double value)
{
  if (!isfinite(value))
    return gradyn_fail(&program->message, GRADYN_INVALID,
                       "parameter %s: initial value %g; must be finite", info->name, value);
  if (!(info->lower <= info->upper))
    return gradyn_fail(&program->message, GRADYN_INVALID, /* the condition is false for NAN */
                       "%s has the lower bound %g above its upper bound %g: exchange them",
                       info->name, info->lower, info->upper);
  return GRADYN_OK;
}

/* Moves the start of parameter i into its bounds, and adds a note. */
static void move_into_bounds(gradyn_program *program, size_t i)
{
  const gradyn_parameter_info *info = &program->objective->parameters[i];
  const double value = program->start[i];
  /* also correct for infinite bounds */
  const double inside = fmin(fmax(value, info->lower), info->upper);
  if (inside != value)
    gradyn_message_add(&program->notes, "the start of %s, %g, was moved to its bound %g",
                       info->name, value, inside);
  program->start[i] = inside;
}

static bool is_logarithmic(const gradyn_program *program, size_t j)
{
  return program->objective->parameters[program->varied[j]].logarithmic;
}

double gradyn_program_variable(const gradyn_program *program, size_t j, double rho)
{
  return (is_logarithmic(program, j) ? log(rho) : rho) / program->unit[j];
}

double gradyn_program_step(const gradyn_program *program, size_t j, double rho)
{
  return program->unit[j] * (is_logarithmic(program, j) ? rho : 1);
}

void gradyn_program_convert(const gradyn_program *program, const double rho[], bool back,
                            double gradient[])
{
  const gradyn_objective *objective = program->objective;
  bool any = false;
  for (size_t j = 0; j < program->n; j++)
    any = any || is_logarithmic(program, j);
  for (size_t f = 0; f < objective->functional_count && any; f++) {
    const gradyn_entry_row row = gradyn_objective_row(objective, f);
    for (size_t k = 0; k < row.count; k++) {
      const size_t i = gradyn_entries_column(&row, k), j = program->position[i];
      if (j < program->n && is_logarithmic(program, j))
        gradient[row.first + k] *= back ? 1 / rho[i] : rho[i];
    }
  }
}

void gradyn_program_set_unit(gradyn_program *program, size_t j, double unit)
{
  const gradyn_parameter_info *info = &program->objective->parameters[program->varied[j]];
  program->unit[j] = unit;
  program->lower[j] = gradyn_program_variable(program, j, info->lower);
  program->upper[j] = gradyn_program_variable(program, j, info->upper);
}

/* Selects the free parameters and their units. */
static gradyn_status choose_parameters(gradyn_program *program, const gradyn_search *search)
{
  const gradyn_objective *objective = program->objective;
  for (size_t i = 0; i < objective->parameter_count; i++) {
    const gradyn_parameter_info *info = &objective->parameters[i];
    program->position[i] = objective->parameter_count;
    GRADYN_TRY(check_parameter(program, info, program->start[i]));
    if (!is_varied(info, search, i))
      continue;
    /* optimisers refuse a start outside the bounds */
    move_into_bounds(program, i);
    const size_t j = program->n++;
    program->varied[j] = i;
    program->position[i] = j;
    gradyn_program_set_unit(
        program, j, search->no_scaling ? 1.0 : gradyn_program_unit(info, program->start[i]));
  }
  if (objective->parameter_count == 0)
    return gradyn_fail(&program->message, GRADYN_INVALID,
                       "the problem has no parameters; a search varies at least one");
  if (program->n == 0)
    return gradyn_fail(&program->message, GRADYN_INVALID,
                       "no parameter is left to vary: all %zu are fixed or have equal bounds",
                       objective->parameter_count);
  return GRADYN_OK;
}

/* --- Functionals ------------------------------------------------------------------------------ */

/* Makes the functional that the search names the objective, instead of the objective of the problem. */
static gradyn_status named_objective(gradyn_program *program, const char *name)
{
  const gradyn_objective *objective = program->objective;
  gradyn_nearest nearest = {.requested = name};
  for (size_t i = 0; i < objective->functional_count; i++) {
    /* '-' and '_' are the same character in names */
    if (gradyn_nearest_same(objective->functionals[i].name, name)) {
      program->terms[program->term_count++] = (gradyn_term){i, 1.0};
      return GRADYN_OK;
    }
    gradyn_nearest_try(&nearest, objective->functionals[i].name);
  }
  if (nearest.best != NULL)
    return gradyn_fail(&program->message, GRADYN_INVALID,
                       "there is no functional %s to minimise; did you mean %s?", name,
                       nearest.best);
  return gradyn_fail(&program->message, GRADYN_INVALID, "there is no functional %s to minimise",
                     name);
}

/* Selects terms and pieces of the objective. */
static gradyn_status choose_objective(gradyn_program *program, const gradyn_search *search)
{
  if (search->objective != NULL)
    return named_objective(program, search->objective);

  const gradyn_objective *objective = program->objective;
  program->share = objective->share;
  for (size_t i = 0; i < objective->functional_count; i++) {
    const gradyn_functional_info *info = &objective->functionals[i];
    const gradyn_term term = {i, info->weight};
    if (info->use == GRADYN_OBJECTIVE)
      /* the objective is the sum of weighted terms, plus the largest weighted piece */
      program->terms[program->term_count++] = term;
    if (info->use == GRADYN_LARGEST) {
      program->chance[program->piece_count] = objective->share > 0 ? objective->chance[i] : 0;
      program->pieces[program->piece_count++] = term;
    }
    if ((info->use == GRADYN_OBJECTIVE || info->use == GRADYN_LARGEST) && !isfinite(info->weight))
      return gradyn_fail(&program->message, GRADYN_INVALID,
                         "the weight of %s in the objective is %g: give a finite one", info->name,
                         info->weight);
  }
  if (program->term_count + program->piece_count == 0)
    return gradyn_fail(&program->message, GRADYN_INVALID,
                       "no functional is minimised: call gradyn_minimise() in build(), or name an "
                       "objective");
  /* the maximum of a single piece is a term */
  if (program->piece_count == 1) {
    program->terms[program->term_count++] = program->pieces[0];
    program->piece_count = 0;
  }
  return GRADYN_OK;
}

/* Appends either the equality constraints or the inequality constraints. */
static gradyn_status choose_rows(gradyn_program *program, bool equalities)
{
  const gradyn_objective *objective = program->objective;
  for (size_t i = 0; i < objective->functional_count; i++) {
    const gradyn_functional_info *info = &objective->functionals[i];
    /* the equality constraints come first: see equality_count */
    if (!gradyn_use_constrains(info->use) || (info->use == GRADYN_EQUAL) != equalities)
      continue;
    if (!(info->tolerance > 0) || !isfinite(info->bound) || !isfinite(info->tolerance))
      return gradyn_fail(&program->message, GRADYN_INVALID,
                         "constraint %s has the bound %g and the tolerance %g: the bound must be "
                         "finite, the tolerance positive",
                         info->name, info->bound, info->tolerance);
    program->rows[program->row_count++] = (gradyn_constraint){
        .functional = i,
        .sign = info->use == GRADYN_AT_LEAST ? -1.0 : 1.0, /* psi >= b becomes -(psi - b) <= 0 */
        .bound = info->bound,
        .tolerance = info->tolerance};
    program->equality_count += equalities;
  }
  return GRADYN_OK;
}

/* --- The object ------------------------------------------------------------------------------- */

/* Allocates arrays for the largest possible number of variables and constraints. */
static gradyn_status take_memory(gradyn_program *program)
{
  const size_t p = program->objective->parameter_count, f = program->objective->functional_count;
  gradyn_arena *arena = &program->arena;
  program->start = gradyn_arena_numbers(arena, p);
  program->varied = gradyn_arena_take(arena, p, sizeof *program->varied);
  program->position = gradyn_arena_take(arena, p, sizeof *program->position);
  program->unit = gradyn_arena_numbers(arena, p);
  program->lower = gradyn_arena_numbers(arena, p);
  program->upper = gradyn_arena_numbers(arena, p);
  program->terms = gradyn_arena_take(arena, f, sizeof *program->terms);
  program->pieces = gradyn_arena_take(arena, f, sizeof *program->pieces);
  program->rows = gradyn_arena_take(arena, f, sizeof *program->rows);
  program->chance = gradyn_arena_numbers(arena, f);
  return gradyn_arena_status(arena);
}

/* Counts the entries of a row, and lists their columns unless `column` is NULL. */
static size_t list_row(const gradyn_program *program, size_t functional, size_t *column)
{
  const gradyn_entry_row row = gradyn_objective_row(program->objective, functional);
  size_t count = 0;
  for (size_t k = 0; k < row.count; k++) {
    const size_t j = program->position[gradyn_entries_column(&row, k)];
    if (j >= program->n)
      continue;
    if (column != NULL)
      column[count] = j;
    count++;
  }
  return count;
}

/* Lists the entries of all constraints and pieces. Those of a piece end with its slack variables. */
static gradyn_status list_entries(gradyn_program *program)
{
  const size_t m = program->row_count + program->piece_count;
  gradyn_entries *entries = &program->entries;
  entries->start = gradyn_arena_take(&program->arena, m + 1, sizeof *entries->start);
  for (int pass = 0; pass < 2; pass++) {
    if (gradyn_arena_status(&program->arena) != GRADYN_OK)
      return gradyn_fail(&program->message, GRADYN_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < m; i++) {
      const bool piece = i >= program->row_count;
      const size_t functional = piece ? program->pieces[i - program->row_count].functional
                                      : program->rows[i].functional;
      size_t *column = pass == 1 ? entries->column + entries->start[i] : NULL;
      const size_t count = list_row(program, functional, column);
      const bool shared = piece && program->share > 0;
      if (piece && column != NULL)
        column[count] = program->n;
      if (shared && column != NULL)
        column[count + 1] = program->n + 1 + i - program->row_count;
      entries->start[i + 1] = entries->start[i] + count + piece + shared;
    }
    if (pass == 0)
      entries->column = gradyn_arena_take(&program->arena, entries->start[m],
                                          sizeof *entries->column);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_program_create(const gradyn_objective *objective, const gradyn_search *search,
                                    const double rho0[], gradyn_program **out)
{
  gradyn_program *program = calloc(1, sizeof *program);
  *out = program;
  if (program == NULL)
    return GRADYN_NO_MEMORY;
  program->objective = objective;
  if (take_memory(program) != GRADYN_OK)
    return gradyn_fail(&program->message, GRADYN_NO_MEMORY, "out of memory");
  /* a copy, because the start may be moved */
  memcpy(program->start, rho0, objective->parameter_count * sizeof *rho0);

  GRADYN_TRY(choose_parameters(program, search));
  GRADYN_TRY(choose_objective(program, search));
  GRADYN_TRY(choose_rows(program, true));
  GRADYN_TRY(choose_rows(program, false));
  return list_entries(program);
}

void gradyn_program_free(gradyn_program *program)
{
  if (program != NULL)
    gradyn_arena_clear(&program->arena);
  free(program);
}

/* --- Values ----------------------------------------------------------------------------------- */

static double piece_value(const gradyn_program *program, size_t k, const double psi[])
{
  return program->pieces[k].weight * psi[program->pieces[k].functional];
}

/* s + sum of chance_k max(piece_k - s, 0) / share; s alone if there is no share. */
static double tail_at(const gradyn_program *program, double s, const double psi[])
{
  double sum = 0;
  for (size_t k = 0; k < program->piece_count && program->share > 0; k++)
    sum += program->chance[k] * fmax(piece_value(program, k, psi) - s, 0);
  return program->share > 0 ? s + sum / program->share : s;
}

/* The function tail_at() is convex and piecewise linear in s, so that its minimum is at the value of a
 * piece. */
double gradyn_program_level(const gradyn_program *program, const double psi[])
{
  double level = -HUGE_VAL, least = HUGE_VAL;
  for (size_t k = 0; k < program->piece_count && program->share == 0; k++)
    level = fmax(level, piece_value(program, k, psi));
  for (size_t k = 0; k < program->piece_count && program->share > 0; k++) {
    const double s = piece_value(program, k, psi), tail = tail_at(program, s, psi);
    if (tail < least || (tail == least && s > level)) {
      least = tail;
      level = s;
    }
  }
  return level;
}

void gradyn_program_slack_values(const gradyn_program *program, double factor, const double psi[],
                                 double out[])
{
  const double level = gradyn_program_level(program, psi);
  out[0] = factor * level;
  for (size_t k = 0; k < program->piece_count && program->share > 0; k++)
    out[1 + k] = factor * fmax(piece_value(program, k, psi) - level, 0);
}

double gradyn_program_value(const gradyn_program *program, const double psi[])
{
  double value = 0.0;
  for (size_t i = 0; i < program->term_count; i++)
    value += program->terms[i].weight * psi[program->terms[i].functional];
  if (program->piece_count > 0)
    value += tail_at(program, gradyn_program_level(program, psi), psi);
  return value;
}

double gradyn_program_row(const gradyn_program *program, size_t row, const double psi[])
{
  const gradyn_constraint *r = &program->rows[row];
  return r->sign *
         (psi[r->functional] - r->bound); /* satisfied if <= 0; an equality constraint if = 0 */
}

double gradyn_program_violation(const gradyn_program *program, const double psi[], size_t *worst)
{
  double violation = 0.0;
  for (size_t i = 0; i < program->row_count; i++) {
    /* in tolerances; above 1 the constraint is violated */
    double c = gradyn_program_row(program, i, psi) / program->rows[i].tolerance;
    if (i < program->equality_count)
      c = fabs(c);
    if (c > violation) {
      violation = c;
      if (worst != NULL)
        *worst = i;
    }
  }
  return violation;
}

void gradyn_program_add_gradient(const gradyn_program *program, size_t functional, double weight,
                                 const double gradient[], double g[])
{
  const gradyn_entry_row row = gradyn_objective_row(program->objective, functional);
  for (size_t k = 0; k < row.count; k++) {
    const size_t j = program->position[gradyn_entries_column(&row, k)];
    if (j < program->n)
      g[j] += weight * program->unit[j] * gradient[row.first + k]; /* d/dx_j = unit_j d/drho_j */
  }
}

size_t gradyn_program_fill_gradient(const gradyn_program *program, size_t functional, double weight,
                                    const double gradient[], double out[])
{
  const gradyn_entry_row row = gradyn_objective_row(program->objective, functional);
  size_t count = 0;
  for (size_t k = 0; k < row.count; k++) {
    const size_t j = program->position[gradyn_entries_column(&row, k)];
    if (j < program->n)
      out[count++] = weight * program->unit[j] * gradient[row.first + k];
  }
  return count;
}

void gradyn_program_parameters(const gradyn_program *program, const double x[], double rho[])
{
  const gradyn_objective *objective = program->objective;
  memcpy(rho, program->start, objective->parameter_count * sizeof *rho);
  for (size_t j = 0; j < program->n; j++) {
    const gradyn_parameter_info *info = &objective->parameters[program->varied[j]];
    /* round-off of x times unit must not violate the bounds */
    const double value = x[j] * program->unit[j];
    rho[program->varied[j]] = fmin(fmax(info->logarithmic ? exp(value) : value, info->lower),
                                   info->upper);
  }
}
