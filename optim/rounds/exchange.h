/* Searches with path constraints, in rounds. */
#ifndef GRADYN_OPTIM_EXCHANGE_H
#define GRADYN_OPTIM_EXCHANGE_H

#include "optim/search/search.h"

/* Without path constraints, the same as gradyn_search_run().
 *
 * Otherwise a search enforces path constraints at a few time points. Further searches follow, each from
 * the end of the previous one. For each interval of violation, a point at the time of the largest violation
 * is added, and one that moves with it. This ends when no path constraint is exceeded, when the violation has
 * not halved in three rounds, or after search->path_rounds. psi and gradient of the result are from an
 * evaluation without sampled constraints, in which each bound has its largest excess.
 * result->path_points lists the time points. */
gradyn_status gradyn_exchange_run(const gradyn_objective *objective, const gradyn_search *search,
                                  const double rho0[], gradyn_search_result *result);

#endif
