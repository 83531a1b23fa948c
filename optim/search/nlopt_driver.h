/* One run of NLopt over the scaled programme; nothing else of gradyn calls its optimisers. */
#ifndef GRADYN_OPTIM_NLOPT_DRIVER_H
#define GRADYN_OPTIM_NLOPT_DRIVER_H

#include "optim/search/algorithms.h"
#include "optim/search/trials.h"

/* How NLopt says a run ended. Whether that is true is judged elsewhere. */
typedef enum gradyn_pass_end {
  GRADYN_PASS_CONVERGED, /* by a criterion of its own */
  GRADYN_PASS_FTOL,      /* the objective changed by less than asked for */
  GRADYN_PASS_XTOL,      /* the parameters did */
  GRADYN_PASS_ROUNDOFF,
  GRADYN_PASS_FAILURE,
  GRADYN_PASS_HALTED, /* by the trials, see there */
  GRADYN_PASS_INVALID,
  GRADYN_PASS_NO_MEMORY
} gradyn_pass_end;

/* Runs the algorithm from the best point of trials, with their scaling. The programme must suit the
 * algorithm (gradyn_algorithm_for). */
gradyn_pass_end gradyn_nlopt_run(const gradyn_algorithm *algorithm, gradyn_trials *trials);

#endif
