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

/* Returns the effects of all data from a row of the gradient [data], largest first; free(). NULL: out of
 * memory.
 *
 * The size is the value of the datum. If `typical`, it is at least the median magnitude of the data of
 * its unit. A coordinate that happens to be zero then also counts. */
gradyn_effect *gradyn_effects_sort(const gradyn_evaluator *evaluator, const double *row,
                                   bool typical);

#endif
