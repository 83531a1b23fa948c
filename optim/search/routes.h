/* The gradient that a search has ended with, looked at by another route. */
#ifndef GRADYN_OPTIM_ROUTES_H
#define GRADYN_OPTIM_ROUTES_H

#include "optim/search/search.h"

/* Compares result->gradient, if it is that of an adjoint, with one direct sweep along a random direction of
 * the parameters that are varied; what tolerances do not explain is added to the reason. GRADYN_NO_MEMORY if
 * there is none; a sweep that fails tells nothing. */
gradyn_status gradyn_routes_compare(gradyn_evaluator *evaluator, const gradyn_objective *objective,
                                    gradyn_search_result *result);

#endif
