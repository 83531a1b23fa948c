/* Searches with path constraints, in rounds. */
#ifndef GRADYN_OPTIM_EXCHANGE_H
#define GRADYN_OPTIM_EXCHANGE_H

#include "optim/rounds/rounds.h"

/* Minimises an objective from rho0 [parameters], also with path constraints. Results and errors are those of
 * gradyn_optimise().
 *
 * With path constraints, a first search enforces them at a few time points. Further searches follow, each
 * from the end of the previous one. For each interval of violation, a sample at the time of the largest
 * violation is added, and one that moves with this time. The rounds end when no path constraint is
 * violated, when the violation has not halved in three rounds, or after search->path_rounds. psi and
 * gradient of the result are from an evaluation without samples, in which each bound has its largest
 * violation. result->path_points lists the samples. `earlier`: searches that this one continues. */
gradyn_status gradyn_exchange_run(const gradyn_objective *objective, const gradyn_search *search,
                                  const double rho0[], gradyn_earlier earlier,
                                  gradyn_search_result *result);

#endif
