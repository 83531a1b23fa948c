/* One run of an optimiser over the scaled programme, from the best point on. */
#ifndef GRADYN_OPTIM_PASS_H
#define GRADYN_OPTIM_PASS_H

#include "optim/drivers/algorithms.h"
#include "optim/search/trials.h"

/* Runs the algorithm from the best point of trials, with their scaling; `again`: that is where a pass
 * has ended. The programme must suit the algorithm (gradyn_algorithm_for). */
gradyn_pass_end gradyn_pass_run(const gradyn_algorithm *algorithm, gradyn_trials *trials,
                                bool again);

#endif
