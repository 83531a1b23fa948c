/* Grids of controls, refined in rounds of searches. */
#ifndef GRADYN_OPTIM_REFINE_H
#define GRADYN_OPTIM_REFINE_H

#include "optim/rounds/resume.h"

/* One search by an evaluator, without a repetition of its end. */
typedef gradyn_status (*gradyn_refine_search)(gradyn_evaluator *evaluator,
                                              const gradyn_search *search, const double rho0[],
                                              gradyn_recollection how,
                                              gradyn_search_result *result);

/* Goes on from a search's result, at most search->refine_controls times: knots that pay are added to the
 * signals that it has designed, and another search begins where the last one has ended. The result becomes
 * that of the last one that has succeeded, with its evaluator (result->refined). Returns its status. */
gradyn_status gradyn_refine_run(gradyn_evaluator *evaluator, const gradyn_search *search,
                                gradyn_recollection how, gradyn_refine_search once,
                                gradyn_status status, gradyn_search_result *result);

#endif
