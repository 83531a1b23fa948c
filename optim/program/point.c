/* Quality of a point: objective, violation, and residual of the first-order conditions.
 *
 * The maximum of several pieces is expressed by a slack variable s: minimise s subject to piece_k - s <= 0.
 * Here s always equals the maximum. With a share, the slack variables have the values that minimise the
 * objective. The quality of a point therefore depends on its parameters only. */
#include "optim/program/point.h"

#include <math.h>
#include <string.h>

/* With more constraints than this, the residual is not computed at points that violate constraints. With 84
 * constraints it took 3 % of all instructions of a search in 20 segments. */
enum { MANY_ROWS = 20 };

/* Objectives whose relative difference is below this are compared by their slopes. Next to an optimum,
 * values of runs with 5000 steps have relative errors of 8e-15. A comparison by values would then select
 * the point with the lowest error. */
static const double digits = 1e-12;

bool gradyn_trial_allocate(gradyn_trial *point, const gradyn_program *program)
{
  const size_t p = program->objective->parameter_count;
  const size_t f = program->objective->functional_count;
  *point = (gradyn_trial){.filled = false};
  point->rho = gradyn_arena_numbers(&point->arena, p);
  point->psi = gradyn_arena_numbers(&point->arena, f);
  point->gradient = gradyn_arena_numbers(&point->arena,
                                         gradyn_objective_entries(program->objective));
  return gradyn_arena_status(&point->arena) == GRADYN_OK;
}

void gradyn_trial_clear(gradyn_trial *point)
{
  gradyn_arena_clear(&point->arena);
}

void gradyn_trial_swap(gradyn_trial *a, gradyn_trial *b)
{
  const gradyn_trial c = *a;
  *a = *b;
  *b = c;
}

bool gradyn_optimality_allocate(gradyn_optimality *judge, const gradyn_program *program)
{
  /* slack variables are additional variables; s has no bounds */
  const size_t slacks = gradyn_program_slacks(program);
  const size_t n = program->n + slacks, m = program->row_count + program->piece_count;
  /* x = (rho/unit, s); constraints g_i, and c_j - s of the pieces */
  *judge = (gradyn_optimality){.program = program,
                               .factor = 1.0,
                               .work = gradyn_kkt_residual_create(n, m, program->equality_count),
                               .n = n,
                               .m = m};
  gradyn_arena *arena = &judge->arena;
  judge->x = gradyn_arena_numbers(arena, n);
  judge->lower = gradyn_arena_numbers(arena, n);
  judge->upper = gradyn_arena_numbers(arena, n);
  judge->g = gradyn_arena_numbers(arena, n);
  judge->A = gradyn_arena_numbers(arena, gradyn_program_entries(program));
  judge->c = gradyn_arena_numbers(arena, m);
  judge->tolerance = gradyn_arena_numbers(arena, m);
  judge->lam = gradyn_arena_numbers(arena, m);
  judge->row_factor = gradyn_arena_numbers(arena, m);
  if (judge->work == NULL || gradyn_arena_status(arena) != GRADYN_OK)
    return false;
  for (size_t k = 0; k < slacks; k++) {
    judge->lower[program->n + k] = k == 0 ? -HUGE_VAL : 0;
    judge->upper[program->n + k] = HUGE_VAL;
  }
  return true;
}

void gradyn_optimality_clear(gradyn_optimality *judge)
{
  gradyn_kkt_residual_free(judge->work);
  gradyn_arena_clear(&judge->arena);
  *judge = (gradyn_optimality){0};
}

/* Fills row i of the linearised constraints, scaled so that its gradient has length one. */
static void linearise_row(gradyn_optimality *judge, const gradyn_trial *point, size_t i)
{
  const gradyn_program *program = judge->program;
  const gradyn_constraint *row = &program->rows[i];
  double *a = judge->A + program->entries.start[i];
  const size_t count = gradyn_program_fill_gradient(program, row->functional, row->sign,
                                                    point->gradient, a);
  /* divides by the largest entry, so that squares neither overflow nor underflow */
  double largest = 0.0, sum = 0.0;
  for (size_t j = 0; j < count; j++)
    largest = fmax(largest, fabs(a[j]));
  for (size_t j = 0; largest > 0 && j < count; j++)
    sum += (a[j] / largest) * (a[j] / largest);
  /* the tolerance scales a constraint without gradient */
  const double factor = largest > 0 ? 1.0 / (largest * sqrt(sum)) : 1.0 / row->tolerance;
  for (size_t j = 0; j < count; j++)
    a[j] *= factor;
  judge->c[i] = factor * gradyn_program_row(program, i, point->psi);
  judge->tolerance[i] = factor * row->tolerance;
  judge->row_factor[i] = factor;
}

/* Fills the constraint of piece k of a maximum: factor * (weight * psi - level) - excess <= 0. */
static void linearise_piece(gradyn_optimality *judge, const gradyn_trial *point, size_t k,
                            double level)
{
  /* factor * level is the slack variable s; the constraint is active for the largest pieces */
  const gradyn_program *program = judge->program;
  const gradyn_term *piece = &program->pieces[k];
  const size_t i = program->row_count + k;
  double *a = judge->A + program->entries.start[i];
  const size_t count = gradyn_program_fill_gradient(
      program, piece->functional, judge->factor * piece->weight, point->gradient, a);
  (void)gradyn_program_fill_slacks(program, a, count);
  judge->c[i] = judge->factor * (piece->weight * point->psi[piece->functional] - level);
  if (program->share > 0)
    judge->c[i] -= judge->x[program->n + 1 + k];
  /* differences within this tolerance count as equal to the level */
  judge->tolerance[i] = fmax(judge->optimality, 1e-10 * fabs(judge->factor * level));
}

