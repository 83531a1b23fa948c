/* Scaling of objective and constraints.
 *
 * L-BFGS of NLopt stops at an absolute gradient of 1e-8, and fails above about 1e5. SLSQP and the
 * augmented Lagrangian require constraints of comparable size. Therefore each function is divided by the
 * length of its gradient, rounded to a power of two. */
#include "optim/program/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optim/program/span.h"

/* An equality constraint is independent if its normalised gradient, projected on the complement of the
 * others, keeps at least this length. */
static const double independent = GRADYN_SPAN_LEAST;
/* Slopes below this part of the value of the objective cannot be distinguished from round-off. */
static const double least_slope = 1e-4;

gradyn_scaling *gradyn_scaling_create(const gradyn_program *program)
{
  gradyn_scaling *scaling = calloc(1, sizeof *scaling);
  if (scaling == NULL)
    return NULL;
  scaling->objective = 1.0;
  gradyn_arena *arena = &scaling->arena;
  scaling->row = gradyn_arena_numbers(arena, program->row_count);
  scaling->dropped = gradyn_arena_take(arena, program->row_count, sizeof *scaling->dropped);
  scaling->g = gradyn_arena_numbers(arena, program->n);
  scaling->equality = gradyn_arena_numbers(arena, program->entries.start[program->equality_count]);
  scaling->number = gradyn_arena_take(arena, program->equality_count, sizeof *scaling->number);
  if (gradyn_arena_status(arena) != GRADYN_OK) {
    gradyn_scaling_free(scaling);
    return NULL;
  }
  for (size_t i = 0; i < program->row_count; i++) /* 1: no scaling until a point is known */
    scaling->row[i] = 1.0;
  return scaling;
}

void gradyn_scaling_free(gradyn_scaling *scaling)
{
  if (scaling != NULL)
    gradyn_arena_clear(&scaling->arena);
  free(scaling);
}

/* Euclidean length, without overflow or underflow. */
static double length(const double v[], size_t n)
{
  double largest = 0.0, sum = 0.0;
  for (size_t j = 0; j < n; j++)
    largest = fmax(largest, fabs(v[j]));
  if (!(largest > 0) || !isfinite(largest)) /* zero, infinite or NAN: no scale */
    return largest;
  for (size_t j = 0; j < n; j++)
    sum += (v[j] / largest) * (v[j] / largest);
  return largest * sqrt(sum);
}

double gradyn_scaling_slope(gradyn_scaling *scaling, const gradyn_program *program,
                            const double gradient[])
{
  const size_t n = program->n;
  double slope = 0.0;
  /* without pieces, the loop runs once, with the sum of terms */
  /* if the objective has a maximum, the steepest piece determines the slope */
  for (size_t k = 0; k < program->piece_count || k == 0; k++) {
    memset(scaling->g, 0, n * sizeof *scaling->g);
    for (size_t i = 0; i < program->term_count; i++)
      gradyn_program_add_gradient(program, program->terms[i].functional, program->terms[i].weight,
                                  gradient, scaling->g);
    if (program->piece_count > 0)
      gradyn_program_add_gradient(program, program->pieces[k].functional, program->pieces[k].weight,
                                  gradient, scaling->g);
    slope = fmax(slope, length(scaling->g, n));
  }
  return slope;
}

double gradyn_scaling_floor(const gradyn_program *program, const double psi[])
{
  return least_slope * fabs(gradyn_program_value(program, psi));
}

double gradyn_scaling_row_slope(gradyn_scaling *scaling, const gradyn_program *program, size_t i,
                                const double gradient[])
{
  const gradyn_constraint *row = &program->rows[i];
  memset(scaling->g, 0, program->n * sizeof *scaling->g);
  gradyn_program_add_gradient(program, row->functional, row->sign, gradient, scaling->g);
  return length(scaling->g, program->n);
}

/* Returns 1 over the length of the gradient of constraint i. */
static double row_factor(gradyn_scaling *scaling, const gradyn_program *program, size_t i,
                         const double psi[], const double gradient[])
{
  const double slope = gradyn_scaling_row_slope(scaling, program, i, gradient);
  const double value = fmax(fabs(gradyn_program_row(program, i, psi)), program->rows[i].tolerance);
  /* a slope that is too small to change the value counts as zero */
  /* a power of two adds no round-off */
  return 1.0 / gradyn_power_of_two(slope > 1e-10 * value ? slope : value);
}

/* Marks equality constraints whose gradients depend linearly on those of earlier ones. */
static gradyn_status find_dependent(gradyn_scaling *scaling, const gradyn_program *program,
                                    const double gradient[])
{
  const size_t count = program->equality_count;
  for (size_t i = 0; i < count; i++) {
    (void)gradyn_program_fill_gradient(program, program->rows[i].functional, 1.0, gradient,
                                       scaling->equality + program->entries.start[i]);
    scaling->number[i] = i;
  }
  gradyn_span *span = gradyn_span_create(&(gradyn_span_rows){.entries = &program->entries,
                                                             .A = scaling->equality,
                                                             .n = program->n,
                                                             .row = scaling->number,
                                                             .count = count,
                                                             .least = independent,
                                                             .counted = true});
  if (span == NULL)
    return GRADYN_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    scaling->dropped[i] = gradyn_span_depends(span, i);
  gradyn_span_free(span);
  return GRADYN_OK;
}

gradyn_status gradyn_scaling_choose(gradyn_scaling *scaling, const gradyn_program *program,
                                    const double psi[], const double gradient[], bool plain)
{
  GRADYN_TRY(find_dependent(scaling, program, gradient));
  if (plain)
    return GRADYN_OK;
  const double slope = gradyn_scaling_slope(scaling, program, gradient);
  /* a start without slope does not determine a scale: a floor is used until a larger slope is found */
  const double floor = scaling->seen ? 0 : gradyn_scaling_floor(program, psi);
  scaling->provisional = slope <= floor;
  scaling->objective = 1.0 / gradyn_power_of_two(fmax(slope, floor));
  for (size_t i = 0; i < program->row_count; i++)
    scaling->row[i] = row_factor(scaling, program, i, psi, gradient);
  return GRADYN_OK;
}
