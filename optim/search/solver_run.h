/* One run of an optimiser on the scaled nonlinear program, from the best point. */
#ifndef GRADYN_OPTIM_SOLVER_RUN_H
#define GRADYN_OPTIM_SOLVER_RUN_H

#include "optim/drivers/algorithms.h"
#include "optim/search/trials.h"

/* Runs the algorithm from the best point of the trials, which must exist, with their scaling. The algorithm
 * must accept the constraints of the program, see gradyn_algorithm_for(). again: an earlier solver run has
 * ended at this point. Better points are in the trials afterwards, and trials->halt begins as
 * GRADYN_HALT_NONE. Returns the reason of the end; with GRADYN_PASS_HALTED, trials->halt has the reason.
 * GRADYN_PASS_NO_MEMORY: memory is out, also before the run. */
gradyn_solver_run_end gradyn_solver_run_start(const gradyn_algorithm *algorithm,
                                              gradyn_trials *trials, bool again);

#endif
