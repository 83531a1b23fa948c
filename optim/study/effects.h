/* Sensitivity of a functional to the data of a model. */
#ifndef GRADYN_OPTIM_EFFECTS_H
#define GRADYN_OPTIM_EFFECTS_H

#include <stdbool.h>

#include <gradyn/inspect.h>
#include <gradyn/evaluate.h>

/* A datum with its sensitivity. */
typedef struct gradyn_effect {
  gradyn_datum_info datum;
  double slope;  /* dpsi/dd, in the unit of psi per unit of the datum */
  double scaled; /* slope times the size of the datum, with a sign, in the unit of psi */
} gradyn_effect;

/* Returns the effects of all data as a new array [data], from row [data] of a gradient; to be
 * released by free(). The largest |scaled| comes first; texts of data belong to the evaluator. NULL: out of
 * memory. The size of a datum is its value. With `typical`, the size is its magnitude, at least the median
 * magnitude of the nonzero data of its unit. A coordinate that is zero by chance then also has an effect. */
gradyn_effect *gradyn_effects_sort(const gradyn_evaluator *evaluator, const double *row,
                                   bool typical);

#endif
