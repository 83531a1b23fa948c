/* The best point of a search simulated again, more exactly than in the search. */
#ifndef GRADYN_OPTIM_RECHECK_H
#define GRADYN_OPTIM_RECHECK_H

#include "optim/search/search.h"

/* Simulates result->rho again with half the step of the evaluator, or with a tenth of its tolerance,
 * fills result->recheck, and adds to the reason what moved by more than its tolerance. GRADYN_NO_MEMORY
 * if there is none; whatever else fails is part of the result. */
gradyn_status gradyn_recheck_run(gradyn_evaluator *evaluator, const gradyn_objective *objective,
                                 const gradyn_search *search, gradyn_search_result *result);

/* Makes o->rtol > 0 tighter by `times`, as far as methods are asked for digits; atol keeps its ratio. */
void gradyn_recheck_tighten(gradyn_options *o, double times);

#endif
