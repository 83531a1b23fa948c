/* Pareto fronts of two functionals, for any objective. */
#ifndef GRADYN_OPTIM_PARETO_H
#define GRADYN_OPTIM_PARETO_H

#include "optim/program/objective.h"
#include <gradyn/study.h>

/* gradyn_pareto() for any objective, which must compute the gradients of both functionals. The evaluator,
 * which may be NULL, is used for the headers of journals only. */
gradyn_status gradyn_pareto_run(const gradyn_objective *objective,
                                const gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_pareto_spec *spec, const double rho0[],
                                gradyn_pareto_result *result);

/* Determines and counts the points [count] on the front. Differences up to the tolerances `first` and
 * `second`, in the units of the functionals, do not count. Returns false if memory is out. This function
 * and the next are in front.c. */
bool gradyn_front_find(gradyn_pareto_result *result, double first, double second);

/* Computes the multiplier of the limit on functional `second` at the end of a search. Its unit is the
 * unit of the minimised functional per unit of `second`. 0: there is no limit. Returns false if memory is
 * out. */
bool gradyn_front_trade_off(const gradyn_objective *objective, const gradyn_search *search,
                            size_t second, const gradyn_search_result *end, double *trade_off);

#endif
