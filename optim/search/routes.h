/* Check of the final gradient of a search by another route. */
#ifndef GRADYN_OPTIM_ROUTES_H
#define GRADYN_OPTIM_ROUTES_H

#include "optim/search/search.h"

/* Compares result->gradient with one direct sweep along a random direction of the free parameters, if it is
 * from an adjoint sweep. A difference that tolerances do not explain becomes a warning of the result. Error:
 * GRADYN_NO_MEMORY. If the sweep fails otherwise, nothing is reported. */
gradyn_status gradyn_routes_compare(gradyn_evaluator *evaluator, const gradyn_objective *objective,
                                    gradyn_search_result *result);

#endif
