/* More accurate simulation of the best point of a search. */
#ifndef GRADYN_OPTIM_RECHECK_H
#define GRADYN_OPTIM_RECHECK_H

#include "optim/search/search.h"

/* Simulates result->rho [parameters] again, with a tenth of rtol or, if the method has none, with half the
 * step. result->psi must have the functionals there; `objective` and `search` define the constraints.
 *
 * Fills result->discretisation. Adds a warning if the objective or a constraint changes by more than its
 * tolerance, or if this simulation fails. If the simulation is interrupted, discretisation.done is false.
 * Error: GRADYN_NO_MEMORY; other failures are part of the result. */
gradyn_status gradyn_recheck_run(gradyn_evaluator *evaluator, const gradyn_objective *objective,
                                 const gradyn_search *search, gradyn_search_result *result);

/* Divides o->rtol, which must be > 0, by `times` > 0, but not below 1e-13. atol is multiplied by the same
 * factor. */
void gradyn_recheck_tighten(gradyn_options *o, double times);

#endif
