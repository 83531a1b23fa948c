/* Exact values at the best point of a search for functionals that only approximate them: smooth maxima, and
 * signals with bounds of knots. */
#ifndef GRADYN_OPTIM_EXACT_MAXIMA_H
#define GRADYN_OPTIM_EXACT_MAXIMA_H

#include "optim/search/search.h"

/* Fills result->extreme [functionals] with the maxima over time of the run at result->rho; leaves it NULL
 * if no functional is a maximum, or if the run fails. status: that of the search.
 *
 * If an exact maximum violates an upper bound that the search satisfies, the result gets a warning, and
 * GRADYN_OK and GRADYN_STALLED become GRADYN_INFEASIBLE. If a signal violates the bounds of its knots, the
 * result gets a warning. Returns the status of the search, or GRADYN_NO_MEMORY. */
gradyn_status gradyn_exact_maxima_report(gradyn_evaluator *evaluator,
                                         const gradyn_objective *objective, gradyn_status status,
                                         gradyn_search_result *result);

#endif
