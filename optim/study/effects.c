/* Sensitivity of a functional to the data of a model.
 *
 * The product of slope and value has the unit of the functional, so that the effects of data can be
 * compared. For data that are small or zero, a likely size replaces the value: the median magnitude of the
 * data with the same unit. The data are sorted by this product. */
#include "optim/study/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Order for qsort(): largest effect first; among zero data, largest slope first. */
static int compare(const void *left, const void *right)
{
  const gradyn_effect *a = left, *b = right;
  /* sizes are compared, without signs */
  double by_scaled = fabs(b->scaled) - fabs(a->scaled), by_slope = fabs(b->slope) - fabs(a->slope);
  if (by_scaled != 0)
    return by_scaled > 0 ? 1 : -1;
  if (by_slope != 0)
    return by_slope > 0 ? 1 : -1;
  return strcmp(a->datum.name, b->datum.name); /* names make the order unique */
}

/* Order for qsort(): by unit, then by magnitude. */
static int by_unit(const void *left, const void *right)
{
  const gradyn_effect *a = left, *b = right;
  int units = strcmp(a->datum.unit, b->datum.unit);
  double less = fabs(a->datum.value) - fabs(b->datum.value);
  return units ? units : less < 0 ? -1 : less > 0;
}

/* Scales the slope of each datum by its size, which is at least the median magnitude of the nonzero data
 * with the same unit. */
static void scale_typically(gradyn_effect *effects, size_t count)
{
  /* data of one unit are neighbours, with ascending magnitude */
  qsort(effects, count, sizeof *effects, by_unit);
  for (size_t first = 0, end; first < count; first = end) {
    size_t zeros = 0;
    for (end = first;
         end < count && strcmp(effects[end].datum.unit, effects[first].datum.unit) == 0; end++)
      zeros += effects[end].datum.value == 0;
    /* median of the nonzero data */
    size_t middle = first + zeros + (end - first - zeros) / 2;
    double typical = middle < end ? fabs(effects[middle].datum.value) : 1; /* 1 if all are zero */
    for (size_t i = first; i < end; i++)
      effects[i].scaled = effects[i].slope * fmax(fabs(effects[i].datum.value), typical);
  }
}

gradyn_effect *gradyn_effects_sort(const gradyn_evaluator *evaluator, const double *row,
                                   bool typical)
{
  size_t count = gradyn_evaluator_model_info(evaluator).data;
  gradyn_effect *effects = calloc(count + 1, sizeof *effects);
  /* scaled: the effect of a change by the size of the datum */
  for (size_t i = 0; i < count && effects != NULL; i++) {
    effects[i].datum = gradyn_datum_at(evaluator, i);
    effects[i].slope = row[i];
    effects[i].scaled = effects[i].datum.value * row[i];
  }
  if (effects == NULL)
    return NULL;
  if (typical)
    scale_typically(effects, count);
  qsort(effects, count, sizeof *effects, compare);
  return effects;
}
