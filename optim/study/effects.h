/* Sensitivity of a functional to the data of a model. */
#ifndef GRADYN_OPTIM_EFFECTS_H
#define GRADYN_OPTIM_EFFECTS_H

#include <stdbool.h>

#include <gradyn/inspect.h>
#include <gradyn/evaluate.h>

/* A datum with its sensitivity. */
typedef struct gradyn_effect {
  gradyn_datum_info datum;
  double slope;  /* dpsi/dd */
  double scaled; /* slope times the size of the datum, in the unit of psi */
} gradyn_effect;

/* Returns the effects of all data [gradyn_data_count()], largest first, from row [data] of a gradient; to
 * be released by free(). NULL: out of memory. The size of a datum is its magnitude; with `typical`, at
 * least the median magnitude of the data of its unit, so that a coordinate that happens to be zero
 * counts. */
gradyn_effect *gradyn_effects_sort(const gradyn_evaluator *evaluator, const double *row,
                                   bool typical);

#endif
