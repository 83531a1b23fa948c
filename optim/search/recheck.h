/* More accurate simulation of the best point of a search. */
#ifndef GRADYN_OPTIM_RECHECK_H
#define GRADYN_OPTIM_RECHECK_H

#include "optim/search/search.h"

/* Simulates result->rho again, with half the step of the evaluator or with a tenth of its tolerance.
 *
 * Fills result->recheck, and appends to the reason the quantity that changes most, if it changes by more
 * than its tolerance. Returns GRADYN_NO_MEMORY if memory is out. Other failures are part of the
 * result. */
gradyn_status gradyn_recheck_run(gradyn_evaluator *evaluator, const gradyn_objective *objective,
                                 const gradyn_search *search, gradyn_search_result *result);

/* Divides o->rtol, which must be > 0, by `times`, down to a smallest tolerance. The ratio of atol to rtol
 * remains. */
void gradyn_recheck_tighten(gradyn_options *o, double times);

#endif
