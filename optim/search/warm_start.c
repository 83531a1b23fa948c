/* Multipliers for a later search, without the scaling and the units of the program. */
#include "optim/search/warm_start.h"

#include <stdlib.h>
#include <string.h>

/* Extends an array from `old` to `count` numbers; the new numbers are 0. */
static bool extend(double **array, size_t old, size_t count)
{
  double *grown = realloc(*array, (count + 1) * sizeof *grown);
  if (grown == NULL)
    return false;
  *array = grown;
  for (size_t i = old; i < count; i++)
    grown[i] = 0;
  return true;
}

bool gradyn_warm_start_resize(gradyn_warm_start *warm, size_t functionals, size_t parameters)
{
  if (!extend(&warm->functional, warm->functionals, functionals) ||
      !extend(&warm->lower, warm->parameters, parameters) ||
      !extend(&warm->upper, warm->parameters, parameters))
    return false;
  warm->functionals = functionals;
  warm->parameters = parameters;
  return true;
}

void gradyn_warm_start_remove(gradyn_warm_start *warm, size_t functional)
{
  if (functional >= warm->functionals)
    return;
  memmove(warm->functional + functional, warm->functional + functional + 1,
          (--warm->functionals - functional) * sizeof *warm->functional);
}

void gradyn_warm_start_clear(gradyn_warm_start *warm)
{
  free(warm->functional);
  free(warm->lower);
  free(warm->upper);
  *warm = (gradyn_warm_start){0};
}

/* Ratio of the multiplier of constraint i in the scaled program to its multiplier without scaling. */
static double row_factor(const gradyn_scaling *scaling, size_t i)
{
  return scaling->objective / scaling->row[i];
}

void gradyn_warm_start_scale(const gradyn_warm_start *warm, const gradyn_program *program,
                             const gradyn_scaling *scaling, const size_t row[], size_t m,
                             gradyn_multipliers *out)
{
  for (size_t k = 0; k < m; k++)
    out->row[k] = row_factor(scaling, row[k]) * warm->functional[program->rows[row[k]].functional];
  for (size_t j = 0; j < program->n; j++) {
    const double factor = scaling->objective * program->unit[j];
    out->lower[j] = factor * warm->lower[program->varied[j]];
    out->upper[j] = factor * warm->upper[program->varied[j]];
  }
  out->barrier = scaling->objective * warm->barrier;
}

void gradyn_warm_start_take(gradyn_warm_start *warm, const gradyn_program *program,
                            const gradyn_scaling *scaling, const size_t row[], size_t m,
                            const gradyn_multipliers *from)
{
  memset(warm->functional, 0, warm->functionals * sizeof *warm->functional);
  for (size_t k = 0; k < m; k++)
    warm->functional[program->rows[row[k]].functional] = from->row[k] / row_factor(scaling, row[k]);
  for (size_t j = 0; j < program->n; j++) {
    const double factor = scaling->objective * program->unit[j];
    warm->lower[program->varied[j]] = from->lower[j] / factor;
    warm->upper[program->varied[j]] = from->upper[j] / factor;
  }
  warm->barrier = from->barrier / scaling->objective;
}
