/* Exact values at the best point of a search for functionals that only approximate them: smooth maxima, and
 * signals with bounds of knots. */
#ifndef GRADYN_OPTIM_EXACT_MAXIMA_H
#define GRADYN_OPTIM_EXACT_MAXIMA_H

#include "optim/search/search.h"

/* Fills result->extreme [functionals] at result->rho, or leaves it NULL: no functional is a maximum, or the
 * run fails. status: of the search.
 *
 * If an exact maximum exceeds an upper bound that the search satisfies, the result gets a warning, and
 * GRADYN_OK and GRADYN_STALLED become GRADYN_INFEASIBLE. If a signal exceeds the bounds of its knots, the
 * result gets a warning. Returns the status of the search, or GRADYN_NO_MEMORY. */
gradyn_status gradyn_exact_maxima_report(gradyn_evaluator *evaluator,
                                         const gradyn_objective *objective, gradyn_status status,
                                         gradyn_search_result *result);

#endif
