/* Pareto fronts of two functionals, for any objective. */
#ifndef GRADYN_OPTIM_PARETO_H
#define GRADYN_OPTIM_PARETO_H

#include "optim/program/objective.h"
#include <gradyn/study.h>

/* Computes a Pareto front from rho0 [parameters], for any objective that computes the gradients of both
 * functionals. Arguments, result and errors are those of gradyn_pareto(). evaluator: only for the headers
 * of journals; NULL: without it. */
gradyn_status gradyn_pareto_run(const gradyn_objective *objective,
                                const gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_pareto_spec *spec, const double rho0[],
                                gradyn_pareto_result *result);

/* Sets on_front of result->point [count], and their number result->front. A point is on the front if it is
 * feasible and no other point dominates it. Differences up to `first` and `second`, in the units of the two
 * functionals, do not count. Returns false if memory is out. This function and the next are in front.c. */
bool gradyn_front_find(gradyn_pareto_result *result, double first, double second);

/* Computes *trade_off at the end of a search that minimises one functional with a limit on functional
 * `second`: the multiplier of the limit, at least 0, in the unit of the minimised functional per unit of
 * `second`. 0: there is no limit. end: rho, psi and gradient are needed. Returns false if memory is out. */
bool gradyn_front_trade_off(const gradyn_objective *objective, const gradyn_search *search,
                            size_t second, const gradyn_search_result *end, double *trade_off);

#endif
