/* Refinement of control grids in rounds of searches. */
#ifndef GRADYN_OPTIM_REFINE_H
#define GRADYN_OPTIM_REFINE_H

#include "optim/rounds/resume.h"

/* Runs one search with an evaluator, without the recheck of its best point. Arguments and errors as for
 * gradyn_evaluated_search(). */
typedef gradyn_status (*gradyn_refine_search)(gradyn_evaluator *evaluator,
                                              const gradyn_search *search, const double rho0[],
                                              gradyn_recollection how,
                                              gradyn_search_result *result);

/* Refines the control grids after a search that has ended with `status` and *result, in at most
 * search->refine_controls rounds. Each round adds knots with sufficient gain to the signals that the search
 * has designed, and runs another search by once() from the last best point. *result is replaced by that of
 * the last successful search, with its evaluator in result->refined. Returns the status of this search.
 * how: use of the journal; each round has its own. */
gradyn_status gradyn_refine_run(gradyn_evaluator *evaluator, const gradyn_search *search,
                                gradyn_recollection how, gradyn_refine_search once,
                                gradyn_status status, gradyn_search_result *result);

#endif
