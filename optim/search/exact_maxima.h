/* What a search's best point is in truth where its functionals only stand for it: smooth maxima,
 * and signals whose knots have bounds. */
#ifndef GRADYN_OPTIM_EXACT_MAXIMA_H
#define GRADYN_OPTIM_EXACT_MAXIMA_H

#include "optim/search/search.h"

/* Fills result->extreme at result->rho; a limit that a true maximum exceeds makes the verdict
 * GRADYN_INFEASIBLE, a signal beyond its knots' bounds is a remark. Returns the status of the
 * search, GRADYN_NO_MEMORY if there is none. */
gradyn_status gradyn_exact_maxima_report(gradyn_evaluator *evaluator,
                                         const gradyn_objective *objective, gradyn_status status,
                                         gradyn_search_result *result);

#endif
