/* Which numbers of a model matter to a functional.
 *
 * Derivatives compare in units of the functional: slope times value, and for data that are small or
 * zero slope times the median magnitude of their unit, which is what such a number may well be. Sorted
 * by that, the numbers that matter come first. */
#include "optim/study/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest effect first; among data that are zero the largest slope. */
static int compare(const void *left, const void *right)
{
  const gradyn_effect *a = left, *b = right;
  /* signs say nothing of importance */
  double by_scaled = fabs(b->scaled) - fabs(a->scaled), by_slope = fabs(b->slope) - fabs(a->slope);
  if (by_scaled != 0)
    return by_scaled > 0 ? 1 : -1;
  if (by_slope != 0)
    return by_slope > 0 ? 1 : -1;
  return strcmp(a->datum.name, b->datum.name); /* a fixed order, whatever qsort() does */
}

/* For qsort: units together, small values first. */
static int by_unit(const void *left, const void *right)
{
  const gradyn_effect *a = left, *b = right;
  int units = strcmp(a->datum.unit, b->datum.unit);
  double less = fabs(a->datum.value) - fabs(b->datum.value);
  return units ? units : less < 0 ? -1 : less > 0;
}

/* Scales each datum by no less than the median magnitude of those of its unit that are not zero. */
static void scale_typically(gradyn_effect *effects, size_t count)
{
  /* data of one unit are neighbours, ascending by magnitude */
  qsort(effects, count, sizeof *effects, by_unit);
  for (size_t first = 0, end; first < count; first = end) {
    size_t zeros = 0;
    for (end = first;
         end < count && strcmp(effects[end].datum.unit, effects[first].datum.unit) == 0; end++)
      zeros += effects[end].datum.value == 0;
    /* the middle one of those that are not zero */
    size_t middle = first + zeros + (end - first - zeros) / 2;
    double typical = middle < end ? fabs(effects[middle].datum.value) : 1; /* 1: all are zero */
    for (size_t i = first; i < end; i++)
      effects[i].scaled = effects[i].slope * fmax(fabs(effects[i].datum.value), typical);
  }
}

/* All data with their derivatives, those of most effect first: d psi/d x times x, or times a
 * typical size where x is zero. */
gradyn_effect *gradyn_effects_sort(const gradyn_evaluator *evaluator, const double *row,
                                   bool typical)
{
  size_t count = gradyn_data_count(evaluator);
  gradyn_effect *effects = calloc(count + 1, sizeof *effects);
  /* slope as it is, and slope times value: what a change by its own size does */
  for (size_t i = 0; i < count && effects != NULL; i++) {
    effects[i].datum = gradyn_datum_at(evaluator, i);
    effects[i].slope = row[i];
    effects[i].scaled = effects[i].datum.value * row[i];
  }
  /* zero says nothing of how much a datum may change: by its unit's size */
  if (effects == NULL)
    return NULL;
  if (typical)
    scale_typically(effects, count);
  qsort(effects, count, sizeof *effects, compare);
  return effects;
}
