/* Exact values at the best point of a search for functionals that only approximate them: smooth maxima,
 * and signals with bounds of knots. */
#ifndef GRADYN_OPTIM_EXACT_MAXIMA_H
#define GRADYN_OPTIM_EXACT_MAXIMA_H

#include "optim/search/search.h"

/* Fills result->extreme at result->rho.
 *
 * If an exact maximum exceeds a bound, the search ends with GRADYN_INFEASIBLE. If a signal exceeds the
 * bounds of its knots, a remark is added. Returns the status of the search, or GRADYN_NO_MEMORY. */
gradyn_status gradyn_exact_maxima_report(gradyn_evaluator *evaluator,
                                         const gradyn_objective *objective, gradyn_status status,
                                         gradyn_search_result *result);

#endif
