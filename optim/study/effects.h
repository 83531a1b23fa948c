/* Which numbers of a model matter to a functional. */
#ifndef GRADYN_OPTIM_EFFECTS_H
#define GRADYN_OPTIM_EFFECTS_H

#include <stdbool.h>

#include <gradyn/evaluate.h>

/* A datum with its sensitivity. */
typedef struct gradyn_effect {
  gradyn_datum_info datum;
  double slope;  /* dpsi/dd */
  double scaled; /* the slope times what the datum is measured by, unit of psi */
} gradyn_effect;

/* Effects of all data from a row of the gradient [data], largest first; free(). NULL: no memory. The
 * measure is the datum itself, or, if `typical`, at least the median magnitude of the data of its unit: a
 * coordinate that happens to be zero matters as well. */
gradyn_effect *gradyn_effects_sort(const gradyn_evaluator *evaluator, const double *row,
                                   bool typical);

#endif
