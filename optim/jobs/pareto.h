/* Fronts between two functionals, for any objective. */
#ifndef GRADYN_OPTIM_PARETO_H
#define GRADYN_OPTIM_PARETO_H

#include "optim/program/objective.h"
#include <gradyn/study.h>

/* gradyn_pareto() for any objective, which has to fill the gradients of both functionals; the
 * evaluator, which may be NULL, only serves the headers of journals. */
gradyn_status gradyn_pareto_run(const gradyn_objective *objective,
                                const gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_pareto_spec *spec, const double rho0[],
                                gradyn_pareto_result *result);

/* Tells which points [count] are on the front and counts them. Differences up to these tolerances,
 * in each functional's unit, do not count. In front.c, likewise the next; false: out of memory. */
bool gradyn_front_find(gradyn_pareto_result *result, double first, double second);

/* The multiplier of the limit on functional `second` at the end of a search, in units of the
 * minimised functional per unit of that one; 0: there is no limit. */
bool gradyn_front_trade_off(const gradyn_objective *objective, const gradyn_search *search,
                            size_t second, const gradyn_search_result *end, double *trade_off);

#endif
