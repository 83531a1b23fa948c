/* Whether the data of fits determine the free parameters. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/owned.h"
#include "optim/search/search.h"

/* Whether functional i is a part of the objective. */
static bool is_minimised(const gradyn_program *program, size_t i)
{
  for (size_t k = 0; k < program->term_count; k++)
    if (program->terms[k].functional == i)
      return true;
  for (size_t k = 0; k < program->piece_count; k++)
    if (program->pieces[k].functional == i)
      return true;
  return false;
}

/* Whether functional i has this use, for example as a residual, in a fit that is minimised. */
static bool is_part(const gradyn_program *program, size_t i, gradyn_functional_use use)
{
  const gradyn_functional_info *info = &program->objective->functionals[i];
  return info->use == use && is_minimised(program, info->fit);
}

static size_t count_data(const gradyn_program *program)
{
  size_t count = 0;
  for (size_t i = 0; i < program->objective->functional_count; i++)
    count += is_part(program, i, GRADYN_RESIDUAL);
  return count;
}

static bool is_fit(const gradyn_program *program, size_t f)
{
  for (size_t i = f; i < program->objective->functional_count; i++)
    if (program->objective->functionals[i].fit == f && is_part(program, i, GRADYN_RESIDUAL))
      return true;
  return false;
}

/* Whether the objective has a term that is not a fit. */
static bool has_other_terms(const gradyn_program *program)
{
  for (size_t i = 0; i < program->objective->functional_count; i++)
    if (is_minimised(program, i) && !is_fit(program, i))
      return true;
  return false;
}

/* Warns if there are fewer data than free parameters, unless other terms of the objective or equality
 * constraints replace data. */
static void warn_of_few(const gradyn_program *program, size_t data, gradyn_search_result *result)
{
  if (data + program->equality_count < program->n && !has_other_terms(program))
    gradyn_result_warn(
        result, GRADYN_WARNING(TOO_FEW_DATA, .value = (double)data, .limit = (double)program->n));
}

/* Raises effect [n] to the largest change of functional i by a step of one unit in each parameter. */
static void raise_effect(const gradyn_program *program, size_t i, const double gradient[],
                         double effect[])
{
  const gradyn_entry_row row = gradyn_objective_row(program->objective, i);
  for (size_t k = 0; k < row.count; k++) {
    const size_t j = program->position[gradyn_entries_column(&row, k)];
    if (j < program->n)
      effect[j] = fmax(effect[j], fabs(program->unit[j] * gradient[row.first + k]));
  }
}

/* Fills effect [n] with the largest change of a residual, another term of the objective, or an equality
 * constraint. */
static void fill_effect(const gradyn_program *program, const double gradient[], double effect[])
{
  for (size_t i = 0; i < program->objective->functional_count; i++)
    if (is_part(program, i, GRADYN_RESIDUAL) || is_part(program, i, GRADYN_LOG_SIGMA) ||
        (is_minimised(program, i) && !is_fit(program, i)))
      raise_effect(program, i, gradient, effect);
  for (size_t k = 0; k < program->equality_count; k++)
    raise_effect(program, program->rows[k].functional, gradient, effect);
}

/* Names the parameters whose effect is no more than round-off of the largest effect. */
static void warn_of_unseen(const gradyn_program *program, const gradyn_trial *best,
                           gradyn_search_result *result)
{
  FREED double *effect = calloc(program->n + 1, sizeof *effect);
  double largest = 0;
  if (!effect) {
    gradyn_termination_add(result, "fits", "out of memory to find parameters that affect no datum");
    return;
  }
  fill_effect(program, best->gradient, effect);
  for (size_t j = 0; j < program->n; j++)
    largest = fmax(largest, effect[j]);
  for (size_t j = 0; j < program->n; j++) {
    const gradyn_parameter_info *info = &program->objective->parameters[program->varied[j]];
    if (effect[j] <= DBL_EPSILON * largest)
      gradyn_result_warn(result,
                         GRADYN_WARNING(PARAMETER_UNSEEN, .subject = info->name, .unit = info->unit,
                                        .value = best->rho[program->varied[j]]));
  }
}

void gradyn_fit_data_check(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trial *best = &run->trials.best;
  const size_t data = count_data(run->program);
  if (data == 0)
    return;
  warn_of_few(run->program, data, result);
  if (best->filled && best->status == GRADYN_OK)
    warn_of_unseen(run->program, best, result);
}