/* Linearises objective, constraints and pieces at a point, in the variables of the search. */
static void linearise(gradyn_optimality *judge, const gradyn_trial *point)
{
  const gradyn_program *program = judge->program;
  /* the gradients are summed below */
  memset(judge->g, 0, judge->n * sizeof *judge->g);
  for (size_t j = 0; j < program->n; j++) {
    judge->x[j] = gradyn_program_variable(program, j, point->rho[program->varied[j]]);
    judge->lower[j] = program->lower[j]; /* copied each time, because the units may have changed */
    judge->upper[j] = program->upper[j];
  }
  for (size_t i = 0; i < program->term_count; i++)
    gradyn_program_add_gradient(program, program->terms[i].functional,
                                judge->factor * program->terms[i].weight, point->gradient,
                                judge->g);
  for (size_t i = 0; i < program->row_count; i++)
    linearise_row(judge, point, i);

  if (program->piece_count == 0)
    return;
  gradyn_program_slack_values(program, judge->factor, point->psi, judge->x + program->n);
  gradyn_program_slack_gradient(program, judge->g + program->n);
  const double level = gradyn_program_level(program, point->psi);
  for (size_t k = 0; k < program->piece_count; k++)
    linearise_piece(judge, point, k, level);
}

/* Returns the residual at a point; its multipliers are in judge->lam. */
static double measure(gradyn_optimality *judge, const gradyn_trial *point)
{
  linearise(judge, point);
  const gradyn_linearised at = {.n = judge->n,
                                .m = judge->m,
                                .equalities = judge->program->equality_count,
                                .x = judge->x,
                                .lower = judge->lower,
                                .upper = judge->upper,
                                .g = judge->g,
                                .entries = &judge->program->entries,
                                .A = judge->A,
                                .c = judge->c,
                                .tolerance = judge->tolerance,
                                /* a bound within this distance may be active */
                                .window = fmax(10 * judge->optimality, 1e-8)};
  return gradyn_kkt_residual_measure(judge->work, &at, judge->lam);
}

void gradyn_optimality_evaluate(gradyn_optimality *judge, gradyn_trial *point)
{
  const gradyn_program *program = judge->program;
  point->objective = gradyn_program_value(program, point->psi);
  point->violation = gradyn_program_violation(program, point->psi, NULL);
  /* the residual is not computed if constraints are violated and there are many */
  memset(judge->lam, 0, judge->m * sizeof *judge->lam);
  const bool idle = point->violation > 1 && judge->m > MANY_ROWS;
  point->residual = idle ? NAN : measure(judge, point);
  point->gap = idle ? 0 : gradyn_kkt_residual_gap(judge->work);

  /* exact penalty with the multipliers of this point: f + sum of |lam_i| violation_i */
  point->penalty = 0;
  point->leeway = judge->optimality;
  /* equality: |c|; inequality: max(c, 0) */
  for (size_t i = 0; i < program->row_count && !idle; i++) {
    const double c = i < program->equality_count ? fabs(judge->c[i]) : fmax(judge->c[i], 0.0);
    point->penalty += fabs(judge->lam[i]) * c;
    /* sum: the change of f that all tolerances together permit */
    point->leeway += fabs(judge->lam[i]) * judge->tolerance[i];
  }
  point->merit = judge->factor * point->objective + point->penalty;
}

bool gradyn_optimality_reached(const gradyn_optimality *judge, const gradyn_trial *point)
{
  return point->filled && point->violation <= 1 && point->residual <= judge->optimality;
}

/* f_a - f_b, scaled. If two values agree to round-off, gradients are more accurate:
 *     f_a - f_b = (g_a + g_b)/2 (x_a - x_b),
 * to third order in the distance. If this number is much larger than round-off, the points are too far
 * apart for the formula, and the values are used. */
static double fall(const gradyn_optimality *judge, const gradyn_trial *a, const gradyn_trial *b)
{
  const gradyn_program *program = judge->program;
  const double by_value = a->objective - b->objective, noise = digits * fabs(b->objective);
  double by_slope = 0;
  if (fabs(by_value) > noise || program->piece_count > 0)
    return judge->factor * by_value;
  for (size_t i = 0; i < program->term_count; i++) {
    const gradyn_entry_row row = gradyn_objective_row(program->objective,
                                                      program->terms[i].functional);
    for (size_t e = 0; e < row.count; e++) {
      const size_t k = gradyn_entries_column(&row, e), at = row.first + e;
      if (program->position[k] < program->n)
        by_slope += program->terms[i].weight * 0.5 * (a->gradient[at] + b->gradient[at]) *
                    (a->rho[k] - b->rho[k]);
    }
  }
  return judge->factor * (fabs(by_slope) <= noise ? by_slope : by_value);
}

bool gradyn_optimality_better(const gradyn_optimality *judge, const gradyn_trial *a,
                              const gradyn_trial *b)
{
  if (!b->filled)
    return true;
  if ((a->violation <= 1) != (b->violation <= 1))
    return a->violation <= 1;
  /* infeasible points are compared by violation only */
  if (a->violation > 1)
    return a->violation < b->violation;
  const double lower = fall(judge, b, a) + b->penalty - a->penalty; /* merit_b - merit_a */
  const bool a_optimal = gradyn_optimality_reached(judge, a),
             b_optimal = gradyn_optimality_reached(judge, b);
  /* an optimum is replaced only if the objective falls by more than the tolerances permit */
  if (a_optimal && !b_optimal)
    return lower >= -a->leeway;
  if (b_optimal && !a_optimal)
    return lower > b->leeway;
  return lower > 0;
}
