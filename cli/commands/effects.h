/* Which numbers of a model matter to a functional. */
#ifndef GRADYN_CLI_EFFECTS_H
#define GRADYN_CLI_EFFECTS_H

#include "cli/options/session.h"

/* A datum with its sensitivity. */
typedef struct cli_effect {
  gradyn_datum_info datum;
  double slope;  /* dpsi/dd */
  double scaled; /* the slope times what the datum is measured by, unit of psi */
} cli_effect;

/* Effects of all data from a row of the gradient [data], largest first; free(). The measure is the datum
 * itself, or, if `typical`, at least the median magnitude of the data of its unit: a coordinate that
 * happens to be zero matters as well. */
cli_effect *cli_effects_sort(const gradyn_evaluator *evaluator, const double *row, bool typical);

#endif
