/* Check of the final gradient of a search by another route. */
#ifndef GRADYN_OPTIM_ROUTES_H
#define GRADYN_OPTIM_ROUTES_H

#include "optim/search/search.h"

/* Compares result->gradient, at result->rho, with a direct sweep along one random direction of the free
 * parameters, the same in every search. Runs clones of the evaluator. Does nothing if the gradient is not
 * from an adjoint sweep. If tolerances do not explain a difference, the result gets a warning. Error:
 * GRADYN_NO_MEMORY; other failures of the sweep are ignored. */
gradyn_status gradyn_routes_compare(gradyn_evaluator *evaluator, const gradyn_objective *objective,
                                    gradyn_search_result *result);

#endif
