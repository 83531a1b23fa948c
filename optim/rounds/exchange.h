/* Searches with limits along the way, in rounds. */
#ifndef GRADYN_OPTIM_EXCHANGE_H
#define GRADYN_OPTIM_EXCHANGE_H

#include "optim/search/search.h"

/* gradyn_search_run() where there are no limits. Otherwise a search that holds them at a few instants, and
 * others behind it, each from where the one before has ended and with the worst place of each stretch of
 * violation more, until no limit is exceeded, or ten rounds are over. psi and gradient of the result are
 * those of an evaluation without rows, whose sides of limits are their largest excess; rows tell where they
 * have been held. */
gradyn_status gradyn_exchange_run(const gradyn_objective *objective, const gradyn_search *search,
                                  const double rho0[], gradyn_search_result *result);

#endif
