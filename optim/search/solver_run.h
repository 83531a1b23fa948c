/* One run of an optimiser over the scaled programme, from the best point on. */
#ifndef GRADYN_OPTIM_SOLVER_RUN_H
#define GRADYN_OPTIM_SOLVER_RUN_H

#include "optim/drivers/algorithms.h"
#include "optim/search/trials.h"

/* Runs the algorithm from the best point of trials, with their scaling; `again`: that is where a pass
 * has ended. The programme must suit the algorithm (gradyn_algorithm_for). */
gradyn_solver_run_end gradyn_solver_run_start(const gradyn_algorithm *algorithm,
                                              gradyn_trials *trials, bool again);

#endif
