/* One run of an optimiser on the scaled nonlinear program, from the best point. */
#ifndef GRADYN_OPTIM_SOLVER_RUN_H
#define GRADYN_OPTIM_SOLVER_RUN_H

#include "optim/drivers/algorithms.h"
#include "optim/search/trials.h"

/* Runs the algorithm from the best point of the trials, with their scaling. again: a solver run has ended
 * at this point. The algorithm must accept the constraints of the program, see gradyn_algorithm_for(). The
 * best point must exist. Returns the reason of the end; GRADYN_PASS_HALTED: trials->halt has it. */
gradyn_solver_run_end gradyn_solver_run_start(const gradyn_algorithm *algorithm,
                                              gradyn_trials *trials, bool again);

#endif
