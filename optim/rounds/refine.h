/* Refinement of control grids in rounds of searches. */
#ifndef GRADYN_OPTIM_REFINE_H
#define GRADYN_OPTIM_REFINE_H

#include "optim/rounds/resume.h"

/* One search with an evaluator, without the recheck of its end. */
typedef gradyn_status (*gradyn_refine_search)(gradyn_evaluator *evaluator,
                                              const gradyn_search *search, const double rho0[],
                                              gradyn_recollection how,
                                              gradyn_search_result *result);

/* Continues from the result of a search, at most search->refine_controls times.
 *
 * Each round adds knots with sufficient gain to the signals that the search has designed. Another search
 * follows from the end of the last one. The result is replaced by the one of the last successful search,
 * with its evaluator (result->refined). Returns its status. */
gradyn_status gradyn_refine_run(gradyn_evaluator *evaluator, const gradyn_search *search,
                                gradyn_recollection how, gradyn_refine_search once,
                                gradyn_status status, gradyn_search_result *result);

#endif
